import { announces, asksFor, givesReason, isNarration } from './cues.ts';
import { oneLine } from './plain-text.ts';
import { head, isQuestion, sentencesOf, withoutMarks } from './sentences.ts';

const LONGEST_QUOTE = 400;
const LONGEST_STEP = 240;

/** A sentence as it is quoted: on one line and of bounded length. */
export function quote(sentence: string): string {
  const text = oneLine(sentence);
  return text.length <= LONGEST_QUOTE ? text : `${head(text, LONGEST_QUOTE - 1)}…`;
}

/** A sentence quoted with the one after it when that gives the reason. */
export function withReason(sentence: string, next: string | undefined): string {
  if (next === undefined || givesReason(sentence) || !givesReason(next) || isQuestion(next))
    return quote(sentence);
  return quote(`${sentence} ${next}`);
}

/** A message as lines, without blank ones. */
export function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** The first sentences of a report that say something done, on one line of at most `longest` code units. */
export function stepOf(report: string, longest: number = LONGEST_STEP): string {
  const most = Math.ceil(longest / 120);
  const told: string[] = [];
  for (const line of report.split('\n', 40)) {
    for (const sentence of sentencesOf(withoutMarks(line))) {
      if (told.length < most && !isNarration(sentence)) told.push(sentence);
    }
  }
  const text = oneLine(told.join(' '));
  return text.length <= longest ? text : `${head(text, longest - 1)}…`;
}

/** A request on one line of at most `longest` code units: whole when short, else how it begins and the sentences that ask. */
export function threadLine(request: string, longest: number): string {
  const text = oneLine(request);
  if (text.length <= longest) return text;
  const sentences = request
    .slice(0, 8000)
    .split('\n')
    .flatMap((line) => sentencesOf(line));
  const told = oneLine(
    sentences
      .filter((sentence, at) => at === 0 || asksFor(sentence))
      .slice(0, 4)
      .join(' '),
  );
  return told.length <= longest ? told : `${head(told, longest - 1)}…`;
}

/** A request without the rules that stand elsewhere: `isRule` says which sentences and list items do. Whole when nothing else is in it. */
export function withoutRules(request: string, isRule: (text: string) => boolean): string {
  const kept: string[] = [];
  let heading: string | undefined;
  for (const line of request.split('\n')) {
    const bare = withoutMarks(line);
    const sentences = sentencesOf(bare);
    const others = sentences.filter((sentence) => !isRule(sentence));
    if (others.length === 0 || isRule(bare)) {
      // What announced the rules goes with them.
      if (heading !== undefined && kept.at(-1) === heading) kept.pop();
      continue;
    }
    kept.push(others.length === sentences.length ? line : others.join(' '));
    heading = announces(bare) === undefined ? undefined : line;
  }
  return kept.length === 0 ? request : kept.join('\n');
}
