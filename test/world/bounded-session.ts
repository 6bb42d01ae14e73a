import { policy } from '../../src/engine/bounded-policy.ts';
import type { CompactionOutcome } from '../../src/engine/outcome.ts';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Prepared, Session, SlidingWindow, Turn } from '../../src/engine/session.ts';
import { ContextLimitError } from '../../src/event/errors.ts';
import type { EventDraft, StoredEvent } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { exchangesOf } from '../model/exchanges.ts';
import { opensTurn, type Told } from '../model/told.ts';
import { ModelTurns } from '../model/turns.ts';
import { quarterCounter } from './characters.ts';
import { countingTexts } from './counting.ts';
import { ManualTimers } from './manual-timers.ts';
import { ScriptedSummarizer } from './scripted-summarizer.ts';

/** What a bounded session is made with. */
export interface BoundedSettings {
  /** The most tokens a request may take. */
  readonly inputLimit: number;
  readonly overheadTokens: number;
  readonly sliding: SlidingWindow | null;
  /** Of the tokens a summary may take, the share its summarizer uses. */
  readonly wordiness: number;
}

/** What one preparation came to. */
export interface Preparation {
  readonly reader: Lane;
  readonly result: Prepared | ContextLimitError;
  /** Calls of the summarizer it made. */
  readonly calls: number;
}

/** A lease of a turn, in milliseconds; the policy's default. */
const TURN_LEASE = 600_000;

/** A session under the bounded policy, and what was said in it, kept beside the store and never read from it. */
export class BoundedSession {
  now = Date.UTC(2026, 0, 1);
  readonly settings: BoundedSettings;
  readonly store: MemoryStore;
  readonly summarizer = new ScriptedSummarizer();
  readonly session: Session;
  readonly turns: ModelTurns;
  readonly outcomes: CompactionOutcome[] = [];
  events: readonly Told[] = [];
  pinned: ReadonlySet<number> = new Set();
  readonly #nextMark = countingTexts('', 1);

  constructor(settings: BoundedSettings) {
    this.settings = settings;
    this.turns = new ModelTurns(() => this.now);
    this.store = new MemoryStore({
      counter: quarterCounter,
      clock: () => this.now,
      ids: countingTexts('id', 6),
    });
    const { inputLimit, overheadTokens, sliding, wordiness } = settings;
    this.summarizer.behaviour = ({ maxSummaryTokens }) => {
      const number = `#${this.summarizer.requests.length} `;
      const characters = Math.floor(maxSummaryTokens * wordiness) * 4;
      const content = number
        .padEnd(Math.max(number.length, characters), 'ipsum ')
        .slice(0, maxSummaryTokens * 4);
      return { kind: 'summary', content, finish: 'stop' };
    };
    const palimpsest = new Palimpsest({
      ...policy.bounded({
        contextLimit: { maxInput: inputLimit + 1, margin: 1 },
        overheadTokens,
        ...(sliding === null ? {} : { sliding }),
      }),
      store: this.store,
      summarizer: this.summarizer,
      literals: false,
      setTimer: new ManualTimers().set,
      nonce: countingTexts('f', 15),
    });
    this.session = palimpsest.session({ app: 'app', user: 'user', session: 's' });
  }

  get minimumTokens(): number {
    return 300;
  }

  /** A text of so many tokens that nobody else says; nothing at all for none. */
  text(tokens: number): string {
    return tokens === 0 ? '' : `k${this.#nextMark()}k `.padEnd(tokens * 4, 'lorem ');
  }

  mark(): string {
    return this.#nextMark();
  }

  async begin(lane: Lane): Promise<Turn> {
    const turn = await this.session.begin({ lane });
    this.turns.begin(turn.invocation, TURN_LEASE);
    return turn;
  }

  async tell(turn: Turn, lane: Lane, ...drafts: readonly EventDraft[]): Promise<void> {
    const placed = drafts.map((draft) => ({ ...draft, lane }));
    this.#hear(placed, await turn.append(...placed), true);
  }

  /** Appends outside any turn, as an import does. */
  async outside(drafts: readonly EventDraft[]): Promise<void> {
    this.#hear(drafts, await this.session.append(drafts), false);
  }

  async pin(seq: number): Promise<void> {
    this.pinned = new Set([...this.pinned, ...(await this.session.pin(seq))]);
  }

  async end(turn: Turn, state: 'ended' | 'failed' | 'cancelled'): Promise<void> {
    await turn.end(state);
    this.turns.end(turn.invocation, state);
    this.outcomes.push(...(await this.session.idle()));
  }

  /** What precedes a call of the model. */
  async prepare(reader: Lane): Promise<Preparation> {
    const before = this.summarizer.requests.length;
    const made = async (): Promise<Prepared | ContextLimitError> => {
      try {
        return await this.session.prepare({ reader: { agent: 'agent', lane: reader }, cacheIsCold: false });
      } catch (error) {
        if (error instanceof ContextLimitError) return error;
        throw error;
      }
    };
    const result = await made();
    if (!(result instanceof ContextLimitError)) this.outcomes.push(...result.outcomes);
    return { reader, result, calls: this.summarizer.requests.length - before };
  }

  #hear(drafts: readonly EventDraft[], stored: readonly StoredEvent[], running: boolean): void {
    for (const [index, event] of stored.entries()) {
      const seq = this.events.length + 1;
      if (event.seq !== seq) throw new Error(`seq ${event.seq} after ${seq - 1}`);
      this.events = [...this.events, { seq, draft: drafts[index] as EventDraft, stored: event }];
      this.turns.heard(event.invocation, seq, opensTurn(event), running, TURN_LEASE);
    }
    if (this.pinned.size === 0) return;
    // Whoever joins a pinned exchange is pinned.
    const exchanges = exchangesOf(this.events);
    this.pinned = new Set([...this.pinned].flatMap((seq) => exchanges.members(seq)));
  }
}
