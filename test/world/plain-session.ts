import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Policy } from '../../src/engine/policy.ts';
import type { Session, SlidingWindow, Turn } from '../../src/engine/session.ts';
import type { Lane } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { quarterCounter } from './characters.ts';
import { countingTexts } from './counting.ts';
import { ManualTimers } from './manual-timers.ts';
import { ScriptedSummarizer } from './scripted-summarizer.ts';

/** What a plain session is made of. */
export interface PlainSettings {
  readonly sliding?: SlidingWindow;
  readonly minimumTokens?: number;
  /** All else of its policy. */
  readonly policy?: Policy;
  readonly session?: string;
}

/** A session over a memory store with everything injected: no clock, no randomness, no waiting. */
export class Plain {
  now = Date.UTC(2026, 0, 1);
  readonly store: MemoryStore;
  readonly summarizer = new ScriptedSummarizer();
  readonly timers: ManualTimers = new ManualTimers();
  readonly palimpsest: Palimpsest;
  readonly session: Session;
  readonly #nextMark = countingTexts('', 1);

  constructor(settings: PlainSettings = {}) {
    this.store = new MemoryStore({
      counter: quarterCounter,
      clock: () => this.now,
      ids: countingTexts('id', 6),
    });
    this.palimpsest = new Palimpsest({
      store: this.store,
      ...settings.policy,
      summarizer: this.summarizer,
      clock: () => this.now,
      minimumTokens: settings.minimumTokens ?? 1,
      setTimer: this.timers.set,
      nonce: countingTexts('f', 15),
      ...(settings.sliding === undefined ? {} : { sliding: settings.sliding }),
    });
    this.session = this.palimpsest.session({ app: 'app', user: 'user', session: settings.session ?? 's' });
  }

  /** A text of about so many tokens with a mark nobody else says. */
  text(tokens = 60): string {
    return `k${this.#nextMark()}k ${'lorem '.repeat(Math.ceil((tokens * 4) / 6))}`;
  }

  /** A turn: question, what `middle` does, answer; it ends, and what that sets off is done. */
  async turn(
    lane: Lane = ROOT,
    middle: (turn: Turn) => Promise<void> = async () => undefined,
  ): Promise<Turn> {
    const turn = await this.session.begin({ lane });
    await turn.append({ role: 'user', content: this.text() });
    await middle(turn);
    await turn.append({ role: 'assistant', content: this.text() });
    await turn.end();
    await this.session.idle();
    return turn;
  }

  /** How many raw events, and tokens of them, a reader's prompt has. */
  async raw(lane: Lane = ROOT): Promise<{ readonly events: number; readonly tokens: number }> {
    return (await this.session.prompt({ reader: { agent: '', lane } })).accounting.raw;
  }
}

/** The root lane. */
export const ROOT: Lane = { branch: '', isolation: '' };

/** A branch of the main conversation. */
export function branch(name: string): Lane {
  return { branch: name, isolation: '' };
}

/** The root branch of an isolation. */
export function isolated(isolation: string): Lane {
  return { branch: '', isolation };
}
