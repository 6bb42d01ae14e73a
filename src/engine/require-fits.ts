import type { View } from '../coverage/view.ts';
import { SummaryTooLargeError } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';
import type { Lane } from '../event/lane.ts';
import type { Measured } from '../plan/attempt.ts';
import { coverableBeyond } from '../plan/coverable-beyond.ts';
import type { Window } from '../plan/plan.ts';
import type { RollUpPolicy } from '../plan/roll-up.ts';
import { isOverLimit } from '../plan/tail-trigger.ts';
import { assemblePrompt } from '../prompt/assemble.ts';
import type { CompactionStore } from './attempt-window.ts';
import type { CheckedPolicy } from './policy.ts';

/** The prompt a candidate is to stand in: read in which lane, what the candidate adds, and how its tokens compare with the provider's. */
export interface Candidate {
  readonly window: Window;
  /** Whose prompt it is to shrink: a window of another lane may be for the root's sake. */
  readonly reader: Lane;
  /** Tokens of the framed summary. */
  readonly enters: number;
  readonly measured: Measured | undefined;
}

/**
 * Measures the request it was planned for with the candidate in place, before it is committed. Over the limit with
 * nothing left that could be covered, throws `SummaryTooLargeError`: the summary would not make the request fit, so the
 * request stays as it is. While more can be covered or is to be merged, this window is one step of several; what is too large to be
 * shown whole is measured as it would be shown.
 */
export async function requireFits(
  key: SessionKey,
  { window, reader: lane, enters, measured }: Candidate,
  store: CompactionStore,
  { inputLimit, minimumTokens, overheadTokens, rollUp }: CheckedPolicy,
): Promise<void> {
  if (inputLimit === null) return;
  const view = await store.view(key, lane, 'reader');
  const { ratio, overhead } = measured ?? { ratio: 1, overhead: overheadTokens };
  const room = Math.floor((inputLimit - overhead) / ratio) - enters;
  const reader = { agent: measured?.agent ?? '', lane };
  const rest = assemblePrompt(without(view, window), reader, store.counter, Math.max(0, room));
  const storedTokens = rest.accounting.promptTokens + enters;
  const inputTokens = Math.ceil(storedTokens * ratio + overhead);
  // As `requestOf` lets a request through: what usage taught refuses nothing by itself.
  if (
    !isOverLimit(Math.min(inputTokens, storedTokens + overheadTokens), inputLimit) ||
    coverableBeyond(view, window) >= minimumTokens ||
    (rollUp !== null && willMerge(without(view, window).records, enters, rollUp))
  )
    return;
  throw new SummaryTooLargeError({ inputTokens, inputLimit, quality: store.counter.quality });
}

/** Whether roll-up follows once one more summary is live. */
function willMerge(
  records: View['records'],
  enters: number,
  { maxLive, maxSummariesTokens }: RollUpPolicy,
): boolean {
  const tokens = records.reduce((sum, { record }) => sum + record.tokens.summary, enters);
  return records.length + 1 > maxLive || (maxSummariesTokens !== null && tokens > maxSummariesTokens);
}

/** The view once the window's events and the summaries it replaces are gone from it. */
function without(view: View, window: Window): View {
  const covered = new Set(window.events.map(({ event }) => event.seq));
  const replaced = new Set([...window.supersedes, ...window.over]);
  const raw = view.raw.filter(({ event }) => !covered.has(event.seq));
  const shown = new Set(raw.map(({ exchange }) => exchange));
  return {
    ...view,
    raw,
    records: view.records.filter(({ record }) => !replaced.has(record.id)),
    recovered: view.recovered.filter(({ exchange }) => shown.has(exchange)),
  };
}
