import type { CompactionOutcome } from '../../src/engine/outcome.ts';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session, Turn } from '../../src/engine/session.ts';
import type { EventDraft, StoredEvent } from '../../src/event/event.ts';
import type { IdSource, SessionKey } from '../../src/event/ids.ts';
import type { Lane } from '../../src/event/lane.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import type { TokenCounter } from '../../src/tokens/token-counter.ts';
import { exchangesOf, type Owed } from '../model/exchanges.ts';
import { marksIn, sayingOfParts } from '../model/marks.ts';
import { ModelRecords } from '../model/records.ts';
import { laneName, opensTurn, readersOf, type Told } from '../model/told.ts';
import { ModelTurns } from '../model/turns.ts';
import { countingTexts } from './counting.ts';
import { laneNamed } from './drafts.ts';
import { ManualTimers } from './manual-timers.ts';
import type { Operation, Raced } from './operations.ts';
import { racingStore } from './racing-store.ts';
import { ScriptedSummarizer } from './scripted-summarizer.ts';

/** What a world is made with. */
export interface WorldSettings {
  /** Of the sliding window; null: only manual compactions. */
  readonly interval: number | null;
  readonly overlap: number;
  readonly minimumTokens: number;
  /** The most a summarizer's call takes; null: no bound. */
  readonly callLimit: number | null;
}

/** What the store of a world is made with. */
export interface StoreOptions {
  readonly counter: TokenCounter;
  readonly clock: () => number;
  readonly ids: IdSource;
}

/** Makes the store a world lives in. */
export type MakeStore = (options: StoreOptions) => Promise<SessionStore>;

/** A clock that stands still until it is moved. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now: number;
}

/** A turn somebody holds: through the process under test, and through another one on the same store. */
export interface HeldTurn {
  readonly mine: Turn;
  readonly others: Turn;
}

/** What the model knows of the session. */
export interface Knowledge {
  session: Session;
  /** Another process at work on the same session. */
  other: Session;
  events: readonly Told[];
  /** What each event was when it was stored, to the byte. */
  written: readonly string[];
  pinned: ReadonlySet<number>;
  turns: ModelTurns;
  held: readonly HeldTurn[];
  /** Records that came along with a fork: nobody here attempted them. */
  inherited: ReadonlySet<string>;
}

/** A lease of a turn, in milliseconds; the policy's default. */
const TURN_LEASE = 600_000;

/**
 * One session and a model kept beside it. What the model knows comes from what was handed in and what came back, never
 * from the store.
 */
export class World {
  readonly settings: WorldSettings;
  readonly clock: Clock;
  readonly summarizer: ScriptedSummarizer;
  readonly timers: ManualTimers = new ManualTimers();
  /** The store without anything in between. */
  readonly store: SessionStore;
  know: Knowledge;
  /** The mark each event says, by its seq. */
  readonly marks = new Map<number, string>();
  readonly outcomes: CompactionOutcome[] = [];
  /** Whether something happened after which windows may rightly be left alone. */
  disturbed = false;
  /** Whether a lease may have run out while its holder was at work. */
  overslept = false;
  /** Whether what happens now happens while the engine waits. */
  inBetween = false;
  /** Lets one thing happen; set by who can. */
  perform: (operation: Operation) => Promise<void> = async () => undefined;
  /** Called after each thing that happened in between. */
  onRaced: () => Promise<void> = async () => undefined;
  readonly #mine: Palimpsest;
  readonly #others: Palimpsest;
  readonly #nextFresh = countingTexts('', 1);
  readonly #nextMark = countingTexts('', 1);
  #raced: Raced[] = [];
  #countdown = 0;

  constructor(settings: WorldSettings, clock: Clock, store: SessionStore) {
    this.settings = settings;
    this.clock = clock;
    this.store = store;
    const { callLimit, interval, overlap, minimumTokens } = settings;
    this.summarizer = new ScriptedSummarizer(
      callLimit === null ? {} : { maxTranscriptCodePoints: callLimit },
    );
    const between = (): Promise<void> => this.#between();
    this.summarizer.whileThinking = between;
    const policy = {
      summarizer: this.summarizer,
      minimumTokens,
      setTimer: this.timers.set,
      nonce: countingTexts('f', 15),
      ...(interval === null ? {} : { sliding: { interval, overlap } }),
    };
    this.#mine = new Palimpsest({ ...policy, store: racingStore(this.store, between), holder: 'mine' });
    this.#others = new Palimpsest({ ...policy, store: this.store, holder: 'other' });
    const key = { app: 'app', user: 'user', session: 's1' };
    this.know = {
      session: this.#mine.session(key),
      other: this.otherSession(key),
      events: [],
      written: [],
      pinned: new Set(),
      turns: new ModelTurns(() => clock.now),
      held: [],
      inherited: new Set(),
    };
  }

  /** Whoever acts now: the process under test, or the other one. */
  get session(): Session {
    return this.inBetween ? this.know.other : this.know.session;
  }

  otherSession(key: SessionKey): Session {
    return this.#others.session(key);
  }

  lane(index: number): Lane {
    return laneNamed(index, this.#nextFresh);
  }

  mark(): string {
    return `k${this.#nextMark()}k`;
  }

  owed(): readonly Owed[] {
    return exchangesOf(this.know.events).owed;
  }

  /** The records as they are now, for the oracle. */
  async records(): Promise<ModelRecords> {
    const { events, session } = this.know;
    return new ModelRecords(events.length === 0 ? [] : await this.store.records(session.key), events);
  }

  /** Every reader's entries, as text. */
  async promptTexts(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const lane of readersOf(this.know.events)) {
      const { entries, accounting } = await this.know.other.prompt({ reader: { agent: '', lane } });
      texts.set(laneName(lane), JSON.stringify([entries, accounting]));
    }
    return texts;
  }

  async begin(lane: Lane, id?: string): Promise<HeldTurn> {
    const mine = await this.know.session.begin(id === undefined ? { lane } : { id, lane });
    this.know.turns.begin(mine.invocation, TURN_LEASE);
    const others = await this.know.other.begin({ id: mine.invocation, lane });
    return { mine, others };
  }

  /** Appends to a turn. */
  async tell(turn: HeldTurn, lane: Lane, draft: EventDraft): Promise<void> {
    const placed = { ...draft, lane };
    const stored = await (this.inBetween ? turn.others : turn.mine).append(placed);
    this.hear(placed, stored[0], true);
  }

  /** Takes what was stored into the model. */
  hear(draft: EventDraft, stored: StoredEvent | undefined, running: boolean): void {
    const { know } = this;
    const seq = know.events.length + 1;
    if (stored?.seq !== seq) throw new Error(`seq ${stored?.seq} after ${seq - 1}`);
    know.events = [...know.events, { seq, draft, stored }];
    know.written = [...know.written, JSON.stringify(stored)];
    const mark = marksIn(sayingOfParts(stored.content))[0];
    if (mark !== undefined) this.marks.set(seq, mark);
    know.turns.heard(stored.invocation, seq, opensTurn(stored), running, TURN_LEASE);
    // Whoever joins a pinned exchange is pinned.
    const exchanges = exchangesOf(know.events);
    if (exchanges.members(seq).some((member) => know.pinned.has(member)))
      know.pinned = new Set([...know.pinned, ...exchanges.members(seq)]);
  }

  /** Ends a turn, and waits for what that sets off; `race` happens meanwhile. */
  async end(
    turn: HeldTurn,
    state: 'ended' | 'failed' | 'cancelled',
    race: readonly Raced[] = [],
  ): Promise<void> {
    const { session } = this;
    const handle = this.inBetween ? turn.others : turn.mine;
    await handle.end(state);
    this.know.turns.end(handle.invocation, state);
    this.outcomes.push(...(await this.racing(race, () => session.idle())));
  }

  /** Does something of the engine's while other things happen. */
  async racing<Value>(race: readonly Raced[], work: () => Promise<Value>): Promise<Value> {
    if (this.inBetween) return work();
    if (race.length > 0) this.disturbed = true;
    this.#raced = [...race];
    this.#countdown = race[0]?.after ?? 0;
    try {
      return await work();
    } finally {
      this.#raced = [];
    }
  }

  /** One of the engine's awaits: perhaps something happens in it. */
  async #between(): Promise<void> {
    const next = this.#raced[0];
    if (next === undefined || this.inBetween) return;
    this.#countdown -= 1;
    if (this.#countdown >= 0) return;
    this.#raced = this.#raced.slice(1);
    this.#countdown = this.#raced[0]?.after ?? 0;
    this.inBetween = true;
    try {
      await this.perform(next.operation);
      await this.onRaced();
    } finally {
      this.inBetween = false;
    }
  }
}
