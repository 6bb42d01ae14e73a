import assert from 'node:assert/strict';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, call, INNER, rejectsWith, result } from './story.ts';

/** Pinning: an exchange stays raw until it is given back. */
export const pinCases: readonly ContractCase[] = [
  contractCase('pins the whole exchange of an event, and says which events that is', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i' },
      { role: 'user', content: 'x', invocation: 'i' },
      { role: 'tool', content: [result('c')], invocation: 'i' },
    );
    assert.deepEqual(await story.store.pin(story.key, 3, true), [1, 3]);
    const rows = await story.store.page(story.key, 0, 10);
    assert.deepEqual(
      rows.map((row) => row.pinned),
      [true, false, true],
    );
    assert.equal((await story.store.facts(story.key, 1)).exchange.pinned, true);
    assert.deepEqual(await story.store.pin(story.key, 1, false), [1, 3]);
    assert.equal((await story.logged(3)).pinned, false);
    await rejectsWith('not_found', story.store.pin(story.key, 4, true));
  }),

  contractCase('acts at once on every record, and gives the events back to them', async (story) => {
    await story.fill(4);
    const record = await story.compact({ seqs: [1, 2, 3] });
    await story.store.pin(story.key, 2, true);
    const view = await story.view();
    assert.deepEqual(
      view.raw.map((row) => [row.event.seq, row.pinned]),
      [
        [2, true],
        [4, false],
      ],
    );
    const tokens = (await story.logged(2)).event.tokens;
    assert.deepEqual(view.records[0]?.covers, { events: 2, tokens: record.tokens.covered - tokens });
    assert.equal(view.records[0]?.record.events, 3);
    await story.store.pin(story.key, 2, false);
    assert.deepEqual(await story.rawSeqs(), [4]);
    assert.equal((await story.view()).records[0]?.covers.events, 3);
  }),

  contractCase('keeps a pinned event raw at the root, whatever covers it', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH]) await story.add(lane === undefined ? {} : { lane });
    await story.compact({ lane: BRANCH, seqs: [1] });
    const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    await story.store.pin(story.key, 1, true);
    await story.store.pin(story.key, 3, true);
    assert.deepEqual(await story.rawSeqs(), [1, 3]);
    for (const row of (await story.view(BRANCH, 'lane')).raw) assert.equal(row.under, null);
    await story.store.pin(story.key, 3, false);
    assert.equal((await story.view(BRANCH, 'lane')).raw.at(-1)?.under, view.id);
    assert.deepEqual(await story.rawSeqs(), [1]);
  }),

  contractCase('may be covered by a record, and stays raw', async (story) => {
    await story.fill(3);
    await story.store.pin(story.key, 2, true);
    const record = await story.compact({ seqs: [1, 2, 3] });
    assert.deepEqual(await story.rawSeqs(), [2]);
    await story.store.undo(story.key, record.id);
    assert.deepEqual(await story.rawSeqs(), [1, 2, 3]);
    await story.store.redo(story.key, record.id);
    await story.store.pin(story.key, 2, false);
    assert.deepEqual(await story.rawSeqs(), []);
  }),

  contractCase('raises the revisions of the lanes of its events, and of their root', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], invocation: 'i', lane: BRANCH },
      { role: 'tool', content: [result('c')], invocation: 'i', lane: INNER },
    );
    await story.store.pin(story.key, 1, true);
    assert.deepEqual(
      [await story.revision(BRANCH), await story.revision(INNER), await story.revision()],
      [2, 2, 2],
    );
    await story.store.pin(story.key, 1, false);
    assert.deepEqual(
      [await story.revision(BRANCH), await story.revision(INNER), await story.revision()],
      [3, 3, 3],
    );
  }),

  contractCase('pins what joins a pinned exchange', async (story) => {
    await story.append(
      { role: 'assistant', content: [call('c')], reply: 'r', invocation: 'i' },
      { role: 'assistant', content: [call('d')], reply: 's', invocation: 'i' },
      { role: 'user', content: 'x' },
    );
    await story.store.pin(story.key, 1, true);
    await story.compact({ seqs: [2, 3] });
    assert.deepEqual(await story.rawSeqs(), [1]);
    const revision = await story.revision();
    await story.append({ role: 'tool', content: [result('c'), result('d')], invocation: 'i' });
    assert.deepEqual(await story.rawSeqs(), [1, 2, 4]);
    assert.deepEqual(
      (await story.store.page(story.key, 0, 10)).map((row) => [row.exchange, row.pinned]),
      [
        [1, true],
        [1, true],
        [3, false],
        [1, true],
      ],
    );
    assert.equal(await story.revision(), revision + 1);
    assert.equal((await story.view()).records[0]?.covers.events, 1);
  }),
];
