import assert from 'node:assert/strict';
import type { AttemptId } from '../../event/ids.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, conflictsWith, LEASE, rejectsWith, type Story } from './story.ts';

const NOBODY = 'nobody' as AttemptId;

async function states(story: Story): Promise<readonly string[]> {
  return (await story.store.attempts(story.key)).map((attempt) => attempt.state);
}

/** Leases and attempts: one holder a lane, and the story of each plan. */
export const leaseCases: readonly ContractCase[] = [
  contractCase('starts an attempt with the lease', async (story) => {
    await story.append({ role: 'user', content: 'a', lane: BRANCH, invocation: 'i' });
    const request = await story.leaseRequest(BRANCH);
    const outcome = await story.store.takeLease(story.key, request);
    assert(outcome.taken);
    const { attempt } = outcome;
    assert.deepEqual(attempt, {
      id: attempt.id,
      lane: BRANCH,
      rootView: false,
      trigger: 'manual',
      window: request.window,
      state: 'started',
      startedAt: new Date(story.now()).toISOString(),
      invocationCount: 1,
    });
    assert.deepEqual(await story.store.attempts(story.key), [attempt]);
  }),

  contractCase('gives a lane one holder at a time, and each lane its own', async (story) => {
    await story.fill(2);
    await story.lease();
    story.wait(1_000);
    const second = await story.store.takeLease(story.key, {
      ...(await story.leaseRequest()),
      holder: 'process 2',
    });
    assert.deepEqual(second, { taken: false, heldBy: 'process 1', expiresInMilliseconds: LEASE - 1_000 });
    await story.lease(BRANCH);
    assert.deepEqual(await states(story), ['started', 'started']);
  }),

  contractCase('refuses a lease for a revision that is over', async (story) => {
    await story.fill(2);
    const request = await story.leaseRequest();
    await story.store.pin(story.key, 1, true);
    await conflictsWith('revision', story.store.takeLease(story.key, request));
    assert.deepEqual(await states(story), []);
  }),

  contractCase(
    'passes an expired lease on, and marks its attempt abandoned in the same step',
    async (story) => {
      await story.fill(2);
      const first = await story.lease();
      story.wait(LEASE);
      const second = await story.lease();
      const [abandoned, started] = await story.store.attempts(story.key);
      assert.deepEqual(
        [abandoned?.id, abandoned?.state, abandoned?.reason, abandoned?.endedAt],
        [first.id, 'abandoned', 'lease_expired', new Date(story.now()).toISOString()],
      );
      assert.deepEqual([started?.id, started?.state], [second.id, 'started']);
      await conflictsWith('attempt', story.store.commit(story.key, first.id, await story.draft()));
      await conflictsWith('lease', story.store.renewLease(story.key, first.id, LEASE));
    },
  ),

  contractCase('leaves an expired holder its attempt when the next one is refused', async (story) => {
    await story.fill(2);
    const request = await story.leaseRequest();
    await story.lease();
    story.wait(LEASE);
    await story.store.pin(story.key, 1, true);
    await conflictsWith('revision', story.store.takeLease(story.key, request));
    assert.deepEqual(await states(story), ['started']);
  }),

  contractCase('lets a holder commit after its lease expired, while nobody took it', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const draft = await story.draft();
    story.wait(LEASE * 2);
    await story.store.commit(story.key, attempt.id, draft);
    assert.deepEqual(await states(story), ['committed']);
  }),

  contractCase('renews a lease from now', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    story.wait(LEASE - 1);
    await story.store.renewLease(story.key, attempt.id, LEASE);
    story.wait(LEASE - 1);
    const other = await story.store.takeLease(story.key, await story.leaseRequest());
    assert.deepEqual(other, { taken: false, heldBy: 'process 1', expiresInMilliseconds: 1 });
    await conflictsWith('lease', story.store.renewLease(story.key, NOBODY, LEASE));
  }),

  contractCase('ends an attempt once, and frees its lease', async (story) => {
    await story.fill(2);
    const attempt = await story.lease();
    const usage = { inputTokens: 3 };
    const ended = await story.store.endAttempt(story.key, attempt.id, {
      state: 'failed',
      reason: 'timeout',
      usage,
    });
    const endedAt = new Date(story.now()).toISOString();
    assert.deepEqual(ended, { ...attempt, state: 'failed', reason: 'timeout', usage, endedAt });
    story.wait(1);
    const again = await story.store.endAttempt(story.key, attempt.id, { state: 'declined', reason: 'no' });
    assert.deepEqual(again, ended);
    assert.deepEqual(await story.store.attempts(story.key), [ended]);
    await conflictsWith('lease', story.store.renewLease(story.key, attempt.id, LEASE));
    await conflictsWith('attempt', story.store.commit(story.key, attempt.id, await story.draft()));
    await story.lease();
    await rejectsWith(
      'not_found',
      story.store.endAttempt(story.key, NOBODY, { state: 'failed', reason: '' }),
    );
  }),

  contractCase('lists attempts by lane, newest last', async (story) => {
    await story.fill(1);
    const made: AttemptId[] = [];
    for (const lane of [undefined, BRANCH, undefined, undefined]) {
      const attempt = await story.lease(lane);
      made.push(attempt.id);
      await story.store.endAttempt(story.key, attempt.id, { state: 'failed', reason: 'x' });
    }
    const list = async (filter: object): Promise<readonly AttemptId[]> =>
      (await story.store.attempts(story.key, filter)).map((attempt) => attempt.id);
    assert.deepEqual(await list({}), made);
    assert.deepEqual(await list({ newest: 2 }), made.slice(-2));
    assert.deepEqual(await list({ newest: 9 }), made);
    assert.deepEqual(await list({ newest: 0 }), []);
    assert.deepEqual(await list({ lane: BRANCH }), [made[1]]);
    assert.deepEqual(await list({ lane: { branch: '', isolation: '' }, newest: 2 }), made.slice(-2));
    assert.deepEqual(await list({ lane: { branch: 'nobody', isolation: '' } }), []);
  }),
];
