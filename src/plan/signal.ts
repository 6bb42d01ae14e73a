import type { View } from '../coverage/view.ts';
import { sees } from '../event/lane.ts';
import { isSaneRatio, LEAST_RATIO, learnRatio, MOST_RATIO } from '../tokens/learned-ratio.ts';
import type { Attempt, Measured } from './attempt.ts';
import { Arrivals, type UsageReport, usageReports } from './usage-reports.ts';

/** How large a reader's next request is, and how that is known. Whether to compact is decided by it. */
export interface PromptSignal extends Omit<Measured, 'agent'> {
  /**
   * `reported`: the newest usage of this prompt, and what came after it. `learned`: the stored counts by a ratio or an
   * overhead this session taught. `estimate`: the stored counts and the configured overhead, no more.
   */
  readonly from: 'reported' | 'learned' | 'estimate';
}

/** What the signal is made from. */
export interface SignalSources {
  /** Of scope `reader`, in the reader's lane. */
  readonly view: View;
  /** Whose prompt it is: others in the lane have other system prompts. '': anybody's. */
  readonly agent: string;
  /** Stored tokens of the prompt as it is assembled. */
  readonly storedTokens: number;
  /** System prompt and tools as configured, in the provider's tokens. */
  readonly overheadTokens: number;
  /** The most tokens a request may take, where somebody said: a provider takes none that is far over it. */
  readonly inputLimit?: number | null;
  /** What the newest attempt with a measurement of this agent learned; see {@link newestMeasured}. */
  readonly learned: Measured | null;
}

/** What is set aside for a reply and a margin is less than half of what a request may take. */
const MOST_OVER_LIMIT = 1.5;
/** What a system prompt and tools may take that nobody told us of. */
const MOST_UNKNOWN_OVERHEAD = 100_000;
/** The overhead is the median of so many reports. */
const FIRST_REPORTS = 5;

/**
 * The size of the next request, in the provider's tokens: the newest usage this agent reported in this lane at the
 * lane's current revision, plus what came after it; else the stored tokens by the learned ratio, plus the overhead.
 *
 * Usage comes from outside. A report that cannot be one of the prompt it claims to be of (under a quarter of what was
 * stored then, or over four times that and all known overhead by more than 100,000) is passed over for the one before
 * it, or for the stored counts: no report keeps compaction off for ever, as the least that counts grows with what is
 * stored, and none sets it off for ever.
 */
export function promptSignal(sources: SignalSources): PromptSignal {
  const { view, agent, storedTokens, overheadTokens, learned, inputLimit = null } = sources;
  const reports = usageReports(view, agent);
  const arrivals = new Arrivals(view);
  const fromGrowth = learnRatio(arrivals.growths(reports));
  const known = learned !== null && isSaneRatio(learned.ratio) ? learned.ratio : null;
  const ratio = fromGrowth ?? known ?? 1;
  const most = inputLimit ?? Number.POSITIVE_INFINITY;
  // With such an overhead nothing would ever fit: it was learned from a report that was none.
  const overhead = learned === null || learned.overhead >= most ? overheadTokens : learned.overhead;
  const current = reports
    .filter((report) => isCurrent(report, view))
    .map(({ tokens, from }) => ({ tokens, before: Math.max(0, storedTokens - arrivals.since(from)) }))
    .filter(
      (report) =>
        report.tokens <= most * MOST_OVER_LIMIT && isPlausible(report, Math.max(overhead, overheadTokens)),
    );
  const newest = current.at(-1);
  if (newest !== undefined) {
    return {
      promptTokens: Math.ceil(newest.tokens + ratio * (storedTokens - newest.before)),
      storedTokens,
      ratio,
      overhead: overheadIn(current, ratio),
      from: 'reported',
    };
  }
  return {
    promptTokens: Math.ceil(ratio * storedTokens + overhead),
    storedTokens,
    ratio,
    overhead,
    from: fromGrowth === null && learned === null ? 'estimate' : 'learned',
  };
}

/** What the newest attempt that measured a prompt of this agent, in a lane this view sees, learned; attempts oldest first. */
export function newestMeasured(view: View, agent: string, attempts: readonly Attempt[]): Measured | null {
  const newest = attempts.findLast(
    ({ measured, lane }) =>
      measured !== undefined && (agent === '' || measured.agent === agent) && sees(view.lane, lane),
  );
  return newest?.measured ?? null;
}

/**
 * Whether a report is of a prompt the next one only adds to. The revision says so of the reader's own lane; what another
 * lane's record took out of this prompt raises that lane's revision only, and shows in what it was planned from.
 */
function isCurrent(report: UsageReport, view: View): boolean {
  return (
    report.revision === view.revision &&
    view.records.every(({ record }) => record.basis.throughSeq < report.from)
  );
}

/** A report of the prompt as it is now, but for what came after it. */
interface CurrentReport {
  readonly tokens: number;
  /** Stored tokens of the prompt it was of. */
  readonly before: number;
}

function isPlausible({ tokens, before }: CurrentReport, overhead: number): boolean {
  return tokens >= before * LEAST_RATIO && tokens <= (before + overhead) * MOST_RATIO + MOST_UNKNOWN_OVERHEAD;
}

/** What is left of the first reports once the ratio is taken off: of the smallest prompts, where an error of it weighs least. */
function overheadIn(current: readonly CurrentReport[], ratio: number): number {
  const left = current
    .slice(0, FIRST_REPORTS)
    .map(({ tokens, before }) => tokens - ratio * before)
    .sort((a, b) => a - b);
  return Math.max(0, Math.round(left[(left.length - 1) >> 1] ?? 0));
}
