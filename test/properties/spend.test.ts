// Whatever attempts cost, whoever makes them and when: spend adds up, and nobody exceeds an allowance by more than what was
// under way when it was spent. The oracle is a list of payments, told from the ledger's own arithmetic by going by text.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptId, SessionKey } from '../../src/event/ids.ts';
import type { Lane } from '../../src/event/lane.ts';
import type { Allowance } from '../../src/store/allowance.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import type { SpendFilter } from '../../src/store/spend.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { type Payment, Payments, periodText, sameTenant } from '../model/payments.ts';
import { countingTexts } from '../world/counting.ts';
import { branch, ROOT } from '../world/plain-session.ts';
import { runsOf } from './runs.ts';

const HOUR = 3_600_000;
const LEASE = HOUR / 2;
const SESSIONS: readonly SessionKey[] = ['a', 'b'].flatMap((app) =>
  ['u', 'v'].flatMap((user) => ['s', 't'].map((session) => ({ app, user, session }))),
);
const LANES: readonly Lane[] = [ROOT, branch('x')];

const index = fc.nat({ max: 100 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('take' as const), session: index, lane: index }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      attempt: index,
      state: fc.constantFrom('failed' as const, 'declined' as const, 'discarded' as const),
      input: fc.nat({ max: 60 }),
      output: fc.integer({ min: 1, max: 40 }),
    }),
  },
  // An end that is told twice, or of an attempt that was abandoned meanwhile.
  { weight: 1, arbitrary: fc.record({ type: fc.constant('again' as const), attempt: index }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(1, LEASE, HOUR - 1, HOUR, 7 * HOUR, 24 * HOUR, 20 * 24 * HOUR),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('turn' as const), session: index }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const story = fc.record({
  allowance: fc.record({
    tokens: fc.constantFrom(1, 50, 150, 400),
    period: fc.constantFrom('hour' as const, 'day' as const, 'month' as const),
    tenant: fc.constantFrom('app' as const, 'user' as const),
  }),
  steps: fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
});

interface UnderWay {
  readonly id: AttemptId;
  readonly key: SessionKey;
  /** What it cost, once it ended. */
  payment: Payment | null;
}

/** When a tenant's allowance was spent in a period: what was spent just before, and what was under way. */
interface Crossing {
  readonly before: number;
  readonly underWay: readonly UnderWay[];
  readonly key: SessionKey;
  readonly time: number;
}

/** Tells a story to a store and keeps the oracle's books beside it. */
class Books {
  now = Date.UTC(2030, 0, 30, 21, 59);
  readonly payments = new Payments();
  readonly attempts: UnderWay[] = [];
  readonly #crossings: Crossing[] = [];
  readonly #allowance: Required<Allowance>;
  readonly #handles: readonly SessionStore[];
  #step = 0;

  constructor(handles: readonly SessionStore[], allowance: Required<Allowance>) {
    this.#handles = handles;
    this.#allowance = allowance;
  }

  /** Handles on one file take turns. */
  get store(): SessionStore {
    return this.#handles[this.#step % this.#handles.length] as SessionStore;
  }

  async perform(one: Step): Promise<void> {
    this.#step += 1;
    switch (one.type) {
      case 'wait':
        this.now += one.milliseconds;
        return;
      case 'turn':
        await this.store.append(sessionAt(one.session), [{ role: 'user', content: 'go on' }]);
        return;
      case 'take':
        return this.#take(sessionAt(one.session), LANES[one.lane % LANES.length] as Lane);
      case 'end':
        return this.#end(one);
      case 'again':
        return this.#again(one.attempt);
      default:
        return one satisfies never;
    }
  }

  async #take(key: SessionKey, lane: Lane): Promise<void> {
    await this.store.append(key, []);
    const window = { spans: [], events: 0, tokens: 0, invocations: 0 };
    const outcome = await this.store.takeLease(key, {
      lane,
      rootView: false,
      trigger: 'manual',
      window,
      revision: 1,
      holder: 'h',
      milliseconds: LEASE,
      allowance: this.#allowance,
    });
    if (!outcome.taken && 'heldBy' in outcome) return;
    const spent = this.payments.spent(key, this.#allowance, this.now) >= this.#allowance.tokens;
    assert.equal(outcome.taken, !spent, 'a lease is taken while the allowance is not spent');
    if (outcome.taken) this.attempts.push({ id: outcome.attempt.id, key, payment: null });
  }

  async #end({ attempt, state, input, output }: Extract<Step, { readonly type: 'end' }>): Promise<void> {
    const open = this.attempts.filter(({ payment }) => payment === null);
    const chosen = open[attempt % Math.max(1, open.length)];
    if (chosen === undefined) return;
    const usage = { inputTokens: input, outputTokens: output };
    const end = { state, reason: 'told', usage, spend: { ...usage, calls: 1 } };
    await this.store.endAttempt(chosen.key, chosen.id, end);
    const before = this.payments.spent(chosen.key, this.#allowance, this.now);
    chosen.payment = { time: this.now, key: chosen.key, input, output };
    this.payments.all.push(chosen.payment);
    const { tokens } = this.#allowance;
    if (before < tokens && before + input + output >= tokens) {
      this.#crossings.push({ before, underWay: open, key: chosen.key, time: this.now });
    }
  }

  async #again(attempt: number): Promise<void> {
    const over = this.attempts.filter(({ payment }) => payment !== null);
    const chosen = over[attempt % Math.max(1, over.length)];
    if (chosen === undefined) return;
    const spend = { inputTokens: 1_000, outputTokens: 1_000, calls: 1 };
    const end = { state: 'failed', reason: 'told again', usage: { inputTokens: 1_000 }, spend } as const;
    await this.store.endAttempt(chosen.key, chosen.id, end);
  }

  /** What is wrong with what the store says. */
  async check(): Promise<void> {
    const { all } = this.payments;
    const middle = all[Math.floor(all.length / 2)]?.time ?? this.now;
    const since = `${periodText(middle, 'hour')}:00Z`;
    const filters: readonly (readonly [SpendFilter, (payment: Payment) => boolean])[] = [
      [{}, () => true],
      [{ app: 'a' }, ({ key }) => key.app === 'a'],
      [{ user: 'v' }, ({ key }) => key.user === 'v'],
      [{ ...SESSIONS[0] }, ({ key }) => key === SESSIONS[0]],
      [{ since }, ({ time }) => periodText(time, 'hour') >= periodText(middle, 'hour')],
      [{ until: since }, ({ time }) => periodText(time, 'hour') < periodText(middle, 'hour')],
    ];
    for (const [filter, passes] of filters) {
      const rows = await this.store.spend(filter);
      const lines = rows.map(
        ({ hour, app, user, session, inputTokens, outputTokens, attempts }) =>
          `${hour.slice(0, 13)} ${app} ${user} ${session}: ${inputTokens} in, ${outputTokens} out, ${attempts}`,
      );
      assert.deepEqual(lines.toSorted(), this.payments.lines(passes));
    }
    // A clock that is set back finds the earlier period as it was left, and nothing of later ones in it.
    for (const time of [this.now, middle, all[0]?.time ?? this.now]) {
      this.now = time;
      for (const key of SESSIONS) {
        const told = await this.store.tokensSpent(key, this.#allowance);
        assert.equal(told, this.payments.spent(key, this.#allowance, time));
      }
    }
    for (const { before, underWay, key, time } of this.#crossings) {
      const most = underWay
        .filter((one) => sameTenant(one.key, key, this.#allowance.tenant))
        .reduce((sum, { payment }) => sum + (payment === null ? 0 : payment.input + payment.output), before);
      assert(this.payments.spent(key, this.#allowance, time) <= most, 'exceeded by more than was under way');
    }
    for (const key of SESSIONS) assert.deepEqual(await this.#floods(key), []);
  }

  /** Lanes, invocations and periods whose ledger says more than once that the allowance is spent. */
  async #floods(key: SessionKey): Promise<readonly string[]> {
    if ((await this.store.info(key)) === null) return [];
    const declined = (await this.store.attempts(key)).filter(({ reason }) => reason === 'allowance');
    const groups = Map.groupBy(declined, ({ lane, invocationCount, startedAt }) =>
      [lane.branch, invocationCount, periodText(Date.parse(startedAt), this.#allowance.period)].join(' '),
    );
    return [...groups].filter(([, group]) => group.length > 1).map(([name]) => name);
  }
}

function sessionAt(at: number): SessionKey {
  return SESSIONS[at % SESSIONS.length] as SessionKey;
}

async function tell(
  { allowance, steps }: { readonly allowance: Required<Allowance>; readonly steps: readonly Step[] },
  open: (clock: () => number) => Promise<readonly SessionStore[]>,
): Promise<void> {
  let books: Books | undefined;
  const handles = await open(() => books?.now ?? 0);
  books = new Books(handles, allowance);
  for (const one of steps) await books.perform(one);
  await books.check();
  for (const handle of handles) await handle.close();
}

describe('spend', () => {
  it('adds up, and stays within what was allowed and under way', { timeout: 600_000 }, async () => {
    const told = fc.asyncProperty(story, (one) => tell(one, async (clock) => [new MemoryStore({ clock })]));
    await expect(fc.assert(told, { numRuns: runsOf(300) })).resolves.toBeUndefined();
  });

  it('is no different in a file with two handles', { timeout: 600_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-spend-'));
    const file = countingTexts('spend', 1);
    try {
      const told = fc.asyncProperty(story, (one) => {
        const path = join(folder, `${file()}.db`);
        return tell(one, async (clock) => {
          const options = { clock, synchronous: 'normal' } as const;
          return [await openSqliteStore(path, options), await openSqliteStore(path, options)];
        });
      });
      await expect(fc.assert(told, { numRuns: runsOf(40) })).resolves.toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
