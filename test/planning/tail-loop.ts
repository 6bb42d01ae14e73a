import type { EventDraft } from '../../src/event/event.ts';
import type { InvocationId } from '../../src/event/ids.ts';
import { type Lane, ROOT_LANE } from '../../src/event/lane.ts';
import type { Attempt, Measured } from '../../src/plan/attempt.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { progressIn } from '../../src/plan/progress.ts';
import { newestMeasured, promptSignal } from '../../src/plan/signal.ts';
import { coverableTail, planTail, type TailPolicy } from '../../src/plan/tail.ts';
import {
  isOverLimit,
  promptAfterLast,
  type TailThreshold,
  tailTrigger,
} from '../../src/plan/tail-trigger.ts';
import { assemblePrompt } from '../../src/prompt/assemble.ts';
import { carryOut, type Fate } from './carry-out.ts';
import { saidCounter, sized } from './said-counter.ts';
import { Scene } from './scene.ts';

/** How a loop is set up; tokens throughout. */
export interface LoopSettings {
  readonly threshold: TailThreshold;
  readonly policy: TailPolicy;
  readonly inputLimit?: number;
  /** The true overhead of every request, which the provider reports. */
  readonly overhead?: number;
  /** What comes of the n-th call of the summarizer. */
  readonly fate?: (call: number, attempt: { readonly tokens: number }) => Fate;
}

/** An agent over a real store that compacts before each model call by the planning alone: no engine, no summarizer. */
export class TailLoop extends Scene {
  readonly #settings: LoopSettings;
  /** Tokens of each window the summarizer was asked for. */
  readonly asked: number[] = [];
  /** The true size of each request, as sent. */
  readonly sent: number[] = [];
  #turn = 0;

  constructor(settings: LoopSettings) {
    super(saidCounter);
    this.#settings = settings;
  }

  /** Begins a turn with a question of so many tokens. */
  async begin(tokens: number, lane: Lane = ROOT_LANE): Promise<InvocationId> {
    this.#turn += 1;
    const { id } = await this.store.beginInvocation(this.key, {
      id: `turn-${this.#turn}`,
      lane,
      leaseMilliseconds: 1e9,
    });
    await this.add({ invocation: id, lane, role: 'user', content: sized(tokens - 6, `q${this.#turn}`) });
    return id;
  }

  async end(turn: InvocationId): Promise<void> {
    await this.store.endInvocation(this.key, turn, 'ended');
  }

  /** A model call that calls a tool: prepares the prompt, and appends the reply, usage told, and the result. */
  async step(turn: InvocationId, reply: number, result: number, lane: Lane = ROOT_LANE): Promise<void> {
    await this.prepare(lane);
    const inputTokens = this.sent.at(-1) ?? 0;
    const { revision } = await this.store.view(this.key, lane, 'reader');
    const id = `c${this.sent.length}`;
    const call: EventDraft = {
      invocation: turn,
      lane,
      author: 'a',
      role: 'assistant',
      content: [
        { type: 'text', text: sized(Math.max(1, reply - 14), id) },
        { type: 'toolCall', id, name: 'run', input: { json: {} } },
      ],
      usage: { inputTokens, promptRevision: revision },
    };
    await this.add(call, {
      invocation: turn,
      lane,
      role: 'tool',
      content: [
        {
          type: 'toolResult',
          id,
          output: { parts: [{ type: 'text', text: sized(Math.max(1, result - 10)) }] },
        },
      ],
    });
  }

  /** Compacts as the policy says, then notes the request's size. */
  async prepare(lane: Lane = ROOT_LANE): Promise<void> {
    const { threshold, policy, inputLimit = null, overhead = 0 } = this.#settings;
    let failed: boolean = false;
    for (;;) {
      const view = await this.store.view(this.key, lane, 'reader');
      const reader = { agent: 'a', lane };
      const storedTokens = assemblePrompt(view, reader, saidCounter).accounting.promptTokens;
      const attempts = await this.store.attempts(this.key);
      const learned = newestMeasured(view, 'a', attempts);
      const signal = promptSignal({ view, agent: 'a', storedTokens, overheadTokens: 0, learned });
      const decision = tailTrigger(threshold, {
        signal,
        inputLimit,
        coverableTokens: coverableTail(view, policy.keep),
        minimumTokens: policy.minimumTokens,
        afterLast: promptAfterLast(view, 'a', signal, attempts),
        cacheIsCold: false,
      });
      const pressure = isOverLimit(signal.promptTokens, inputLimit);
      const plan: Plan | undefined =
        decision === 'act' && !failed
          ? planTail(view, policy, progressIn(attempts), { pressure })
          : undefined;
      if (plan === undefined || plan.kind === 'nothing') {
        this.sent.push(storedTokens + overhead);
        return;
      }
      this.asked.push(plan.window.tokens);
      const fate: Fate = this.#settings.fate?.(this.asked.length, plan.window) ?? {
        kind: 'summary',
        tokens: 60,
      };
      const { from: _from, ...measured } = signal;
      await carryOut(this, plan, fate, { agent: 'a', ...measured } satisfies Measured);
      failed = fate.kind === 'failed';
    }
  }

  attempts(): Promise<readonly Attempt[]> {
    return this.store.attempts(this.key);
  }
}
