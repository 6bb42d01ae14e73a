import type { RawEvent, View } from '../coverage/view.ts';
import type { Seq } from '../event/ids.ts';
import { sameLane } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';
import type { Growth } from '../tokens/learned-ratio.ts';

/** How large a prompt was by the model's own count: what one reply's usage says. */
export interface UsageReport {
  readonly author: string;
  /** The lane's revision the prompt was made at; null where nobody said, or the prompt was shown cut. */
  readonly revision: number | null;
  /** The first event of the reply: it, and all from there on, came after the prompt. */
  readonly from: Seq;
  readonly tokens: number;
}

/** A report above this is none: no model takes a billion tokens. */
const MOST_TOKENS = 1_000_000_000;

/** The reports of replies in the view's own lane, oldest first; of one agent, or with '' of everybody. */
export function usageReports(view: View, agent: string): readonly UsageReport[] {
  const replies = new Map<string, UsageReport>();
  const begun = new Map<string, Seq>();
  for (const { event } of view.raw) {
    // A tool's or a person's usage is not the size of this prompt; a record is no event and its usage never here.
    if (event.role !== 'assistant' || !sameLane(event.lane, view.lane)) continue;
    const key =
      event.reply === undefined ? `seq ${event.seq}` : `reply ${event.invocation}\u0000${event.reply}`;
    const from = begun.get(key) ?? event.seq;
    begun.set(key, from);
    if (agent !== '' && event.author !== agent) continue;
    const tokens = event.usage?.inputTokens;
    if (tokens === undefined || !(tokens > 0 && tokens <= MOST_TOKENS)) continue;
    replies.set(key, { author: event.author, revision: event.usage?.promptRevision || null, from, tokens });
  }
  return [...replies.values()].sort((a, b) => a.from - b.from);
}

/** Stored tokens of a reader's prompt by when they came into it. */
export class Arrivals {
  readonly #view: View;
  /** In order; `upTo` counts this one and all before it. */
  readonly #arrived: readonly { readonly at: Seq; readonly upTo: number }[];

  constructor(view: View) {
    this.#view = view;
    const firstRaw = new Map<ExchangeId, Seq>();
    for (const row of view.raw) if (!firstRaw.has(row.exchange)) firstRaw.set(row.exchange, row.event.seq);
    const raw = view.raw.map((row) => ({ at: cameBackLate(row, view) ? LATE : row.event.seq, row }));
    // A covered event is shown again since something of its exchange is raw.
    const again = view.recovered.map((row) => ({ at: firstRaw.get(row.exchange) ?? row.event.seq, row }));
    let upTo = 0;
    this.#arrived = [...raw, ...again]
      .sort((a, b) => a.at - b.at)
      .map(({ at, row }) => {
        upTo += row.event.tokens;
        return { at, upTo };
      });
  }

  /** Stored tokens that came from one event on and before another. */
  between(from: Seq, before: Seq): number {
    return this.#before(before) - this.#before(from);
  }

  /** Stored tokens that came from an event on. */
  since(from: Seq): number {
    return (this.#arrived.at(-1)?.upTo ?? 0) - this.#before(from);
  }

  #before(seq: Seq): number {
    let low = 0;
    let high = this.#arrived.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#arrived[middle]?.at ?? LATE) < seq) low = middle + 1;
      else high = middle;
    }
    return this.#arrived[low - 1]?.upTo ?? 0;
  }

  /**
   * How the prompt grew between consecutive reports of one author under one revision. Not where a record was planned
   * meanwhile, of whatever lane, or covers what came between: the prompt shrank then, or is not to be counted any more.
   */
  growths(reports: readonly UsageReport[]): readonly Growth[] {
    const newest = new Map<string, UsageReport>();
    const growths: Growth[] = [];
    for (const report of reports) {
      const previous = newest.get(report.author);
      newest.set(report.author, report);
      if (previous === undefined || previous.revision === null || previous.revision !== report.revision)
        continue;
      if (this.#isDisturbed(previous.from, report.from)) continue;
      growths.push({
        reported: report.tokens - previous.tokens,
        stored: this.between(previous.from, report.from),
      });
    }
    return growths;
  }

  #isDisturbed(from: Seq, before: Seq): boolean {
    return this.#view.records.some(({ record, firstSeq, lastSeq }) => {
      const plannedAt = record.basis.throughSeq;
      return (plannedAt >= from && plannedAt < before) || (firstSeq < before && lastSeq >= from);
    });
  }
}

/** After every report. */
const LATE: Seq = Number.POSITIVE_INFINITY;

/** An undo in another lane gives events back without raising this lane's revision: they may have come since any report. */
function cameBackLate(row: RawEvent, view: View): boolean {
  return row.undone !== null && !sameLane(row.event.lane, view.lane);
}
