import assert from 'node:assert/strict';
import type { SessionKey } from '../../event/ids.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import type { Attempt } from '../../plan/attempt.ts';
import type { Spend } from '../../summary/spend.ts';
import type { Allowance } from '../allowance.ts';
import type { SessionStore } from '../session-store.ts';
import { type ContractCase, contractCase, reopenedCase, sharedCase } from './contract-case.ts';
import { BRANCH, LEASE, rejectsWith, type Story } from './story.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OTHER_USER: SessionKey = { app: 'app', user: 'another', session: 'session' };
const OTHER_APP: SessionKey = { app: 'another', user: 'user', session: 'session' };
const SECOND: SessionKey = { app: 'app', user: 'user', session: 'second' };

function cost(inputTokens: number, outputTokens: number, calls = 1): Spend {
  return { inputTokens, outputTokens, calls };
}

/** Asks for the lease of a session's root lane, under an allowance where one is given. */
async function ask(story: Story, key: SessionKey, allowance?: Allowance, store: SessionStore = story.store) {
  await store.append(key, []);
  const { revision } = await store.view(key, ROOT_LANE, 'lane');
  const window = { spans: [], events: 0, tokens: 0, invocations: 0 };
  const request = { lane: ROOT_LANE, rootView: false, trigger: 'manual', window, revision } as const;
  const full = { ...request, holder: 'process 1', milliseconds: LEASE };
  return store.takeLease(key, allowance === undefined ? full : { ...full, allowance });
}

/** An attempt that fails after it cost this. */
async function spendOn(story: Story, key: SessionKey, spend: Spend): Promise<void> {
  const outcome = await ask(story, key);
  assert(outcome.taken);
  await story.store.endAttempt(key, outcome.attempt.id, { state: 'failed', reason: 'timeout', spend });
}

/** The attempt that says that the allowance is spent; null while it is not. */
async function declined(story: Story, key: SessionKey, allowance: Allowance): Promise<Attempt | null> {
  const outcome = await ask(story, key, allowance);
  if (!outcome.taken) {
    assert('declined' in outcome, 'nobody else holds the lease');
    return outcome.declined;
  }
  await story.store.endAttempt(key, outcome.attempt.id, { state: 'failed', reason: 'none' });
  return null;
}

/** What summarizers cost, and what a tenant may spend. */
export const spendCases: readonly ContractCase[] = [
  contractCase('has spent nothing before an attempt says so', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const usage = { outputTokens: 9 };
    await story.store.endAttempt(story.key, attempt.id, { state: 'failed', reason: 'x', usage });
    assert.deepEqual(await story.store.spend(), []);
  }),

  contractCase('adds up what attempts cost by session and hour, whatever became of them', async (story) => {
    await story.fill(4);
    const first = await story.draft({ seqs: [1, 2] });
    const attempt = await story.lease();
    await story.store.commit(story.key, attempt.id, { ...first, spend: cost(100, 10, 2) });
    for (const state of ['failed', 'declined', 'discarded'] as const) {
      const next = await story.lease();
      const end = { state, reason: 'x', usage: { inputTokens: 9 }, spend: cost(7, 3) } as const;
      const ended = await story.store.endAttempt(story.key, next.id, end);
      assert(!('spend' in ended), 'an attempt keeps its usage and no spend');
    }
    const hour = new Date(story.now()).toISOString();
    const row = { ...story.key, hour, inputTokens: 121, outputTokens: 19, calls: 5, attempts: 4 };
    assert.deepEqual(await story.store.spend(), [row]);
    story.wait(2 * HOUR - 1);
    await spendOn(story, OTHER_USER, cost(1, 1));
    story.wait(1);
    await spendOn(story, OTHER_USER, cost(2, 2));
    assert.deepEqual(
      (await story.store.spend()).map((one) => [one.user, one.hour.slice(11, 13), one.inputTokens]),
      [
        ['user', '00', 121],
        ['another', '01', 1],
        ['another', '02', 2],
      ],
    );
    const [record] = await story.store.records(story.key);
    assert(record !== undefined && !('spend' in record.record), 'nor does a record');
  }),

  contractCase('tells spend by whose it is and when, and refuses a time that is none', async (story) => {
    for (const [at, key] of [OTHER_USER, OTHER_APP, SECOND, story.key].entries()) {
      await spendOn(story, key, cost(1, at));
      story.wait(HOUR);
    }
    const told = async (filter: object): Promise<readonly number[]> =>
      (await story.store.spend(filter)).map((row) => row.outputTokens);
    assert.deepEqual(await told({}), [0, 1, 2, 3]);
    assert.deepEqual(await told({ app: 'app' }), [0, 2, 3]);
    assert.deepEqual(await told({ app: 'app', user: 'user' }), [2, 3]);
    assert.deepEqual(await told({ session: 'second' }), [2]);
    assert.deepEqual(await told({ user: 'user', session: 'session' }), [1, 3]);
    assert.deepEqual(await told({ app: 'nobody' }), []);
    assert.deepEqual(await told({ user: '\ud800' }), []);
    // An hour counts by when it began.
    assert.deepEqual(await told({ since: '2030-01-01T02:00:00Z' }), [2, 3]);
    assert.deepEqual(await told({ since: '2030-01-01T01:00:00.001Z' }), [2, 3]);
    assert.deepEqual(await told({ until: '2030-01-01T02:00:00Z' }), [0, 1]);
    assert.deepEqual(await told({ since: '2030-01-01', until: '2030-01-01T02:30+01:00' }), [0, 1]);
    assert.deepEqual(await told({ since: '2030-01-02' }), []);
    for (const time of ['yesterday', '2030-02-30', '2030-01-01T02:00', '2030-13-01', '']) {
      await rejectsWith('config', story.store.spend({ since: time }));
      await rejectsWith('config', story.store.spend({ until: time }));
    }
  }),

  contractCase('counts an end that is told twice once', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const end = { state: 'failed', reason: 'x', usage: { inputTokens: 5 }, spend: cost(5, 0) } as const;
    await story.store.endAttempt(story.key, attempt.id, end);
    await story.store.endAttempt(story.key, attempt.id, end);
    const other = await story.lease();
    const draft = { ...(await story.draft()), spend: cost(100, 10) };
    await story.store.commit(story.key, other.id, draft);
    await story.store.endAttempt(story.key, other.id, end);
    const rows = await story.store.spend();
    assert.deepEqual(
      rows.map((row) => [row.inputTokens, row.attempts]),
      [[105, 2]],
    );
  }),

  contractCase('counts what an attempt cost that comes back after it was abandoned, once', async (story) => {
    await story.fill(2);
    const late = await story.lease();
    story.wait(LEASE);
    await story.lease();
    story.wait(HOUR);
    const usage = { inputTokens: 40, outputTokens: 2 };
    const end = { state: 'discarded', reason: 'attempt', usage, spend: cost(40, 2) } as const;
    const told = await story.store.endAttempt(story.key, late.id, end);
    assert.deepEqual(
      [told.state, told.reason, told.usage, told.endedAt],
      ['abandoned', 'lease_expired', usage, new Date(story.now() - HOUR).toISOString()],
    );
    assert.deepEqual(await story.store.endAttempt(story.key, late.id, end), told);
    assert.deepEqual((await story.store.attempts(story.key))[0], told);
    const rows = await story.store.spend();
    assert.deepEqual(
      rows.map((row) => [row.hour.slice(11, 13), row.inputTokens, row.attempts]),
      [['01', 40, 1]],
    );
  }),

  contractCase('counts nothing of a commit that is refused until its attempt ends', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const draft = { ...(await story.draft()), spend: cost(100, 10) };
    await story.store.pin(story.key, 1, true);
    await rejectsWith('commit_conflict', story.store.commit(story.key, attempt.id, draft));
    assert.deepEqual(await story.store.spend(), []);
  }),

  contractCase('stays whole however much is said to be spent', async (story) => {
    const most = Number.MAX_SAFE_INTEGER;
    for (let at = 0; at < 3; at += 1) await spendOn(story, story.key, cost(most, most));
    const [row] = await story.store.spend();
    assert.deepEqual([row?.inputTokens, row?.outputTokens, row?.attempts], [most, most, 3]);
    assert(await declined(story, story.key, { tokens: most, period: 'month' }));
  }),

  contractCase('takes no part in a fork', async (story) => {
    await story.fill(2);
    await spendOn(story, story.key, cost(5, 5));
    await story.store.fork(story.key, 2, SECOND);
    assert.deepEqual(
      (await story.store.spend()).map((row) => row.session),
      ['session'],
    );
  }),

  contractCase('declines an attempt once the allowance is spent, and starts nothing', async (story) => {
    await story.fill(2);
    const allowance = { tokens: 20, period: 'day' } as const;
    await spendOn(story, story.key, cost(15, 4));
    assert.equal(await declined(story, story.key, allowance), null);
    await spendOn(story, story.key, cost(0, 1));
    const request = { ...(await story.leaseRequest()), allowance };
    const outcome = await story.store.takeLease(story.key, request);
    assert(!outcome.taken && 'declined' in outcome);
    const time = new Date(story.now()).toISOString();
    assert.deepEqual(outcome.declined, {
      id: outcome.declined.id,
      lane: request.lane,
      rootView: false,
      trigger: 'manual',
      window: request.window,
      state: 'declined',
      reason: 'allowance',
      startedAt: time,
      endedAt: time,
      invocationCount: 2,
    });
    assert.deepEqual((await story.store.attempts(story.key)).at(-1), outcome.declined);
    // Nobody holds the lease: without an allowance it is there to be taken.
    await story.lease();
  }),

  contractCase('lets an allowance be spent by its tenant alone', async (story) => {
    await spendOn(story, story.key, cost(10, 0));
    const ofUser = { tokens: 10, period: 'day' } as const;
    const ofApp = { ...ofUser, tenant: 'app' } as const;
    assert.equal(await story.store.tokensSpent(SECOND, ofUser), 10);
    assert.equal(await story.store.tokensSpent({ ...OTHER_USER, user: '\ud800' }, ofUser), 0);
    assert.deepEqual(
      await Promise.all([ofUser, ofApp].map((allowance) => story.store.tokensSpent(OTHER_USER, allowance))),
      [0, 10],
    );
    assert(await declined(story, SECOND, ofUser), 'another session of the user');
    assert.equal(await declined(story, OTHER_USER, ofUser), null);
    assert(await declined(story, OTHER_USER, ofApp), 'another user of the application');
    assert.equal(await declined(story, OTHER_APP, ofUser), null);
    assert.equal(await declined(story, OTHER_APP, ofApp), null);
  }),

  contractCase('gives all of an allowance back when the period turns', async (story) => {
    const spent = async (period: Allowance['period']): Promise<boolean> => {
      const over = (await declined(story, story.key, { tokens: 10, period })) !== null;
      assert.equal(await story.store.tokensSpent(story.key, { period }), over ? 10 : 0);
      return over;
    };
    story.wait(HOUR - 1);
    await spendOn(story, story.key, cost(10, 0));
    assert.deepEqual([await spent('hour'), await spent('day'), await spent('month')], [true, true, true]);
    story.wait(1);
    assert.deepEqual([await spent('hour'), await spent('day'), await spent('month')], [false, true, true]);
    story.wait(DAY - HOUR);
    assert.deepEqual([await spent('hour'), await spent('day'), await spent('month')], [false, false, true]);
    story.wait(30 * DAY);
    assert.deepEqual([await spent('day'), await spent('month')], [false, false]);
  }),

  contractCase('says that an allowance is spent once a lane, period and invocation', async (story) => {
    await story.fill(2);
    await spendOn(story, story.key, cost(10, 0));
    const allowance = { tokens: 1, period: 'hour' } as const;
    const decline = async (lane?: typeof BRANCH): Promise<string> => {
      const outcome = await story.store.takeLease(story.key, {
        ...(await story.leaseRequest(lane)),
        allowance,
      });
      assert(!outcome.taken && 'declined' in outcome);
      return outcome.declined.id;
    };
    const first = await decline();
    story.wait(1);
    for (let call = 0; call < 5; call += 1) assert.equal(await decline(), first);
    const ids = new Set([first, await decline(BRANCH)]);
    await story.fill(1);
    ids.add(await decline());
    assert.equal(await decline(BRANCH), await decline(BRANCH));
    story.wait(HOUR);
    await spendOn(story, SECOND, cost(1, 0));
    ids.add(await decline());
    assert.equal(ids.size, 4);
    const ledger = await story.store.attempts(story.key);
    assert.equal(ledger.filter((attempt) => attempt.reason === 'allowance').length, 5);
  }),

  contractCase('asks who holds the lease, and for which revision, before the allowance', async (story) => {
    await story.fill(2);
    await spendOn(story, story.key, cost(10, 0));
    const allowance = { tokens: 1, period: 'hour' } as const;
    const request = { ...(await story.leaseRequest()), allowance };
    const holder = await story.lease();
    const busy = await story.store.takeLease(story.key, request);
    assert(!busy.taken && 'heldBy' in busy);
    story.wait(LEASE);
    const over = await story.store.takeLease(story.key, request);
    assert(!over.taken && 'declined' in over);
    // Nobody took over: the expired holder may still commit.
    await story.store.commit(story.key, holder.id, await story.draft());
    await rejectsWith('commit_conflict', story.store.takeLease(story.key, request));
  }),

  reopenedCase('keeps what was spent', async (story) => {
    await story.fill(2);
    await spendOn(story, story.key, cost(10, 1));
    const before = await story.store.spend();
    await story.reopen();
    assert.deepEqual(await story.store.spend(), before);
    assert(await declined(story, story.key, { tokens: 11, period: 'month' }));
  }),

  sharedCase('holds all processes to one allowance', async (story, other) => {
    const allowance = { tokens: 10, period: 'day' } as const;
    await story.fill(2);
    const mine = await ask(story, story.key, allowance);
    const theirs = await ask(story, SECOND, allowance, other);
    assert(mine.taken && theirs.taken);
    const end = { state: 'failed', reason: 'x', spend: cost(6, 0) } as const;
    await story.store.endAttempt(story.key, mine.attempt.id, end);
    await other.endAttempt(SECOND, theirs.attempt.id, end);
    for (const [store, key] of [
      [story.store, SECOND],
      [other, story.key],
    ] as const) {
      const outcome = await ask(story, key, allowance, store);
      assert(!outcome.taken && 'declined' in outcome);
    }
    assert.deepEqual(await other.spend(), await story.store.spend());
  }),
];
