import type { EventDraft } from '../../src/event/event.ts';
import type { SessionKey } from '../../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { TokenCounter } from '../../src/tokens/token-counter.ts';

/** A memory store whose clock is moved by hand, and short ways to fill it. */
export class Scene {
  now = 1_000_000;
  readonly key: SessionKey = { app: 'a', user: 'u', session: 's' };
  readonly store: MemoryStore;

  constructor(counter?: TokenCounter) {
    this.store = new MemoryStore({
      clock: () => this.now,
      ...(counter === undefined ? {} : { counter }),
    });
  }

  /** A turn that is over: a question and an answer of about `tokens` tokens in all. */
  async turn(id: string, lane: Lane = ROOT_LANE, tokens = 400): Promise<void> {
    await this.add({ invocation: id, lane, role: 'user', content: words(`q-${id}`, tokens / 2) });
    await this.add({ invocation: id, lane, role: 'assistant', content: words(`a-${id}`, tokens / 2) });
  }

  async add(...drafts: EventDraft[]): Promise<number[]> {
    return (await this.store.append(this.key, drafts)).map((event) => event.seq);
  }

  /** An assistant's event that calls tools. */
  call(invocation: string, ids: readonly string[], more: Partial<EventDraft> = {}): EventDraft {
    const content = ids.map((id) => ({ type: 'toolCall' as const, id, name: 'run', input: { json: {} } }));
    return { invocation, role: 'assistant', content, ...more };
  }

  /** A tool's event that answers calls. */
  result(invocation: string, ids: readonly string[], more: Partial<EventDraft> = {}): EventDraft {
    const content = ids.map((id) => ({ type: 'toolResult' as const, id, output: { json: 'done' } }));
    return { invocation, role: 'tool', content, ...more };
  }
}

/** A text of about that many tokens by the estimate. */
export function words(word: string, tokens: number): string {
  return `${word} `.repeat(Math.max(1, Math.round(tokens / 2)));
}
