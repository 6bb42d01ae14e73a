import type { Summary } from '../../coverage/record.ts';
import { pacer } from '../extractive/pacer.ts';
import type { SourceEvent } from '../summarizer.ts';
import { literalSteps } from './extract-literals.ts';
import type { FoundLiteral } from './literal-kind.ts';

/** `extractLiterals` in slices that give way to the event loop. */
export async function gatherLiterals(
  events: readonly SourceEvent[],
  previous: readonly Pick<Summary, 'text' | 'literals'>[],
): Promise<readonly FoundLiteral[]> {
  const pace = pacer(new AbortController().signal);
  const steps = literalSteps(events, previous);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pace.spend(step.value);
  }
}
