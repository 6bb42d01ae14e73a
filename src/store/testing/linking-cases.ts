import assert from 'node:assert/strict';
import type { Seq } from '../../event/ids.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, call, result, SIBLING, type Story, TASK } from './story.ts';

/** Which event answered each obligation, by `id@seq`. */
async function answers(story: Story): Promise<{ readonly [name: string]: Seq | null }> {
  const obligations = await story.store.obligations(story.key);
  return Object.fromEntries(obligations.map((owed) => [`${owed.id}@${owed.seq}`, owed.answeredBy]));
}

/** The events of each exchange, by the seqs of all events. */
async function exchanges(story: Story): Promise<readonly (readonly Seq[])[]> {
  const rows = await story.store.page(story.key, 0, 100);
  const groups = new Map<Seq, Seq[]>();
  for (const row of rows) groups.set(row.exchange, [...(groups.get(row.exchange) ?? []), row.event.seq]);
  for (const [id, members] of groups) {
    const facts = await story.store.facts(story.key, members[0] as Seq);
    assert.deepEqual([facts.exchange.id, facts.exchange.members], [id, members]);
    assert.equal(id, members[0]);
  }
  return [...groups.values()].sort((a, b) => (a[0] as Seq) - (b[0] as Seq));
}

/** What answers what, and what is one exchange. */
export const linkingCases: readonly ContractCase[] = [
  contractCase('joins a result to its call', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'user', content: 'meanwhile', invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
    );
    assert.deepEqual(await answers(story), { 'c@1': 3 });
    assert.deepEqual(await exchanges(story), [[1, 3], [2]]);
  }),

  contractCase('gives a result to the latest open call of a reused id', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
    );
    assert.deepEqual(await answers(story), { 'c@1': 4, 'c@2': 3 });
    assert.deepEqual(await exchanges(story), [
      [1, 4],
      [2, 3, 5],
    ]);
  }),

  contractCase('prefers a call of the same invocation, then one of the same lane', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i1' },
      { role: 'assistant', content: [call('c')], invocation: 'i2' },
      { role: 'tool', content: [result('c')], invocation: 'i1' },
      { role: 'tool', content: [result('c')], invocation: 'i3' },
    );
    assert.deepEqual(await answers(story), { 'c@1': 3, 'c@2': 4 });
  }),

  contractCase(
    'answers a call delegated to another lane of its invocation, and of no other',
    async (story) => {
      await story.append(
        { role: 'assistant', content: [call('c'), call('d')], invocation: 'i1' },
        { role: 'tool', content: [result('c')], invocation: 'i1', lane: BRANCH },
        { role: 'tool', content: [result('d')], invocation: 'i2', lane: BRANCH },
      );
      assert.deepEqual(await answers(story), { 'c@1': 2, 'd@1': null });
      assert.deepEqual(await exchanges(story), [[1, 2], [3]]);
    },
  ),

  contractCase('gives a result without an id to the oldest open call of its name', async (story) => {
    const events = await story.append(
      {
        id: 'a',
        role: 'assistant',
        content: [call(undefined, 'read'), call(undefined, 'write')],
        invocation: 'i',
      },
      { id: 'b', role: 'assistant', content: [call(undefined, 'write')], invocation: 'i' },
      { role: 'tool', content: [result(undefined, 'write')], invocation: 'i' },
      { role: 'tool', content: [result(undefined, 'write'), result(undefined)], invocation: 'i' },
    );
    assert.deepEqual(await answers(story), { 'a:call:0@1': 4, 'a:call:1@1': 3, 'b:call:0@2': 4 });
    assert.deepEqual(
      events.slice(2).map((event) => event.content.map((part) => ('id' in part ? part.id : null))),
      [['a:call:1'], ['b:call:0', 'a:call:0']],
    );
    assert.deepEqual(await exchanges(story), [[1, 2, 3, 4]]);
  }),

  contractCase('makes the same ids again when an append is repeated', async (story) => {
    const draft = { id: 'e', role: 'assistant', content: [call(undefined), result('none')] } as const;
    const [first] = await story.append(draft);
    const [again] = await story.append(draft);
    assert.deepEqual(again, first);
  }),

  contractCase('lets a result that answers nothing stand alone', async (story) => {
    await story.append(
      { role: 'tool', content: [result('c', 'read')], invocation: 'i' },
      { role: 'assistant', content: [call('c', 'read')], invocation: 'i' },
    );
    assert.deepEqual(await answers(story), { 'c@2': null });
    assert.deepEqual(await exchanges(story), [[1], [2]]);
  }),

  contractCase('closes a call with its interim result, and keeps the final one with it', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], longRunning: ['c'], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
      { role: 'user', content: 'later', invocation: 'j' },
      { role: 'tool', content: [result('c')], invocation: 'j' },
    );
    assert.deepEqual(await answers(story), { 'c@1': 2 });
    assert.deepEqual(await exchanges(story), [[1, 2, 4], [3]]);
    const [owed] = await story.store.obligations(story.key);
    assert.equal(owed?.longRunning, true);
  }),

  contractCase('answers a call within the event that makes it', async (story) => {
    await story.append({ role: 'assistant', content: [call('c'), result('c'), call('d')] });
    assert.deepEqual(await answers(story), { 'c@1': 1, 'd@1': null });
    const { exchange } = await story.store.facts(story.key, 1);
    assert.deepEqual(
      exchange.open.map((owed) => owed.id),
      ['d'],
    );
  }),

  contractCase('keeps the events of one reply together, in their lane and invocation', async (story) => {
    await story.append(
      { role: 'assistant', content: 'a', reply: 'r', invocation: 'i' },
      { role: 'user', content: 'b', invocation: 'i' },
      { role: 'assistant', content: 'c', reply: 'r', invocation: 'i' },
      { role: 'assistant', content: 'd', reply: 'r', invocation: 'j' },
      { role: 'assistant', content: 'e', reply: 'r', invocation: 'i', lane: BRANCH },
    );
    assert.deepEqual(await exchanges(story), [[1, 3], [2], [4], [5]]);
  }),

  contractCase('makes one exchange of those an event belongs to', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('a')], reply: 'r', invocation: 'i' },
      { role: 'assistant', content: [call('b')], reply: 's', invocation: 'i' },
      { role: 'user', content: 'between', invocation: 'i' },
      { role: 'tool', content: [result('b'), result('a')], invocation: 'i' },
      { role: 'assistant', content: 'more', reply: 's', invocation: 'i' },
    );
    assert.deepEqual(await exchanges(story), [[1, 2, 4, 5], [3]]);
    for (const owed of await story.store.obligations(story.key)) assert.equal(owed.exchange, 1);
  }),

  contractCase('closes an ask with the event that answers it, from whatever lane', async (story) => {
    const ask = (id: string) => ({ kind: 'confirmation', id, call: 'c' }) as const;
    await story.append(
      { role: 'assistant', content: [call('c')], asks: [ask('q')], invocation: 'i', lane: BRANCH },
      { role: 'user', content: 'yes', answers: ['q'], invocation: 'j' },
      { role: 'tool', content: [result('c')], invocation: 'i', lane: BRANCH },
      { role: 'user', content: 'yes again', answers: ['q', 'unknown'], invocation: 'k', lane: BRANCH },
    );
    assert.deepEqual(await answers(story), { 'c@1': 3, 'q@1': 2 });
    assert.deepEqual(await exchanges(story), [[1, 2, 3, 4]]);
    const [, owed] = await story.store.obligations(story.key);
    assert.deepEqual([owed?.kind, owed?.name, owed?.about], ['ask', 'confirmation', 'c']);
  }),

  contractCase('joins an ask to the earlier call it is about', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      {
        role: 'assistant',
        content: 'may I?',
        asks: [{ kind: 'authorization', id: 'q', call: 'c' }],
        invocation: 'i',
      },
    );
    assert.deepEqual(await exchanges(story), [[1, 2]]);
    assert.deepEqual(await answers(story), { 'c@1': null, 'q@2': null });
  }),

  contractCase('never mixes lanes without a reason to', async (story) => {
    for (const lane of [undefined, BRANCH, SIBLING, TASK]) {
      const at = lane === undefined ? {} : { lane };
      await story.append(
        { role: 'assistant', content: [call('c')], ...at },
        { role: 'tool', content: [result(undefined, 'tool')], ...at },
      );
    }
    assert.deepEqual(await exchanges(story), [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
  }),

  contractCase('gives an exchange the invocation of its newest event', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c'), call('d')], invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'j' },
    );
    const { exchange, invocations, invocationCount, row } = await story.store.facts(story.key, 1);
    assert.equal(exchange.invocation, 'j');
    assert.deepEqual([...invocations.keys()].sort(), ['i', 'j']);
    assert.equal(invocationCount, 2);
    assert.equal(row.event.seq, 1);
  }),
];
