import { describe, expect, it } from 'vitest';
import type { SessionKey } from '../event/ids.ts';
import type { Allowance } from '../store/allowance.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Summarizer, SummaryResult } from '../summary/summarizer.ts';
import type { CompactionOutcome } from './outcome.ts';
import { Palimpsest, type PalimpsestOptions } from './palimpsest.ts';
import type { Session } from './session.ts';

const HOUR = 3_600_000;
const KEY: SessionKey = { app: 'a', user: 'u', session: 's' };
const usage = { inputTokens: 90, outputTokens: 10 };

/** Sessions of one store under an allowance, and the calls their summarizer was asked for. */
class Bench {
  now = Date.UTC(2030, 0, 1);
  calls = 0;
  answer: () => SummaryResult = () => ({ kind: 'summary', content: 'what was said', usage });
  readonly store = new MemoryStore({ clock: () => this.now });
  readonly palimpsest: Palimpsest;
  readonly session: Session;

  constructor(allowance: Allowance, more: Partial<PalimpsestOptions> = {}) {
    const summarizer: Summarizer = {
      name: 'scripted',
      format: 'prose',
      summarize: async () => {
        this.calls += 1;
        return this.answer();
      },
    };
    const sliding = { interval: 1 };
    this.palimpsest = new Palimpsest({
      store: this.store,
      summarizer,
      sliding,
      literals: false,
      allowance,
      ...more,
    });
    this.session = this.palimpsest.session(KEY);
  }

  /** A turn that is worth a summary; what became of it. */
  async turn(session: Session = this.session): Promise<readonly CompactionOutcome[]> {
    const turn = await session.begin();
    await turn.append({ role: 'user', content: 'what about this? '.repeat(200) });
    await turn.append({ role: 'assistant', content: 'that is so. '.repeat(200) });
    await turn.end();
    return session.idle();
  }
}

function kinds(outcomes: readonly CompactionOutcome[]): readonly string[] {
  return outcomes.map((outcome) =>
    'reason' in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind,
  );
}

describe('an allowance', () => {
  // Fails when what is over it counts as a failure: the lane would back off, and stay raw when the period turns.
  it('is spent, declines without a call, and is there again when the period turns', async () => {
    const bench = new Bench({ tokens: 150, period: 'hour' });
    expect(kinds(await bench.turn())).toEqual(['committed']);
    expect(kinds(await bench.turn())).toEqual(['committed']);
    for (let turn = 0; turn < 10; turn += 1)
      expect(kinds(await bench.turn())).toEqual(['declined allowance']);
    expect(bench.calls).toBe(2);
    bench.now += HOUR;
    // Goes on by itself, with what has gathered, until that hour's is spent as well.
    expect(kinds(await bench.turn())).toEqual(['committed', 'committed', 'declined allowance']);
    expect(bench.calls).toBe(4);
    expect((await bench.session.verify()).ok).toBe(true);
  });

  // Fails when every attempt over it is written down: a turn of many model calls would flood the ledger.
  it('is said to be spent once an invocation, however often a lane is tried', async () => {
    const bench = new Bench({ tokens: 100, period: 'day' });
    await bench.turn();
    await bench.turn();
    for (let call = 0; call < 200; call += 1) {
      const outcomes = await bench.session.compact({ keep: { events: 1 } });
      expect(kinds(outcomes)).toEqual(['declined allowance']);
    }
    const ledger = await bench.session.attempts();
    expect(ledger.map(({ state, reason }) => reason ?? state)).toEqual(['committed', 'allowance']);
    expect(bench.calls).toBe(1);
  });

  // Fails when every attempt over it is written down, or counts as a failure.
  it('is said to be spent once in a turn of many model calls, which compacts when the period turns', async () => {
    const tail = { trigger: { tokens: 3_000 }, keep: { events: 2 } };
    const bench = new Bench({ tokens: 100, period: 'hour' }, { sliding: { interval: 100 }, tail });
    const turn = await bench.session.begin();
    await turn.append({ role: 'user', content: 'go on' });
    const outcomes: string[] = [];
    const call = async (): Promise<void> => {
      await turn.append({ role: 'assistant', content: 'that is so. '.repeat(40) });
      outcomes.push(...kinds((await bench.session.prepare()).outcomes));
    };
    for (let calls = 0; calls < 100; calls += 1) await call();
    expect(outcomes[0]).toBe('committed');
    expect(new Set(outcomes.slice(1))).toEqual(new Set(['declined allowance']));
    expect(outcomes.length).toBeGreaterThan(50);
    expect((await bench.session.attempts()).length).toBe(2);
    bench.now += HOUR;
    outcomes.length = 0;
    await call();
    expect(outcomes[0]).toBe('committed');
    expect(bench.calls).toBe(2);
  });

  // Fails when what was not tried latches the tail: it would wait for more to gather than triggers it.
  it('leaves the tail as due as it was', async () => {
    const tail = { trigger: { tokens: 3_000 }, rearmBelow: 1_600, keep: { tokens: 1_500 } };
    const bench = new Bench(
      { tokens: 100, period: 'hour' },
      { sliding: { interval: 100 }, tail, overheadTokens: 900, maxSummaryTokens: 90 },
    );
    const other = bench.palimpsest.session({ ...KEY, session: 'other' });
    for (let turn = 0; turn < 2; turn += 1) await bench.turn(other);
    await other.compact({ keep: { events: 1 } });
    const outcomes: string[] = [];
    while (outcomes.length === 0) {
      await bench.session.append([{ role: 'assistant', content: 'that is so. '.repeat(40) }]);
      outcomes.push(...kinds((await bench.session.prepare()).outcomes));
    }
    bench.now += HOUR;
    outcomes.push(...kinds((await bench.session.prepare()).outcomes));
    expect(outcomes).toEqual(['declined allowance', 'committed']);
  });

  it('counts what failed, was declined or refused, and not what nobody reported', async () => {
    const bench = new Bench({ tokens: 1_000_000, period: 'month' }, { sliding: { interval: 100 } });
    await bench.turn();
    await bench.turn();
    const answers: readonly (() => SummaryResult)[] = [
      () => ({ kind: 'declined', reason: 'too_little', usage }),
      () => ({ kind: 'summary', content: ' ', usage }),
      () => ({ kind: 'summary', content: 'long '.repeat(3_000) }),
      () => {
        throw Object.assign(new Error('down'), { usage });
      },
      () => {
        throw new Error('down');
      },
      // Not smaller than what it would replace, and paid for.
      () => ({ kind: 'summary', content: 'a '.repeat(3_000), usage: { ...usage, outputTokens: 10 } }),
      () => ({ kind: 'summary', content: 'what was said' }),
    ];
    for (const answer of answers) {
      bench.answer = answer;
      await bench.session.compact({ keep: { events: 1 } });
    }
    const ledger = await bench.session.attempts();
    expect(ledger.map(({ state, reason }) => reason ?? state)).toEqual([
      'too_little',
      'invalid_summary:output_shape',
      'invalid_summary:token_limit',
      'threw',
      'threw',
      'not_smaller',
      'committed',
    ]);
    const rows = await bench.store.spend();
    expect(rows).toEqual([
      { ...KEY, hour: '2030-01-01T00:00:00.000Z', inputTokens: 360, outputTokens: 40, calls: 4, attempts: 4 },
    ]);
    // The ledger of attempts keeps the session's own count of what was not reported.
    expect(ledger.at(-1)?.usage).toEqual({ outputTokens: expect.any(Number) });
  });

  it('costs nothing where no model is asked', async () => {
    const store = new MemoryStore();
    const palimpsest = new Palimpsest({ store, allowance: { tokens: 1, period: 'month', tenant: 'app' } });
    const bench = new Bench({ tokens: 1, period: 'day' });
    for (let turn = 0; turn < 3; turn += 1) await bench.turn(palimpsest.session(KEY));
    expect(kinds(await palimpsest.session(KEY).compact({ keep: { events: 1 } }))).toEqual(['committed']);
    expect(await store.spend()).toEqual([]);
  });

  it('is overshot by what was under way when it was spent, and no further', async () => {
    const bench = new Bench({ tokens: 100, period: 'day' });
    const sessions = Array.from({ length: 5 }, (_, at) =>
      bench.palimpsest.session({ ...KEY, session: `s${at}` }),
    );
    const first = await Promise.all(sessions.map((session) => bench.turn(session)));
    expect(first.flatMap(kinds)).toEqual(['committed', 'committed', 'committed', 'committed', 'committed']);
    for (const session of sessions) expect(kinds(await bench.turn(session))).toEqual(['declined allowance']);
    expect(bench.calls).toBe(5);
  });

  // Fails when a preview takes no notice: it asks the summarizer as a compaction would.
  it('holds for a preview, which shows what compacting would do', async () => {
    const bench = new Bench({ tokens: 100, period: 'day' });
    await bench.turn();
    await bench.turn();
    const { outcomes, windows } = await bench.session.preview({ keep: { events: 1 } });
    expect(kinds(outcomes)).toEqual(['declined allowance']);
    expect(windows).toEqual([]);
    expect(bench.calls).toBe(1);
    const ledger = await bench.session.attempts();
    expect(ledger).toHaveLength(2);
  });
});
