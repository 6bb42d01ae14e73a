import assert from 'node:assert/strict';
import type { InvocationId } from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, LEASE, rejectsWith, result, type Story, TASK } from './story.ts';

async function invocation(story: Story, id: string): Promise<Invocation> {
  const found = (await story.store.invocations(story.key)).find((one) => one.id === id);
  assert(found !== undefined, `no invocation ${id}`);
  return found;
}

const ID = 'i' as InvocationId;

/** Invocations: who opened them, where they appended, and whether they are over. */
export const invocationCases: readonly ContractCase[] = [
  contractCase('numbers invocations in the order they first appeared', async (story) => {
    await story.append({ role: 'user', content: 'a', invocation: 'x' });
    await story.store.beginInvocation(story.key, { id: 'y', leaseMilliseconds: LEASE });
    await story.append(
      { role: 'user', content: 'b', invocation: 'z' },
      { role: 'user', content: 'c', invocation: 'x' },
    );
    const all = await story.store.invocations(story.key);
    assert.deepEqual(
      all.map((one) => [one.id, one.ordinal]),
      [
        ['x', 1],
        ['y', 2],
        ['z', 3],
      ],
    );
    assert.equal((await story.view()).invocationCount, 3);
    assert.equal((await story.store.info(story.key))?.invocations, 3);
  }),

  contractCase('opens one running, with an id of its own where none is given', async (story) => {
    const begun = await story.store.beginInvocation(story.key, { lane: BRANCH, leaseMilliseconds: LEASE });
    assert.notEqual(begun.id, '');
    assert.deepEqual(begun, {
      id: begun.id,
      ordinal: 1,
      lane: BRANCH,
      lanes: [],
      openedBy: null,
      state: 'running',
      leaseExpiresAt: story.now() + LEASE,
    });
    assert.deepEqual(await story.store.invocations(story.key), [begun]);
  }),

  contractCase('refuses an id or a lane that is none', async (story) => {
    const begin = (id: string) => story.store.beginInvocation(story.key, { id, leaseMilliseconds: LEASE });
    await rejectsWith('invalid_event', begin(''));
    await rejectsWith('invalid_event', begin('\ud800'));
    const lane = { branch: '.', isolation: '' };
    await rejectsWith(
      'invalid_event',
      story.store.beginInvocation(story.key, { lane, leaseMilliseconds: LEASE }),
    );
    assert.equal(await story.store.info(story.key), null);
  }),

  contractCase('notes the user event that opened it and the lanes it appended to', async (story) => {
    await story.append(
      { role: 'system', content: 'be brief', invocation: ID },
      { role: 'user', content: [result('c', 'tool')], invocation: ID },
      { role: 'user', content: 'yes', answers: ['q'], invocation: ID },
      { role: 'user', content: 'the question', invocation: ID, lane: BRANCH },
      { role: 'user', content: 'another', invocation: ID, lane: TASK },
      { role: 'user', content: 'again', invocation: ID },
    );
    const { openedBy, lane, lanes } = await invocation(story, ID);
    assert.equal(openedBy, 4);
    assert.deepEqual(lane, { branch: '', isolation: '' });
    assert.deepEqual(lanes, [{ branch: '', isolation: '' }, BRANCH, TASK]);
  }),

  contractCase('takes appended invocations for over unless told that they run', async (story) => {
    await story.append({ role: 'user', content: 'a', invocation: 'over' });
    await story.store.append(story.key, [{ role: 'user', content: 'b', invocation: 'running' }], {
      newInvocations: 'running',
      leaseMilliseconds: LEASE,
    });
    const over = await invocation(story, 'over');
    assert.deepEqual([over.state, over.leaseExpiresAt], ['ended', null]);
    const running = await invocation(story, 'running');
    assert.deepEqual([running.state, running.leaseExpiresAt], ['running', story.now() + LEASE]);
    // What is known keeps its state.
    await story.store.append(story.key, [{ role: 'user', content: 'c', invocation: 'over' }], {
      newInvocations: 'running',
    });
    assert.equal((await invocation(story, 'over')).state, 'ended');
  }),

  contractCase('ends one as it is told, once', async (story) => {
    for (const state of ['ended', 'failed', 'cancelled'] as const) {
      const { id } = await story.store.beginInvocation(story.key, { leaseMilliseconds: LEASE });
      const ended = await story.store.endInvocation(story.key, id, state);
      assert.deepEqual([ended.state, ended.leaseExpiresAt], [state, null]);
      assert.equal((await story.store.endInvocation(story.key, id, 'ended')).state, state);
      assert.deepEqual(await invocation(story, id), ended);
    }
  }),

  contractCase('loses one whose lease expired by the clock of the store', async (story) => {
    await story.append({ role: 'user', content: 'a', invocation: ID });
    await story.store.beginInvocation(story.key, { id: ID, leaseMilliseconds: LEASE });
    story.wait(LEASE - 1);
    assert.equal((await invocation(story, ID)).state, 'running');
    story.wait(1);
    const lost = await invocation(story, ID);
    assert.deepEqual([lost.state, lost.leaseExpiresAt], ['lost', null]);
    assert.equal((await story.view()).invocations.get(ID)?.state, 'lost');
    assert.equal((await story.store.facts(story.key, 1)).invocations.get(ID)?.state, 'lost');
    assert.equal((await story.store.endInvocation(story.key, ID, 'failed')).state, 'failed');
  }),

  contractCase('renews a lease, and takes a lost turn that goes on for running', async (story) => {
    await story.store.beginInvocation(story.key, { id: ID, leaseMilliseconds: LEASE });
    story.wait(LEASE / 2);
    const renewed = await story.store.renewInvocation(story.key, ID, LEASE);
    assert.equal(renewed.leaseExpiresAt, story.now() + LEASE);
    story.wait(LEASE);
    assert.equal((await invocation(story, ID)).state, 'lost');
    assert.equal((await story.store.renewInvocation(story.key, ID, LEASE)).state, 'running');
    await story.store.endInvocation(story.key, ID, 'ended');
    assert.equal((await story.store.renewInvocation(story.key, ID, LEASE)).state, 'ended');
  }),

  contractCase('takes an appended event for a sign of life', async (story) => {
    await story.store.beginInvocation(story.key, { id: ID, leaseMilliseconds: LEASE });
    for (let turn = 0; turn < 4; turn += 1) {
      story.wait(LEASE / 2);
      await story.store.append(story.key, [{ role: 'assistant', content: 'a', invocation: ID }], {
        leaseMilliseconds: LEASE,
      });
      const { state, leaseExpiresAt } = await invocation(story, ID);
      assert.deepEqual([state, leaseExpiresAt], ['running', story.now() + LEASE]);
    }
  }),

  contractCase('resumes one in its place', async (story) => {
    await story.store.beginInvocation(story.key, { id: ID, leaseMilliseconds: LEASE });
    await story.append({ role: 'user', content: 'a', invocation: ID });
    await story.store.endInvocation(story.key, ID, 'failed');
    await story.append({ role: 'user', content: 'b', invocation: 'later' });
    const resumed = await story.store.beginInvocation(story.key, {
      id: ID,
      lane: BRANCH,
      leaseMilliseconds: LEASE,
    });
    assert.deepEqual(resumed, {
      id: ID,
      ordinal: 1,
      lane: { branch: '', isolation: '' },
      lanes: [{ branch: '', isolation: '' }],
      openedBy: 1,
      state: 'running',
      leaseExpiresAt: story.now() + LEASE,
    });
  }),

  contractCase('says that an unknown one is', async (story) => {
    await story.fill(1);
    await rejectsWith('not_found', story.store.renewInvocation(story.key, ID, LEASE));
    await rejectsWith('not_found', story.store.endInvocation(story.key, ID, 'ended'));
    await rejectsWith('not_found', story.store.endInvocation(story.key, '\ud800' as InvocationId, 'ended'));
  }),
];
