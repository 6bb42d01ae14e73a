import { judge } from '../../coverage/judge.ts';
import type { RecordGraph } from '../../coverage/record-graph.ts';
import type { RawEvent } from '../../coverage/view.ts';
import type { LaneKey, Seq } from '../../event/ids.ts';
import { type Lane, laneKey } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';

const NONE: readonly RawEvent[] = Object.freeze([]);

/** What becomes of raw events, by seq: null where one is none any more. */
type Changes = Map<Seq, RawEvent | null>;

/**
 * The raw events of each lane, and of each isolation's root branch, kept in seq order. Derived from the records alone;
 * kept so that a prompt costs its tail and not its history. The lists are changed in place; views copy them.
 */
export class Uncovered {
  readonly #byLane = new Map<LaneKey, RawEvent[]>();
  readonly #atRoot = new Map<string, RawEvent[]>();

  /**
   * A root view that replaces others changes nothing of the events under them but its name, and a lane that is never
   * covered by itself has all its history there: the name is put right when it is read.
   */
  lane(lane: Lane, graph: RecordGraph): readonly RawEvent[] {
    const list = this.#byLane.get(laneKey(lane));
    if (list === undefined) return NONE;
    for (const [at, raw] of list.entries()) {
      if (raw.under === null || graph.isLive(raw.under)) continue;
      const under = graph.rootViewAt(lane.isolation, raw.event.seq)?.record.id ?? null;
      list[at] = Object.freeze({ ...raw, under });
    }
    return list;
  }

  root(isolation: string): readonly RawEvent[] {
    return this.#atRoot.get(isolation) ?? NONE;
  }

  /** Takes in a new event: nothing covers it yet. */
  append(row: LoggedEvent): void {
    const raw = Object.freeze({ ...row, under: null, undone: null, undoneView: null });
    listOf(this.#byLane, laneKey(row.event.lane)).push(raw);
    listOf(this.#atRoot, row.event.lane.isolation).push(raw);
  }

  /** Judges events anew after records, marks, pins or exchanges changed. */
  refresh(rows: Iterable<LoggedEvent>, graph: RecordGraph): void {
    const lanes = new Map<LaneKey, Changes>();
    const roots = new Map<string, Changes>();
    for (const row of rows) {
      const { seq, lane } = row.event;
      const marks = judge(row, graph);
      const raw = marks === null ? null : Object.freeze({ ...row, ...marks });
      changesOf(lanes, laneKey(lane)).set(seq, raw);
      changesOf(roots, lane.isolation).set(seq, raw?.under === null ? raw : null);
    }
    for (const [key, changes] of lanes) apply(this.#byLane, key, changes);
    for (const [key, changes] of roots) apply(this.#atRoot, key, changes);
  }
}

function listOf<Key>(lists: Map<Key, RawEvent[]>, key: Key): RawEvent[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: RawEvent[] = [];
  lists.set(key, list);
  return list;
}

function changesOf<Key>(changes: Map<Key, Changes>, key: Key): Changes {
  const known = changes.get(key);
  if (known !== undefined) return known;
  const none: Changes = new Map();
  changes.set(key, none);
  return none;
}

/** Writes changes into a list: what goes is cut out run by run, which a window mostly is one of. */
function apply<Key>(lists: Map<Key, RawEvent[]>, key: Key, changes: Changes): void {
  const list = listOf(lists, key);
  const added: RawEvent[] = [];
  const gone: number[] = [];
  for (const [seq, raw] of changes) {
    const at = indexOf(list, seq);
    const isThere = list[at]?.event.seq === seq;
    if (raw === null) {
      if (isThere) gone.push(at);
    } else if (isThere) {
      list[at] = raw;
    } else {
      added.push(raw);
    }
  }
  gone.sort((a, b) => a - b);
  for (let end = gone.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && gone[start - 1] === (gone[start] as number) - 1) start -= 1;
    list.splice(gone[start] as number, end - start);
    end = start;
  }
  if (added.length > 0)
    lists.set(
      key,
      [...list, ...added].sort((a, b) => a.event.seq - b.event.seq),
    );
}

/** Where in a list the first event stands that is not before a seq. */
function indexOf(list: readonly RawEvent[], seq: Seq): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as RawEvent).event.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
