import { announcesRules, constraintStrength, decisionStrength, mayConstrain, mayDecide } from './cues.ts';
import { factStrength } from './fact.ts';
import { eachLine, readLines } from './messages.ts';
import { type Notes, noteRequest, noteTurnEnd } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { oneLine } from './plain-text.ts';
import { paragraphs, quote, withReason } from './quote.ts';
import { isListItem, isQuestion, sentencesOf, withoutMarks } from './sentences.ts';
import { checkboxOf } from './todos.ts';

/** Nobody types a longer paragraph to an agent. */
const LONGEST_WRITTEN = 1200;
/** A reply no longer than this is read as the answer to what was asked before it. */
const LONGEST_REPLY = 160;

/** Reads what a person wrote: a request, its rules, decisions and facts. */
export async function readUser(notes: Notes, said: string, pace: Pacer): Promise<void> {
  const question = notes.questions.at(-1);
  const kept = await readLines(said, pace, userLines(notes));
  const request = paragraphs(kept);
  if (request === '') return;
  if (question !== undefined && request.length <= LONGEST_REPLY && !isQuestion(request)) {
    notes.decisions.add({ text: `${question} → ${oneLine(request)}`, strength: 2 });
  }
  noteTurnEnd(notes);
  noteRequest(notes, request);
}

/** Reads again what an earlier summary quotes of a person: what it says word for word may stand nowhere else in it. */
export function readQuoted(notes: Notes, quoted: string): void {
  eachLine(quoted, userLines(notes));
}

function userLines(notes: Notes): (line: string) => void {
  let rules = false;
  return (line) => {
    rules = readUserLine(notes, line, rules);
  };
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
  const announced = announcesRules(line);
  const cued = !announced && mayConstrain(line);
  const decided = mayDecide(line);
  // A long paragraph is a document the user handed over: only what is plainly a rule counts as theirs.
  const pasted = text.length > LONGEST_WRITTEN;
  if (pasted && !cued) return false;
  const sentences = sentencesOf(text);
  for (const [at, sentence] of sentences.entries()) {
    const strength = cued ? constraintStrength(sentence) : 0;
    if (strength === 2 || (strength === 1 && !pasted))
      notes.constraints.add({ text: quote(sentence), strength: strength === 2 ? 2 : 1 });
    if (pasted) continue;
    const settled = decided ? decisionStrength(sentence) : 0;
    if (settled > 0)
      notes.decisions.add({ text: withReason(sentence, sentences[at + 1]), strength: settled === 2 ? 2 : 1 });
    const telling = strength === 0 && settled === 0 ? factStrength(sentence) : 0;
    if (telling > 0) notes.facts.add({ text: quote(sentence), strength: telling === 2 ? 2 : 1 });
  }
  return announced || (rules && !item && text.length < 4);
}
