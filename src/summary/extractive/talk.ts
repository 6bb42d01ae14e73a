import {
  announcesRules,
  asksFor,
  constraintStrength,
  decisionStrength,
  givesReason,
  isNarration,
  mayConstrain,
  mayDecide,
} from './cues.ts';
import { type Notes, noteRequest, noteTurnEnd } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { oneLine, pieces, plain, skim } from './plain-text.ts';
import { head, isListItem, isQuestion, sentencesOf, withoutMarks } from './sentences.ts';
import { checkboxOf } from './todos.ts';

const LONGEST_QUOTE = 400;
const LONGEST_STEP = 240;
/** Of one message so much is kept to be quoted; it is more than any budget quotes. */
const KEPT_HEAD = 16 * 1024;
const KEPT_TAIL = 8 * 1024;

/** A line that was pasted rather than written: stack frames, timestamps, prompts, diffs. */
const PASTED = /^\s*(?:at\s+\S+\s*\(|File "|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d|\$ |>>> |[+-]{3} |@@ |\{"|\|)/;
const FENCE = /^\s*(?:```|~~~)/;

/** Reads what a person wrote: a request, its rules, decisions and facts. */
export async function readUser(notes: Notes, said: string, pace: Pacer): Promise<void> {
  const questions = notes.questions;
  let kept = '';
  let fenced = false;
  let rules = false;
  for (const piece of pieces(said)) {
    await pace.spend(piece.length);
    const text = plain(piece);
    kept = skim(kept + text, KEPT_HEAD, KEPT_TAIL);
    for (const line of text.split('\n')) {
      if (FENCE.test(line)) fenced = !fenced;
      if (fenced || line.trim() === '' || PASTED.test(line)) continue;
      rules = readUserLine(notes, line, rules);
    }
  }
  const request = paragraphs(kept);
  if (request === '') return;
  const question = questions.at(-1);
  if (question !== undefined && request.length <= 160 && !isQuestion(request)) {
    notes.decisions.add({ text: `${question} → ${oneLine(request)}`, strength: 2 });
  }
  noteTurnEnd(notes);
  noteRequest(notes, request);
}

/** Reads one line of a person's; answers whether a list of rules goes on after it. */
function readUserLine(notes: Notes, line: string, rules: boolean): boolean {
  const box = checkboxOf(line);
  if (box !== undefined) {
    if (box.state !== 'done') notes.pending.add(box.text);
    return rules;
  }
  const item = isListItem(line);
  const text = withoutMarks(line);
  if (rules && item) {
    notes.constraints.add({ text: quote(text), strength: constraintStrength(text) === 2 ? 2 : 1 });
    return true;
  }
  const cued = mayConstrain(line);
  const decided = mayDecide(line);
  const sentences = sentencesOf(text);
  for (const [at, sentence] of sentences.entries()) {
    const strength = cued ? constraintStrength(sentence) : 0;
    if (strength > 0) notes.constraints.add({ text: quote(sentence), strength: strength === 2 ? 2 : 1 });
    const settled = decided ? decisionStrength(sentence) : 0;
    if (settled > 0) notes.decisions.add({ text: withReason(sentence, sentences[at + 1]), strength: settled === 2 ? 2 : 1 });
    const telling = strength === 0 && settled === 0 ? factStrength(sentence) : 0;
    if (telling > 0) notes.facts.add({ text: quote(sentence), strength: telling === 2 ? 2 : 1 });
  }
  return announcesRules(line) || (rules && !item && text.length < 4);
}

/** Reads what the assistant said. `working` says that calls follow it in the same message. */
export async function readAssistant(notes: Notes, text: string, pace: Pacer): Promise<void> {
  let kept = '';
  let fenced = false;
  for (const piece of pieces(text)) {
    await pace.spend(piece.length);
    const clean = plain(piece);
    kept = skim(kept + clean, KEPT_HEAD, KEPT_TAIL);
    for (const line of clean.split('\n')) {
      if (FENCE.test(line)) fenced = !fenced;
      if (fenced || line.trim() === '' || PASTED.test(line)) continue;
      readAssistantLine(notes, line);
    }
  }
  const report = reportOf(kept);
  if (report === '') return;
  const sentences = sentencesOf(oneLine(report));
  const step = sentences.find((sentence) => !isNarration(sentence));
  if (report.length <= 200 && step === undefined) {
    notes.askState = 'in progress';
    return;
  }
  if (notes.last !== '') notes.steps.add(stepOf(notes.last));
  notes.last = report;
  notes.askState = isNarration(sentences.at(-1) ?? '') ? 'in progress' : 'answered';
  notes.questions = questionsOf(kept);
}

function readAssistantLine(notes: Notes, line: string): void {
  const box = checkboxOf(line);
  if (box !== undefined && box.state !== 'done') notes.pending.add(box.text);
  if (box !== undefined || !mayDecide(line)) return;
  const sentences = sentencesOf(withoutMarks(line));
  for (const [at, sentence] of sentences.entries()) {
    const settled = decisionStrength(sentence);
    if (settled > 0) notes.decisions.add({ text: withReason(sentence, sentences[at + 1]), strength: settled === 2 ? 2 : 1 });
  }
}

function withReason(sentence: string, next: string | undefined): string {
  if (next === undefined || givesReason(sentence) || !givesReason(next) || isQuestion(next)) return quote(sentence);
  return quote(`${sentence} ${next}`);
}

/** A sentence as it is quoted: on one line and of bounded length. */
export function quote(sentence: string): string {
  const text = oneLine(sentence);
  return text.length <= LONGEST_QUOTE ? text : `${head(text, LONGEST_QUOTE - 1)}…`;
}

/** A message as lines, without blank ones. */
function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

const FILLER =
  /^(?:perfect|great|excellent|done|good (?:catch|point|question)|you['’]re (?:absolutely )?right|sure|okay|ok|all done|i see|got it|understood|certainly|of course|absolutely|thanks|thank you)\b[^.!?\n]{0,20}[.!]$/i;

/** What a message of the assistant's reports: its lines without code, tables, headings and filler. */
function reportOf(text: string): string {
  const lines: string[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && line.trim() !== '' && !/^\s*(?:\||[-=*_]{3,}\s*$)/.test(line)) {
      const item = isListItem(line) && !/^\s*#/.test(line);
      const kept = sentencesOf(withoutMarks(line)).filter((sentence) => !FILLER.test(sentence));
      if (kept.length > 0) lines.push((item ? '- ' : '') + kept.join(' '));
    }
  }
  return lines.join('\n');
}

/** The first sentence of a report that says something done, on one line. */
export function stepOf(report: string): string {
  const sentences = sentencesOf(oneLine(report));
  const first = sentences.findIndex((sentence) => !isNarration(sentence));
  const told = sentences.slice(Math.max(first, 0), Math.max(first, 0) + 2).join(' ');
  return told.length <= LONGEST_STEP ? told : `${head(told, LONGEST_STEP - 1)}…`;
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

/** A later request in one line: whole when short, else the sentences that ask. */
export function threadLine(request: string): string {
  const text = oneLine(request);
  if (text.length <= LONGEST_STEP) return text;
  const asking = request
    .slice(0, 8000)
    .split('\n')
    .flatMap((line) => sentencesOf(line))
    .filter(asksFor);
  const told = oneLine(asking.length > 0 ? asking.slice(0, 3).join(' ') : text);
  return told.length <= LONGEST_STEP ? told : `${head(told, LONGEST_STEP - 1)}…`;
}

const FIRST_PERSON =
  /(?<![\p{L}])(?:my|mine|our|i am|i['’]m|i have|i['’]ve|i live|i work|name is|mi|nuestr[oa]s?|soy|mon|ma|mes|notre|je suis|mein\p{L}{0,2}|unser\p{L}{0,2}|ich bin|meu|minha|nosso|sou|мой|моя|мои|меня|наш\p{L}{0,2})(?![\p{L}])|私|僕|俺|我的|我是|我叫|我们|저는|제\s|나는|내\s/iu;

/** How telling a statement is: numbers, names, quoted things, and who speaks of themselves. */
function factStrength(sentence: string): 0 | 1 | 2 {
  if (sentence.length < 10 || sentence.length > 500 || isQuestion(sentence)) return 0;
  let signs = 0;
  if (/\p{N}/u.test(sentence)) signs += 1;
  if (/[\p{Ll},]\s\p{Lu}[\p{L}-]/u.test(sentence)) signs += 1;
  if (/[`"“「『«]|https?:|\w\/\w/.test(sentence)) signs += 1;
  if (FIRST_PERSON.test(sentence)) signs += 1;
  return signs >= 2 ? 2 : signs === 1 ? 1 : 0;
}
