import type { RawEvent, View } from '../coverage/view.ts';
import { exchangeStanding, PARKED_AFTER } from '../event/exchange-standing.ts';
import type { LaneKey, RecordId, Seq } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import { laneKey, sameLane } from '../event/lane.ts';
import type { ExchangeId } from '../event/obligation.ts';

/** Why an exchange is not covered now. Held back exchanges are holes in a window, not walls. */
export type HeldBack =
  /** A person or the application keeps it raw. */
  | 'pinned'
  /** It is the question a running invocation was opened with. */
  | 'question'
  /** It is owed something that may still come. */
  | 'open'
  /** It is the application's instructions. */
  | 'system';

/** The raw events of one exchange that are covered together or not at all. */
export interface Unit {
  readonly exchange: ExchangeId;
  /** In seq order; never empty. */
  readonly events: readonly RawEvent[];
  readonly lane: LaneKey;
  /** The live root view they lie in, for windows of a lane. */
  readonly under: RecordId | null;
  readonly held: HeldBack | null;
  /** The invocation the exchange belongs to: its newest event's. */
  readonly invocation: Invocation | undefined;
}

/**
 * The raw events of a view as units, in the order of their first events. With `apart`, an exchange split over lanes or
 * over the edge of a root view is a unit a side: it is covered lane by lane. Without, it is one unit, and only the
 * view's own lane has instructions: to the root, those of a branch are what somebody else was told. `parkedAfter` is
 * {@link exchangeStanding}'s.
 */
export function unitsOf(view: View, apart: boolean, parkedAfter: number = PARKED_AFTER): readonly Unit[] {
  const questions = openQuestions(view);
  const newestSystem = newestOfEachText(view);
  const groups = new Map<string, RawEvent[]>();
  for (const row of view.raw) {
    const key = apart
      ? `${row.exchange}\u0000${row.under ?? ''}\u0000${laneKey(row.event.lane)}`
      : String(row.exchange);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  const units: Unit[] = [];
  const holding = new Map<ExchangeId, HeldBack | null>();
  for (const events of groups.values()) {
    const first = events[0] as RawEvent;
    const { exchange } = first;
    let held = holding.get(exchange);
    if (held === undefined) {
      held = whyHeld(view, exchange, questions, parkedAfter);
      holding.set(exchange, held);
    }
    const system =
      held === null &&
      events.some(
        (row) => (apart || sameLane(row.event.lane, view.lane)) && isInstruction(row, view, newestSystem),
      );
    const known = view.exchanges.get(exchange);
    units.push({
      exchange,
      events,
      lane: laneKey(first.event.lane),
      under: first.under,
      held: system ? 'system' : held,
      invocation: known === undefined ? undefined : view.invocations.get(known.invocation),
    });
  }
  return units;
}

/** Stored tokens of units. */
export function tokensOf(units: readonly Unit[]): number {
  let tokens = 0;
  for (const unit of units) for (const row of unit.events) tokens += row.event.tokens;
  return tokens;
}

function whyHeld(
  view: View,
  id: ExchangeId,
  questions: ReadonlySet<Seq>,
  parkedAfter: number,
): HeldBack | null {
  const exchange = view.exchanges.get(id);
  // What is not known is not covered: doubt leaves an event raw.
  if (exchange === undefined) return 'open';
  if (exchange.pinned) return 'pinned';
  if (exchange.members.some((seq) => questions.has(seq))) return 'question';
  return exchangeStanding(exchange, view, parkedAfter) === 'open' ? 'open' : null;
}

function openQuestions(view: View): ReadonlySet<Seq> {
  const seqs = new Set<Seq>();
  for (const invocation of view.invocations.values()) {
    if (invocation.state === 'running' && invocation.openedBy !== null) seqs.add(invocation.openedBy);
  }
  return seqs;
}

/** The newest raw system event of each text in each lane; the newest of all is never covered, so it is among the raw. */
function newestOfEachText(view: View): ReadonlySet<Seq> {
  const newest = new Map<string, Seq>();
  for (const { event } of view.raw) {
    if (event.role === 'system')
      newest.set(`${laneKey(event.lane)}\u0000${JSON.stringify(event.content)}`, event.seq);
  }
  return new Set(newest.values());
}

/** System events are held back: all before the first user event of their lane, and of each text the newest. */
function isInstruction(row: RawEvent, view: View, newest: ReadonlySet<Seq>): boolean {
  if (row.event.role !== 'system') return false;
  const firstUser = view.lanes.get(laneKey(row.event.lane))?.firstUserSeq ?? null;
  return (firstUser !== null && row.event.seq < firstUser) || newest.has(row.event.seq);
}
