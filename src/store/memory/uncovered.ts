import { judge } from '../../coverage/judge.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { RawEvent } from '../../coverage/view.ts';
import type { LaneKey, Seq } from '../../event/ids.ts';
import { laneKey } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';

const NONE: readonly RawEvent[] = Object.freeze([]);

/**
 * The raw events of each lane, and of each isolation's root branch, kept in seq order. Derived from the records alone;
 * kept so that a prompt costs its tail and not its history.
 */
export class Uncovered {
  readonly #byLane = new Map<LaneKey, readonly RawEvent[]>();
  readonly #atRoot = new Map<string, readonly RawEvent[]>();

  lane(key: LaneKey): readonly RawEvent[] {
    return this.#byLane.get(key) ?? NONE;
  }

  root(isolation: string): readonly RawEvent[] {
    return this.#atRoot.get(isolation) ?? NONE;
  }

  /** Takes in a new event: nothing covers it yet. */
  append(row: LoggedEvent): void {
    const raw = Object.freeze({ ...row, under: null, undone: null, undoneView: null });
    pushTo(this.#byLane, laneKey(row.event.lane), raw);
    pushTo(this.#atRoot, row.event.lane.isolation, raw);
  }

  /** Judges events anew after records, marks, pins or exchanges changed. */
  refresh(rows: Iterable<LoggedEvent>, graph: RecordGraph): void {
    const lanes = new Map<LaneKey, Map<Seq, RawEvent | null>>();
    const roots = new Map<string, Map<Seq, RawEvent | null>>();
    for (const row of rows) {
      const marks = judge(row, graph);
      const raw = marks === null ? null : Object.freeze({ ...row, ...marks });
      note(lanes, laneKey(row.event.lane), row.event.seq, raw);
      note(roots, row.event.lane.isolation, row.event.seq, raw !== null && raw.under === null ? raw : null);
    }
    for (const [key, changes] of lanes) this.#byLane.set(key, merge(this.lane(key), changes));
    for (const [key, changes] of roots) this.#atRoot.set(key, merge(this.root(key), changes));
  }
}

function pushTo<Key>(lists: Map<Key, readonly RawEvent[]>, key: Key, raw: RawEvent): void {
  const list = lists.get(key);
  // The list is this index's own; views copy what they hand out.
  if (list === undefined) lists.set(key, [raw]);
  else (list as RawEvent[]).push(raw);
}

function note<Key>(
  changes: Map<Key, Map<Seq, RawEvent | null>>,
  key: Key,
  seq: Seq,
  raw: RawEvent | null,
): void {
  const known = changes.get(key);
  if (known === undefined) changes.set(key, new Map([[seq, raw]]));
  else known.set(seq, raw);
}

function merge(list: readonly RawEvent[], changes: ReadonlyMap<Seq, RawEvent | null>): RawEvent[] {
  const kept = list.filter((raw) => !changes.has(raw.event.seq));
  for (const raw of changes.values()) if (raw !== null) kept.push(raw);
  return kept.sort((a, b) => a.event.seq - b.event.seq);
}
