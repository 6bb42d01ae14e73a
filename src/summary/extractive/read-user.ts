import { announcesRules, constraintStrength, decisionStrength, mayConstrain, mayDecide } from './cues.ts';
import { readLines } from './messages.ts';
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
  let rules = false;
  const kept = await readLines(said, pace, (line) => {
    rules = readUserLine(notes, line, rules);
  });
  const request = paragraphs(kept);
  if (request === '') return;
  if (question !== undefined && request.length <= LONGEST_REPLY && !isQuestion(request)) {
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
