import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { Usage } from '../../src/event/event.ts';
import type { Attempt, Measured } from '../../src/plan/attempt.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Scene } from './scene.ts';

type WindowPlan = Extract<Plan, { readonly kind: 'window' }>;

/** What came of asking for a summary: one of so many tokens, or why there is none. */
export type Fate =
  | { readonly kind: 'summary'; readonly tokens: number; readonly usage?: Usage }
  | { readonly kind: 'failed' | 'declined'; readonly reason: string };

/** Carries a plan out against the store, with nobody asked. */
export async function carryOut(
  scene: Scene,
  plan: Plan,
  fate: Fate,
  measured?: Measured,
): Promise<CompactionRecord | Attempt> {
  if (plan.kind === 'nothing') throw new Error(`nothing to carry out: ${plan.reason}`);
  const { window, basis, strategy } = plan;
  const lease = await scene.store.takeLease(scene.key, {
    lane: window.lane,
    rootView: window.rootView,
    trigger: strategy,
    window: {
      spans: window.spans,
      events: window.events.length,
      tokens: window.tokens,
      invocations: window.invocations,
    },
    ...(measured === undefined ? {} : { measured }),
    revision: basis.revision,
    holder: 'test',
    milliseconds: 1_000,
  });
  if (!lease.taken) throw new Error('the lane is busy');
  if (fate.kind !== 'summary') {
    return scene.store.endAttempt(scene.key, lease.attempt.id, { state: fate.kind, reason: fate.reason });
  }
  return scene.store.commit(scene.key, lease.attempt.id, draftOf(plan, fate));
}

function draftOf(
  { window, basis, strategy }: WindowPlan,
  fate: Extract<Fate, { readonly kind: 'summary' }>,
): Parameters<Scene['store']['commit']>[2] {
  return {
    lane: window.lane,
    rootView: window.rootView,
    spans: window.spans,
    context: [],
    supersedes: window.supersedes,
    over: window.over,
    summary: { format: 'prose', text: 'what was said', literals: [] },
    literals: { found: 0, kept: 0 },
    nonce: '0123456789abcdef',
    strategy,
    basis,
    model: { summarizer: 'test' },
    fingerprint: '0'.repeat(64),
    ...(fate.usage === undefined ? {} : { usage: fate.usage }),
    tokens: { covered: window.tokens, summary: fate.tokens },
    members: window.events.length,
  };
}
