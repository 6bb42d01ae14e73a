import { policy } from '../../src/engine/bounded-policy.ts';
import type { Policy } from '../../src/engine/policy.ts';
import type { CompactOptions } from '../../src/engine/session.ts';
import type { TailRetention } from '../../src/plan/check-retention.ts';
import type { Workload } from './workloads.ts';

/** One way to set the engine up. */
export interface Candidate {
  readonly name: string;
  /** What it is compared as: the best of the swept ones is what the default is held against. */
  readonly kind: 'default' | 'swept' | 'other';
  readonly settings: Policy;
  /** Given: asked for after each turn, too. */
  readonly compactAfter?: CompactOptions;
  /** The share of turns that begin with a cold cache, and whether the engine is told. Missing: none. */
  readonly cold?: { readonly share: number; readonly told: boolean };
}

/** What the models of the price model take. */
const CONTEXT_LIMIT = 200_000;

/** The default policy, fixed ones at its kept tail and roll-up, and what people do otherwise. */
export function candidates({ systemTokens }: Workload, short: boolean): readonly Candidate[] {
  const settings = policy.bounded({ contextLimit: CONTEXT_LIMIT, overheadTokens: systemTokens });
  const { tail, ...without } = settings;
  if (tail === undefined) throw new Error('the default policy keeps a tail');
  const triggered = (trigger: TailRetention['trigger']): Policy => ({
    ...without,
    tail: { keep: tail.keep, trigger },
  });
  const growths = short ? [1, 8, 32] : [1, 2, 4, 6, 8, 11, 16, 22, 32, 64, 128];
  const intervals = short ? [1, 20] : [1, 2, 5, 10, 20, 50, 100];
  return [
    { name: 'default', kind: 'default', settings },
    ...growths.map(
      (thousands): Candidate => ({
        name: `growth ${thousands}k${thousands === 128 ? ' (wait for 128k)' : ''}`,
        kind: 'swept',
        settings: triggered({ growth: thousands * 1_000 }),
      }),
    ),
    ...intervals.map(
      (interval): Candidate => ({
        name: `interval ${interval}${interval === 1 ? ' (every turn)' : ''}`,
        kind: 'swept',
        settings: without,
        compactAfter: { sliding: { interval }, keep: tail.keep },
      }),
    ),
    {
      name: 'rolling, interval 10, no tail',
      kind: 'other',
      settings: { sliding: { interval: 10 }, rollUp: { maxLive: 1 } },
    },
    ...[false, true].map(
      (told): Candidate => ({
        name: `default, 1 turn in 20 cold, ${told ? 'told' : 'not told'}`,
        kind: 'other',
        settings,
        cold: { share: 0.05, told },
      }),
    ),
  ];
}
