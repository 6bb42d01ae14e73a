import { decisionStrength, mayDecide, offersChoice } from './cues.ts';
import { eachLine, isFence, readLines } from './messages.ts';
import { type Notes, noteProgress } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { quote, stepOf, withReason } from './quote.ts';
import { isListItem, isQuestion, sentencesOf, withoutMarks } from './sentences.ts';
import { checkboxOf } from './todos.ts';

/** A longer message reports something, whatever it begins with. */
const LONGEST_ANNOUNCEMENT = 200;

/** Reads what the assistant said: what it reports, decides and asks. */
export async function readAssistant(notes: Notes, text: string, pace: Pacer): Promise<void> {
  noteProgress(notes);
  const kept = await readLines(text, pace, (line) => readAssistantLine(notes, line));
  const report = reportOf(kept);
  if (report === '') return;
  const step = stepOf(report);
  notes.askState = /[:：]$/.test(report) ? 'in progress' : 'answered';
  if (report.length <= LONGEST_ANNOUNCEMENT && step === '') {
    notes.intent = report;
    return;
  }
  if (notes.last !== '') notes.steps.add(stepOf(notes.last));
  notes.last = report;
  notes.intent = '';
  notes.questions = questionsOf(kept);
  notes.offered = kept.split('\n').filter(isListItem).length >= 2 && offersChoice(notes.asked + kept);
}

/** Reads again what an earlier summary quotes of the assistant. */
export function readReport(notes: Notes, quoted: string): void {
  eachLine(quoted, (line) => readAssistantLine(notes, line));
}

function readAssistantLine(notes: Notes, line: string): void {
  const box = checkboxOf(line);
  if (box !== undefined && box.state !== 'done') notes.pending.add(box.text);
  if (box !== undefined || !mayDecide(line)) return;
  const sentences = sentencesOf(withoutMarks(line));
  for (const [at, sentence] of sentences.entries()) {
    const settled = decisionStrength(sentence);
    if (settled !== 0)
      notes.decisions.add({ text: withReason(sentence, sentences[at + 1]), strength: settled });
  }
}

const FILLER =
  /^(?:no response requested|perfect|great|excellent|done|good (?:catch|point|question)|you['’]re (?:absolutely )?right|sure|okay|ok|all done|i see|got it|understood|certainly|of course|absolutely|thanks|thank you)\b[^.!?\n]{0,20}[.!]$/i;

/** What a message of the assistant's reports: its lines without code, tables, headings and filler. */
function reportOf(text: string): string {
  const lines: string[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (isFence(line)) fenced = !fenced;
    else if (!fenced && line.trim() !== '' && !/^\s*(?:\||[-=*_]{3,}\s*$)/.test(line)) {
      const heading = /^\s*(?:#|\*\*[^*]{1,80}\*\*\s*$)/.test(line);
      const bare = withoutMarks(line);
      const all = sentencesOf(bare);
      const kept = all.filter((sentence) => !FILLER.test(sentence));
      if (kept.length === 0) continue;
      const told = kept.length === all.length ? bare : kept.join(' ');
      if (heading) lines.push(/[\p{P}]$/u.test(told) ? told : `${told}:`);
      else lines.push(isListItem(line) ? `- ${told}` : told);
    }
  }
  return lines.join('\n');
}

function questionsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(-6)
    .flatMap((line) => sentencesOf(withoutMarks(line)))
    .filter(isQuestion)
    .slice(-2)
    .map(quote);
}
