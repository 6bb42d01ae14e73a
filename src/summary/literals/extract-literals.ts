import type { Summary } from '../../coverage/record.ts';
import type { SourceEvent } from '../summarizer.ts';
import { Candidates } from './candidates.ts';
import { kindOfCarried } from './carried-kind.ts';
import type { FoundLiteral } from './literal-kind.ts';
import { ranked } from './rank.ts';
import { readEvent, readSummary } from './read-values.ts';
import { seeToolValues } from './tool-values.ts';

/**
 * The concrete values in what a record is to cover, the most important first, at most 200: what users and assistants say
 * and what assistants give to tools; and in the summaries it replaces, whose own literals go on under the name of who
 * said them. Of tools' output only what somebody used, as the tool's word. Shapes of secrets never. Equal input gives
 * equal output; linear in it.
 *
 * @param events What it covers, in seq order.
 * @param previous The summaries it replaces, oldest first.
 */
export function extractLiterals(
  events: readonly SourceEvent[],
  previous: readonly Pick<Summary, 'text' | 'literals'>[],
): readonly FoundLiteral[] {
  const steps = literalSteps(events, previous);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps of bounded work: yields the code units read since the last, for whoever paces it. */
export function* literalSteps(
  events: readonly SourceEvent[],
  previous: readonly Pick<Summary, 'text' | 'literals'>[],
): Generator<number, readonly FoundLiteral[]> {
  const candidates = new Candidates();
  let places = 0;
  for (const { text, literals } of previous) {
    places += 1;
    for (const literal of literals) candidates.carry({ ...literal, kind: kindOfCarried(literal) }, places);
    yield* readSummary(candidates, text, places);
    candidates.endPlace(0);
  }
  const before = places;
  for (const event of events) {
    places += 1;
    candidates.endPlace(yield* readEvent(candidates, event, places));
  }
  for (const [index, event] of events.entries()) {
    yield* seeToolValues(candidates, event, before + index + 1);
  }
  return ranked(candidates.all(), places);
}
