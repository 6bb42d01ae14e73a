import assert from 'node:assert/strict';
import type { EventDraft } from '../../event/event.ts';
import type { EventId } from '../../event/ids.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { assertFrozen, BRANCH, call, rejectsWith, type Story, TASK, TASK_BRANCH } from './story.ts';

/** Appending: seqs, ids, retries, refusals, and what is handed in and out. */
export const appendCases: readonly ContractCase[] = [
  contractCase('numbers events 1, 2, 3 … in the order they were appended', async (story) => {
    const first = await story.append({ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' });
    const second = await story.append({ role: 'user', content: 'c' });
    assert.deepEqual(
      [...first, ...second].map((event) => event.seq),
      [1, 2, 3],
    );
    const rows = await story.store.page(story.key, 0, 10);
    assert.deepEqual(
      rows.map((row) => row.event),
      [...first, ...second],
    );
  }),

  contractCase('numbers each session for itself', async (story) => {
    const other = { ...story.key, session: 'other' };
    await story.fill(3);
    const [event] = await story.store.append(other, [{ role: 'user', content: 'a' }]);
    assert.equal(event?.seq, 1);
    assert.equal((await story.store.page(story.key, 0, 10)).length, 3);
  }),

  contractCase('counts ordinals by lane and by isolation', async (story) => {
    for (const lane of [undefined, BRANCH, TASK, BRANCH, TASK_BRANCH, undefined]) {
      await story.add(lane === undefined ? {} : { lane });
    }
    const rows = await story.store.page(story.key, 0, 10);
    assert.deepEqual(
      rows.map((row) => [row.laneOrdinal, row.isolationOrdinal]),
      [
        [1, 1],
        [1, 2],
        [1, 1],
        [2, 3],
        [1, 2],
        [2, 4],
      ],
    );
  }),

  contractCase('fills in what a draft leaves out', async (story) => {
    const event = await story.add({ role: 'assistant' });
    assert.notEqual(event.id, '');
    assert.equal(event.invocation, `turn:${event.id}`);
    assert.equal(event.author, 'assistant');
    assert.deepEqual(event.lane, { branch: '', isolation: '' });
    assert.deepEqual(event.content, [{ type: 'text', text: 'hello' }]);
    assert.equal(event.createdAt, new Date(story.now()).toISOString());
    assert(event.tokens > 0);
  }),

  contractCase('assigns ids that sort by when they were made', async (story) => {
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      ids.push((await story.add()).id, (await story.add()).id);
      story.wait(1);
    }
    assert.deepEqual([...ids].sort(), ids);
    assert.equal(new Set(ids).size, ids.length);
  }),

  contractCase('returns the stored event for a known id with equal content', async (story) => {
    const draft: EventDraft = {
      id: 'e',
      role: 'assistant',
      content: [call(undefined)],
      metadata: { a: 1, b: 2 },
    };
    const [stored] = await story.append(draft);
    await story.fill(1);
    // Neither the order of keys, nor what the store filled in, nor when and where it was said makes it another event.
    const again = { ...draft, metadata: { b: 2, a: 1 }, lane: BRANCH, createdAt: 'later' };
    assert.deepEqual(await story.append(again), [stored]);
    assert.equal((await story.store.page(story.key, 0, 10)).length, 2);
  }),

  contractCase('takes a batch that says one event twice', async (story) => {
    const events = await story.append(
      { id: 'e', role: 'user', content: 'a' },
      { id: 'e', role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    );
    assert.deepEqual(
      events.map((event) => event.seq),
      [1, 1, 2],
    );
  }),

  contractCase('refuses a known id with other content, and the whole batch with it', async (story) => {
    await story.append({ id: 'e', role: 'user', content: 'a' });
    const batch = story.append(
      { id: 'f', role: 'user', content: 'new', lane: BRANCH, invocation: 'i' },
      { id: 'e', role: 'user', content: 'b' },
    );
    const error = await rejectsWith('event_conflict', batch);
    assert.equal(error.about, 'e');
    assert.equal((await story.store.page(story.key, 0, 10)).length, 1);
    assert.equal(await story.store.eventById(story.key, 'f' as EventId), null);
    assert.equal((await story.view()).total.events, 1);
    assert.deepEqual(
      (await story.store.info(story.key))?.lanes.map((info) => info.events),
      [1],
    );
    assert.equal((await story.store.invocations(story.key)).length, 1);
    assert.equal((await story.add()).seq, 2);
  }),

  contractCase('refuses a batch that says two things of one id', async (story) => {
    const batch = story.append(
      { id: 'e', role: 'user', content: 'a' },
      { id: 'e', role: 'user', content: 'b' },
    );
    await rejectsWith('event_conflict', batch);
    assert.equal(await eventCount(story), 0);
  }),

  contractCase('counts an event once, by the counter of the store', async (story) => {
    const event = await story.add({ content: 'one two three four' });
    const longer = await story.add({ content: 'one two three four '.repeat(20) });
    assert(Number.isInteger(event.tokens));
    assert(longer.tokens > event.tokens + story.store.counter.count('one two three four '.repeat(10)));
    assert.deepEqual((await story.view()).total, { events: 2, tokens: event.tokens + longer.tokens });
  }),

  contractCase('keeps nothing of what it was handed', async (story) => {
    const json = { path: ['a'] };
    const content = [{ type: 'toolCall', id: 'c', name: 'n', input: { json } }] as const;
    const draft = { role: 'assistant', content, metadata: { tags: ['x'] } } as const;
    const [event] = await story.append(draft);
    json.path.push('b');
    (draft.metadata.tags as unknown as string[]).push('y');
    assert.deepEqual(event?.content, [
      { type: 'toolCall', id: 'c', name: 'n', input: { json: { path: ['a'] } } },
    ]);
    assert.deepEqual((await story.logged(1)).event.metadata, { tags: ['x'] });
  }),

  contractCase('hands out frozen values', async (story) => {
    const appended = await story.append({
      role: 'assistant',
      content: [call('c')],
      lane: BRANCH,
      metadata: { deep: [{ er: 1 }] },
      usage: { inputTokens: 1 },
      asks: [{ kind: 'confirmation', id: 'q', call: 'c' }],
    });
    for (const event of appended) assertFrozen(event);
    const record = await story.compact({ lane: BRANCH });
    assertFrozen(record);
    await story.fill(2);
    assertFrozen(await story.logged(1));
    for (const row of (await story.view()).raw) assertFrozen(row);
    for (const entry of (await story.view()).records) assertFrozen(entry);
    for (const exchange of (await story.view()).exchanges.values()) assertFrozen(exchange);
    for (const obligation of await story.store.obligations(story.key)) assertFrozen(obligation);
    for (const attempt of await story.store.attempts(story.key)) assertFrozen(attempt);
    for (const state of await story.store.records(story.key)) assertFrozen(state);
    for (const invocation of await story.store.invocations(story.key)) assertFrozen(invocation);
    assertFrozen(await story.store.info(story.key));
  }),

  contractCase('makes a session with an empty batch, and refuses an unknown one elsewhere', async (story) => {
    await rejectsWith('not_found', story.view());
    await rejectsWith('not_found', story.store.page(story.key, 0, 1));
    await rejectsWith('not_found', story.store.records(story.key));
    assert.equal(await story.store.info(story.key), null);
    assert.deepEqual(await story.append(), []);
    assert.equal((await story.store.info(story.key))?.events, 0);
    assert.equal((await story.view()).through.seq, 0);
  }),

  contractCase('refuses a key that is no name', async (story) => {
    for (const session of ['', 'x'.repeat(513), '\ud800']) {
      const key = { ...story.key, session };
      await rejectsWith('invalid_event', story.store.append(key, [{ role: 'user', content: 'a' }]));
      await rejectsWith('not_found', story.store.page(key, 0, 1));
      assert.equal(await story.store.info(key), null);
    }
  }),

  contractCase('keeps apart the sessions of keys that differ in any part', async (story) => {
    const keys = [
      { app: 'a', user: 'b', session: 'c' },
      { app: 'a', user: 'c', session: 'b' },
      { app: 'a b', user: 'c', session: 'd' },
      { app: 'a', user: 'b c', session: 'd' },
      { app: 'A', user: 'b', session: 'c' },
      { app: 'a\u0000', user: 'b', session: 'c' },
      { app: '\ufffd', user: 'b', session: 'c' },
    ];
    for (const key of keys) await story.store.append(key, [{ role: 'user', content: JSON.stringify(key) }]);
    for (const key of keys) {
      const rows = await story.store.page(key, 0, 10);
      assert.deepEqual(
        rows.map((row) => row.event.content),
        [[{ type: 'text', text: JSON.stringify(key) }]],
      );
    }
    assert.equal((await story.store.sessions({ app: 'a' })).length, 3);
    assert.deepEqual(
      (await story.store.sessions()).map((info) => info.key),
      keys,
    );
  }),
];

async function eventCount(story: Story): Promise<number> {
  return (await story.store.info(story.key))?.events ?? 0;
}
