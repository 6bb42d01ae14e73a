import { createHash } from 'node:crypto';
import type { CompactionRecord, RecordState } from '../../src/coverage/record.ts';
import type { StoredEvent } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { maySee, oneLane, type Told } from './told.ts';

/** What records cover and which of them count, from the list of records alone. */
export class ModelRecords {
  readonly #states: readonly RecordState[];
  readonly #events: readonly Told[];

  constructor(states: readonly RecordState[], events: readonly Told[]) {
    this.#states = states;
    this.#events = events;
  }

  get all(): readonly CompactionRecord[] {
    return this.#states.map((state) => state.record);
  }

  /** The records but for some. */
  without(ids: ReadonlySet<string>): readonly CompactionRecord[] {
    return this.all.filter(({ id }) => !ids.has(id));
  }

  get(id: string): CompactionRecord | undefined {
    return this.#states.find((state) => state.record.id === id)?.record;
  }

  /** All seqs a record covers, pinned ones too: its own and those of what it supersedes. */
  seqsOf(record: CompactionRecord): ReadonlySet<number> {
    const seqs = new Set(this.ownSeqs(record));
    for (const id of record.supersedes) {
      const below = this.get(id);
      if (below !== undefined) for (const seq of this.seqsOf(below)) seqs.add(seq);
    }
    return seqs;
  }

  /** The seqs its own spans hold. */
  ownSeqs(record: CompactionRecord): readonly number[] {
    return this.#events
      .filter(({ seq, stored }) => {
        const inScope = record.rootView
          ? stored.lane.isolation === record.lane.isolation
          : oneLane(stored.lane, record.lane);
        return inScope && record.spans.some((span) => span.first <= seq && seq <= span.last);
      })
      .map(({ seq }) => seq);
  }

  /** Not undone, and replaced by nothing that is not undone, directly or through others; root views newest first. */
  live(): readonly CompactionRecord[] {
    const standing = this.#states.filter((state) => {
      if (state.undone) return false;
      return !this.#states.some((other) => !other.undone && this.#replaces(other.record, state.record.id));
    });
    const views: CompactionRecord[] = [];
    for (const { record } of standing.toReversed()) {
      if (!record.rootView) continue;
      const seqs = this.seqsOf(record);
      const overlapped = views.some((newer) => [...this.seqsOf(newer)].some((seq) => seqs.has(seq)));
      if (!overlapped) views.push(record);
    }
    return standing
      .map((state) => state.record)
      .filter((record) => !record.rootView || views.includes(record));
  }

  /** The records whose summaries a reader's prompt shows. */
  shownTo(reader: Lane): readonly CompactionRecord[] {
    const live = this.live();
    if (reader.branch !== '') return live.filter((record) => !record.rootView && maySee(reader, record.lane));
    const mine = live.filter((record) => record.lane.isolation === reader.isolation);
    const views = mine.filter((record) => record.rootView);
    const viewed = new Set(views.flatMap((record) => [...this.seqsOf(record)]));
    return mine.filter(
      (record) => record.rootView || ![...this.seqsOf(record)].every((seq) => viewed.has(seq)),
    );
  }

  /** The live records that keep an undone one from being restored: those that touch its events and are not replaced by it. */
  inTheWayOf(record: CompactionRecord): readonly string[] {
    const seqs = this.seqsOf(record);
    const inTheWay = this.live().filter((other) => {
      if (other.lane.isolation !== record.lane.isolation || this.#replaces(record, other.id)) return false;
      const theirs = this.seqsOf(other);
      const shared = [...theirs].filter((seq) => seqs.has(seq)).length;
      if (shared === 0) return false;
      if (other.rootView === record.rootView) return true;
      // A lane's record lies wholly inside a root view or outside it.
      return shared !== (other.rootView ? seqs.size : theirs.size);
    });
    return inTheWay.map(({ id }) => id as string).toSorted();
  }

  /** The records that cover and read only events up to a seq, and replace only such ones. */
  within(seq: number): readonly string[] {
    const fits = (record: CompactionRecord): boolean =>
      [...this.seqsOf(record)].every((covered) => covered <= seq) &&
      record.context.every(({ last }) => last <= seq) &&
      record.supersedes.every((id) => {
        const below = this.get(id);
        return below !== undefined && fits(below);
      });
    return this.all.filter(fits).map(({ id }) => id as string);
  }

  /** Whether a lane's record, or one it was made from, lies partly inside one of these root views: a fork may leave it behind. */
  maySplit(id: string, among: readonly string[]): boolean {
    const record = this.get(id);
    if (record === undefined) return false;
    if ([...record.supersedes, ...record.over].some((below) => this.maySplit(below, among))) return true;
    if (record.rootView) return false;
    const own = [...this.seqsOf(record)];
    return among.some((other) => {
      const view = this.get(other);
      if (view?.rootView !== true) return false;
      const inside = own.filter((seq) => this.seqsOf(view).has(seq)).length;
      return inside > 0 && inside < own.length;
    });
  }

  #replaces(record: CompactionRecord, id: string): boolean {
    return record.supersedes.some((other) => {
      if (other === id) return true;
      const below = this.get(other);
      return below !== undefined && this.#replaces(below, id);
    });
  }
}

/** Sorted-key JSON, written apart from the one in `src`. Keys that look like numbers are sorted as text too. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${sortedJson(inner)}`);
  return `{${fields.join(',')}}`;
}

function hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The hash of what an event says. */
export function eventHash(event: StoredEvent): string {
  const { seq: _seq, tokens: _tokens, createdAt: _createdAt, usage: _usage, ...said } = event;
  return hex(sortedJson(said));
}

/** A record's digest, from the events and the records it is made of. */
export function digestOf(record: CompactionRecord, records: ModelRecords, events: readonly Told[]): string {
  const own = new Set(records.ownSeqs(record));
  return hex(
    sortedJson({
      events: events.filter(({ seq }) => own.has(seq)).map(({ stored }) => eventHash(stored)),
      lane: { branch: record.lane.branch, isolation: record.lane.isolation },
      nonce: record.nonce,
      over: record.over,
      overDigests: record.over.map((id) => records.get(id)?.digest),
      rootView: record.rootView,
      spans: record.spans.map(({ first, last }) => [first, last]),
      summary: record.summary,
      summaryTokens: record.tokens.summary,
      superseded: record.supersedes.map((id) => records.get(id)?.digest),
      supersedes: record.supersedes,
    }),
  );
}
