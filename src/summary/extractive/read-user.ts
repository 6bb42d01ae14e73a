import { type Announced, announces, constraintStrength, decisionStrength, mayConstrain } from './cues.ts';
import { factStrength } from './fact.ts';
import { eachLine, readLines } from './messages.ts';
import { type Notes, noteRequest, noteTurnEnd } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { oneLine } from './plain-text.ts';
import { paragraphs, quote, withReason } from './quote.ts';
import { head, isListItem, isQuestion, sentencesOf, withoutMarks } from './sentences.ts';
import { checkboxOf } from './todos.ts';

/** Nobody types a longer paragraph to an agent. */
const LONGEST_WRITTEN = 1200;
/** A reply no longer than this is read as the answer to what was asked before it. */
const LONGEST_REPLY = 160;
const LONGEST_PICK = 300;
const LONGEST_QUESTION = 140;

/** Reads what a person wrote: a request, its rules, decisions and facts. */
export async function readUser(notes: Notes, said: string, pace: Pacer): Promise<void> {
  const reader = lineReader(notes);
  const kept = await readLines(said, pace, reader.line);
  reader.end();
  const request = paragraphs(kept);
  if (request === '') return;
  readReply(notes, request);
  noteTurnEnd(notes);
  noteRequest(notes, request);
}

/** The answer to a question, or the pick among options, is a decision whatever its words. */
function readReply(notes: Notes, request: string): void {
  const question = notes.questions.at(-1);
  const reply = oneLine(request);
  if (isQuestion(reply)) return;
  if (question !== undefined && reply.length <= LONGEST_REPLY) {
    const asked = question.length <= LONGEST_QUESTION ? question : `${head(question, LONGEST_QUESTION - 1)}…`;
    notes.decisions.add({ text: `${asked} → ${reply}`, strength: 2 });
  } else if (notes.offered) {
    const pick = sentencesOf(reply).slice(0, 2).join(' ');
    if (pick.length <= LONGEST_PICK) notes.decisions.add({ text: pick, strength: 2 });
  }
}

/** Reads again what an earlier summary quotes of a person: what it says word for word may stand nowhere else in it. */
export function readQuoted(notes: Notes, quoted: string): void {
  const reader = lineReader(notes);
  eachLine(quoted, reader.line);
  reader.end();
}

interface LineReader {
  readonly line: (line: string) => void;
  readonly end: () => void;
}

/** Reads a person's lines one after the other. What a list is a list of is said above it; what was settled in one stays together. */
function lineReader(notes: Notes): LineReader {
  let list: Announced | undefined;
  let settled: string[] = [];
  const end = (): void => {
    if (settled.length > 1) notes.decisions.add({ text: quote(settled.join(' ')), strength: 2 });
    settled = [];
    list = undefined;
  };
  const line = (text: string): void => {
    const box = checkboxOf(text);
    if (box !== undefined) {
      if (box.state !== 'done') notes.pending.add(box.text);
      return;
    }
    const bare = withoutMarks(text);
    if (list === undefined || !isListItem(text)) {
      end();
      list = readProseLine(notes, text, bare);
      if (list === 'decisions') settled = [sentencesOf(bare).at(-1) ?? ''];
    } else if (list === 'decisions') settled.push(`${bare};`);
    else
      notes.constraints.add({
        text: quote(bare),
        strength: list === 'rules' ? 2 : constraintStrength(bare) || 1,
      });
  };
  return { line, end };
}

/** Reads a line that is no item of a list; answers what list it announces. */
function readProseLine(notes: Notes, line: string, text: string): Announced | undefined {
  // A long paragraph is a document the user handed over: only what is plainly a rule counts as theirs.
  const pasted = text.length > LONGEST_WRITTEN;
  const cued = mayConstrain(line);
  if (pasted && !cued) return undefined;
  const sentences = sentencesOf(text);
  let announced: Announced | undefined;
  for (const [at, sentence] of sentences.entries()) {
    announced = announces(line.trimStart().startsWith('#') ? line : sentence);
    if (announced === undefined) readSentence(notes, sentence, sentences[at + 1], { cued, pasted });
  }
  return announced;
}

function readSentence(
  notes: Notes,
  sentence: string,
  next: string | undefined,
  line: { readonly cued: boolean; readonly pasted: boolean },
): void {
  const ruling = line.cued ? constraintStrength(sentence) : 0;
  if (ruling === 2 || (ruling === 1 && !line.pasted))
    notes.constraints.add({ text: quote(sentence), strength: ruling });
  if (line.pasted) return;
  const settling = decisionStrength(sentence);
  if (settling !== 0) notes.decisions.add({ text: withReason(sentence, next), strength: settling });
  const telling = ruling === 0 && settling === 0 ? factStrength(sentence) : 0;
  if (telling !== 0) notes.facts.add({ text: quote(sentence), strength: telling });
}
