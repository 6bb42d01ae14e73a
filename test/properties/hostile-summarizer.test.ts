// G6: whatever a summarizer does, the turn has its answer, history is whole, and the ledger says why nothing came of it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CommitConflict,
  InvalidSummaryError,
  StoreError,
  type SummaryReason,
} from '../../src/event/errors.ts';
import type { SummaryResult } from '../../src/summary/summarizer.ts';
import { Plain, ROOT } from '../world/plain-session.ts';
import type { Behaviour } from '../world/scripted-summarizer.ts';

/** What JavaScript lets a summarizer return: anything. */
function anything(value: unknown): SummaryResult {
  return value as SummaryResult;
}

const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);
beforeEach(() => void process.on('unhandledRejection', onRejection));
afterEach(() => {
  process.off('unhandledRejection', onRejection);
  if (rejections.length > 0) throw new Error(`${rejections.splice(0).length} rejections nobody handled`);
});

/** The secret words of a summarizer's errors: none may reach the ledger. */
const SECRET = 'sk-live-what-the-user-said';

const cases: readonly (readonly [name: string, behaviour: Behaviour, state: string, reason: string])[] = [
  [
    'throws at once (F28, 38, trap 7)',
    () => {
      throw new Error(SECRET);
    },
    'failed',
    'threw',
  ],
  ['rejects (F43)', async () => Promise.reject(new Error(SECRET)), 'failed', 'threw'],
  [
    'rejects with a provider error',
    () => Promise.reject(Object.assign(new Error(SECRET), { statusCode: 429 })),
    'failed',
    'http_429',
  ],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  ['rejects with a text (trap 7)', () => Promise.reject(SECRET), 'failed', 'threw'],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  ['rejects with nothing', () => Promise.reject(undefined), 'failed', 'threw'],
  [
    'rejects with what throws when it is looked at',
    () =>
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      Promise.reject(
        new Proxy(
          {},
          {
            get() {
              throw new Error(SECRET);
            },
            has() {
              throw new Error(SECRET);
            },
            getPrototypeOf() {
              throw new Error(SECRET);
            },
          },
        ),
      ),
    'failed',
    'threw',
  ],
  [
    'rejects as if it had been cancelled (124)',
    () => Promise.reject(new DOMException(SECRET, 'AbortError')),
    'failed',
    'threw',
  ],
  [
    'throws a refusal in words of its own',
    () => Promise.reject(new InvalidSummaryError(SECRET as SummaryReason)),
    'failed',
    'invalid_summary',
  ],
  [
    'throws an error of this package with a code of its own',
    () => Promise.reject(Object.assign(new StoreError('append'), { code: SECRET })),
    'failed',
    'threw',
  ],
  [
    // Taken for a race it was asked again and again, nine times a turn.
    'throws what says that somebody was faster',
    () => Promise.reject(new CommitConflict('revision', SECRET)),
    'failed',
    'commit_conflict',
  ],
  ['returns nothing', () => anything(undefined), 'failed', 'invalid_summary:output_shape'],
  ['returns a text (59)', () => anything(SECRET), 'failed', 'invalid_summary:output_shape'],
  ['returns an error (38)', () => anything(new Error(SECRET)), 'failed', 'invalid_summary:output_shape'],
  [
    'returns a list',
    () => anything([{ kind: 'summary', content: SECRET }]),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'returns an empty summary (54, 58, 19)',
    () => ({ kind: 'summary', content: '' }),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'returns white space',
    () => ({ kind: 'summary', content: ' \n\u0085\u2003' }),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'returns only reasoning (58)',
    () => anything({ kind: 'summary', content: [{ type: 'reasoning', text: SECRET }] }),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'returns a tool call (116)',
    () => anything({ kind: 'summary', content: { type: 'toolCall', name: 'pay' } }),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'returns another kind',
    () => anything({ kind: 'record', content: SECRET }),
    'failed',
    'invalid_summary:output_shape',
  ],
  [
    'is cut off (113)',
    () => ({ kind: 'summary', content: SECRET, finish: 'length' }),
    'failed',
    'invalid_summary:finish',
  ],
  [
    'is filtered',
    () => ({ kind: 'summary', content: SECRET, finish: 'contentFilter' }),
    'failed',
    'invalid_summary:finish',
  ],
  [
    'finishes in a way nobody knows',
    () => anything({ kind: 'summary', content: SECRET, finish: 'eos' }),
    'failed',
    'invalid_summary:finish',
  ],
  [
    'reports usage that is none',
    () => anything({ kind: 'summary', content: SECRET, usage: { outputTokens: -1 } }),
    'failed',
    'invalid_summary:token_usage',
  ],
  [
    'reports no output',
    () => ({ kind: 'summary', content: SECRET, usage: { outputTokens: 0 } }),
    'failed',
    'invalid_summary:token_usage',
  ],
  [
    'writes more than it may',
    () => ({ kind: 'summary', content: `${SECRET} `.repeat(200) }),
    'failed',
    'invalid_summary:token_limit',
  ],
  [
    'writes more bytes than it may',
    () => ({ kind: 'summary', content: 'a'.repeat(300_000), usage: { outputTokens: 1 } }),
    'failed',
    'invalid_summary:byte_limit',
  ],
  [
    'says back what it was shown, and longer (63, F38)',
    (request) => ({
      kind: 'summary',
      content: JSON.stringify(request.events).repeat(3),
      usage: { outputTokens: 1 },
    }),
    'declined',
    'not_smaller',
  ],
  ['declines', () => ({ kind: 'declined', reason: 'too_little' }), 'declined', 'too_little'],
  ['declines in words of its own', () => ({ kind: 'declined', reason: SECRET }), 'declined', 'other'],
];

/** A compaction somebody asked for and then aborts. */
async function aborted(when: 'before' | 'during' | 'after') {
  const plain = new Plain();
  for (let turn = 0; turn < 3; turn += 1) await plain.turn();
  const controller = new AbortController();
  if (when === 'before') controller.abort(new Error(SECRET));
  plain.summarizer.behaviour = (_request, _call, written) => {
    if (when === 'during') controller.abort(new Error(SECRET));
    return { kind: 'summary', content: written };
  };
  const outcomes = await plain.session.compact({
    keep: { events: 1 },
    signal: controller.signal,
    onOutcome: () => controller.abort(),
  });
  return { plain, outcomes };
}

describe('a turn whose summarizer', () => {
  it.each(cases)('%s', async (_name, behaviour, state, reason) => {
    const plain = new Plain({ sliding: { interval: 1 } });
    plain.summarizer.behaviour = behaviour;
    const turn = await plain.turn();
    const stored = JSON.stringify(await plain.store.page(plain.session.key, 0, 10));
    const attempts = await plain.session.attempts();
    expect(attempts.map((attempt) => [attempt.state, attempt.reason])).toEqual([[state, reason]]);
    expect(JSON.stringify(attempts)).not.toContain(SECRET);
    expect((await plain.store.invocations(plain.session.key)).map(({ id, state: now }) => [id, now])).toEqual(
      [[turn.invocation, 'ended']],
    );
    expect((await plain.raw()).events).toBe(2);
    expect(await plain.session.records()).toEqual([]);
    // It goes on as if nothing had been, and the next one works.
    plain.summarizer.behaviour = (_request, _call, written) => ({ kind: 'summary', content: written });
    await plain.turn();
    await plain.turn();
    const rows = await plain.store.page(plain.session.key, 0, 10);
    expect(JSON.stringify(rows.slice(0, 2))).toBe(stored);
    expect((await plain.session.attempts()).at(-1)?.state).toBe('committed');
    expect((await plain.session.verify()).problems).toEqual([]);
    expect((await plain.raw()).events).toBe(0);
  });

  it('never settles: the deadline ends it, and what it says later is not heard (113, F12, trap 16)', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const signals: AbortSignal[] = [];
    let answerLate: (result: SummaryResult) => void = () => undefined;
    plain.summarizer.behaviour = (_request, call) =>
      new Promise((resolve) => {
        signals.push(call.signal);
        answerLate = resolve;
      });
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: plain.text() });
    // The turn has its answer while the summarizer is still being waited for.
    expect((await turn.end()).state).toBe('ended');
    const idle = plain.session.idle();
    while (plain.timers.waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(plain.timers.waiting).toEqual([60_000]);
    plain.timers.fireAll();
    const [outcome] = await idle;
    answerLate({ kind: 'summary', content: 'too late' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timed_out' });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(await plain.session.records()).toEqual([]);
    expect((await plain.session.attempts()).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'timed_out'],
    ]);
    expect(plain.timers.waiting).toEqual([]);
  });

  it.each(['before', 'during'] as const)(
    'is aborted %s its call: nothing is stored (6, trap 5)',
    async (when) => {
      const { plain, outcomes } = await aborted(when);
      expect(outcomes.filter(({ kind }) => kind === 'committed')).toEqual([]);
      expect(plain.summarizer.requests).toHaveLength(when === 'before' ? 0 : 1);
      expect(await plain.session.records()).toEqual([]);
      const attempts = await plain.session.attempts();
      expect(attempts.map(({ state, reason }) => [state, reason])).toEqual(
        when === 'before' ? [] : [['failed', 'aborted']],
      );
      expect(JSON.stringify(attempts)).not.toContain(SECRET);
    },
  );

  it('is aborted after it was committed: that stays', async () => {
    const { outcomes, plain } = await aborted('after');
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed']);
    expect(await plain.session.records()).toHaveLength(1);
  });

  it('writes over all it was given: nothing of the session changes (trap 15, F33)', async () => {
    const plain = new Plain({ sliding: { interval: 2, overlap: 1 } });
    plain.summarizer.behaviour = (request, _call, written) => {
      for (const list of [request.events, request.context, request.previous]) {
        expect(Reflect.set(list, 0, 'planted')).toBe(false);
        for (const source of list) {
          expect(Reflect.set(source, 'seq', 1)).toBe(false);
          const parts = 'parts' in source ? source.parts : [];
          for (const part of parts) expect(Reflect.set(part, 'text', 'planted')).toBe(false);
        }
      }
      expect(Reflect.set(request, 'events', [])).toBe(false);
      return { kind: 'summary', content: written };
    };
    for (let turn = 0; turn < 6; turn += 1) await plain.turn();
    expect((await plain.session.records()).length).toBe(3);
    const shown = plain.summarizer.requests.flatMap(({ request }) => [...request.events, ...request.context]);
    expect(shown.some((source) => source.parts.length > 0)).toBe(true);
    expect(JSON.stringify(await plain.session.prompt())).not.toContain('planted');
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  it('holds on to its result and changes it later: the record is a copy (trap 15)', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const usage = { outputTokens: 5 };
    const result = { kind: 'summary' as const, content: 'what was said', usage };
    plain.summarizer.behaviour = () => result;
    await plain.turn();
    result.content = 'planted';
    usage.outputTokens = 9_999;
    const [state] = await plain.session.records();
    expect(state?.record.summary.text).toBe('what was said');
    expect(state?.record.usage?.outputTokens).toBe(5);
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  it('reports what it cost even when nothing came of it (F43)', async () => {
    const usage = { inputTokens: 1_000, outputTokens: 40 };
    const spends: readonly Behaviour[] = [
      () => ({ kind: 'declined', reason: 'too_little', usage }),
      () => ({ kind: 'summary', content: '', usage }),
      () => Promise.reject(Object.assign(new Error('failed'), { usage })),
    ];
    for (const behaviour of spends) {
      const plain = new Plain({ sliding: { interval: 1 } });
      plain.summarizer.behaviour = behaviour;
      await plain.turn(ROOT);
      expect((await plain.session.attempts()).map((attempt) => attempt.usage)).toEqual([usage]);
    }
  });
});
