import type { Exchanges, Owed } from './exchanges.ts';
import { oneLane, type Told } from './told.ts';
import type { ModelTurns } from './turns.ts';

/** Later turns after which something owed is no longer waited for. */
const PARKED_AFTER = 8;

/** Whether a call will never be answered. */
export function isDeadCall(call: Owed, siblings: readonly Owed[], turns: ModelTurns): boolean {
  if (call.kind !== 'call' || call.longRunning || call.answeredBy !== null) return false;
  if (!turns.isOver(call.invocation)) return false;
  return !siblings.some(
    (ask) => ask.kind === 'ask' && ask.answeredBy === null && (ask.about === call.id || ask.about === ''),
  );
}

/** What is owed in the exchange of an event, open or not. */
export function owedIn(exchanges: Exchanges, seq: number): readonly Owed[] {
  const group = exchanges.groupOf(seq);
  return exchanges.owed.filter((entry) => exchanges.groupOf(entry.seq) === group);
}

/** Whether an exchange is held back because an answer may still come. */
export function isHeldOpen(
  exchanges: Exchanges,
  seq: number,
  turns: ModelTurns,
  parkedAfter: number = PARKED_AFTER,
): boolean {
  const owed = owedIn(exchanges, seq);
  return owed.some((entry) => {
    if (entry.answeredBy !== null || isDeadCall(entry, owed, turns)) return false;
    const turn = turns.get(entry.invocation);
    if (turn === undefined) return true;
    const parked = turns.count - turn.ordinal >= parkedAfter;
    const mayBeParked = entry.kind === 'ask' || entry.longRunning || turns.isOver(entry.invocation);
    return !(parked && mayBeParked);
  });
}

/** What planning must hold back, and the turn each exchange belongs to. */
export class Standing {
  readonly #events: readonly Told[];
  readonly #exchanges: Exchanges;
  readonly #turns: ModelTurns;
  readonly #pinned: ReadonlySet<number>;

  constructor(events: readonly Told[], exchanges: Exchanges, turns: ModelTurns, pinned: ReadonlySet<number>) {
    this.#events = events;
    this.#exchanges = exchanges;
    this.#turns = turns;
    this.#pinned = pinned;
  }

  /** Why an event may not be covered now; null when it may. Under pressure what lasts is waited for no longer. */
  heldBack(
    seq: number,
    raw: ReadonlySet<number>,
    pressure = false,
  ): 'pinned' | 'question' | 'open' | 'system' | null {
    const members = this.#exchanges.members(seq);
    if (members.some((member) => this.#pinned.has(member))) return 'pinned';
    const questions = new Set(
      this.#turns
        .all()
        .filter((turn) => this.#turns.state(turn.id) === 'running')
        .map((turn) => turn.openedBy),
    );
    if (members.some((member) => questions.has(member))) return 'question';
    if (isHeldOpen(this.#exchanges, seq, this.#turns, pressure ? 0 : PARKED_AFTER)) return 'open';
    return members.some((member) => raw.has(member) && this.#isInstruction(member)) ? 'system' : null;
  }

  /** The turn an event's exchange belongs to: its newest event's. */
  turnOf(seq: number): string {
    const newest = Math.max(...this.#exchanges.members(seq));
    return this.#events[newest - 1]?.stored.invocation ?? '';
  }

  #isInstruction(seq: number): boolean {
    const event = this.#events[seq - 1]?.stored;
    if (event?.role !== 'system') return false;
    const inLane = this.#events.filter(({ stored }) => oneLane(stored.lane, event.lane));
    const firstUser = inLane.find(({ stored }) => stored.role === 'user');
    if (firstUser !== undefined && seq < firstUser.seq) return true;
    const text = JSON.stringify(event.content);
    return !inLane.some(
      ({ stored }) => stored.role === 'system' && stored.seq > seq && JSON.stringify(stored.content) === text,
    );
  }
}
