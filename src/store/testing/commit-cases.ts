import assert from 'node:assert/strict';
import { recordDigest } from '../../coverage/record-digest.ts';
import type { AttemptId, RecordId } from '../../event/ids.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import type { RecordDraft } from '../session-store.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, conflictsWith, rejectsWith, SIBLING, type Story, TASK } from './story.ts';

/** Commits a draft that must be refused, and asserts that it left nothing behind but its attempt. */
async function refused(story: Story, reason: string, change: Partial<RecordDraft>): Promise<void> {
  const { lane = ROOT_LANE, rootView = false } = change;
  const draft = { ...(await story.draft({ lane, rootView })), ...change };
  const attempt = await story.lease(draft.lane, draft.rootView);
  const before = JSON.stringify([await story.view(), await story.store.records(story.key)]);
  await conflictsWith(reason, story.store.commit(story.key, attempt.id, draft));
  assert.equal(JSON.stringify([await story.view(), await story.store.records(story.key)]), before);
  const [last] = await story.store.attempts(story.key, { newest: 1 });
  assert.equal(last?.state, 'started');
  await story.store.endAttempt(story.key, attempt.id, { state: 'discarded', reason });
}

/** Commits: what a record becomes, and every reason to refuse one. */
export const commitCases: readonly ContractCase[] = [
  contractCase('makes a record of a draft and ends its attempt', async (story) => {
    await story.fill(4);
    const draft = await story.draft({ seqs: [1, 2, 4] });
    const attempt = await story.lease();
    story.wait(5);
    const record = await story.store.commit(story.key, attempt.id, draft);
    const { members, tokens, ...rest } = draft;
    const rows = await story.store.page(story.key, 0, 10);
    const covered = [0, 1, 3].reduce((sum, at) => sum + (rows[at]?.event.tokens ?? 0), 0);
    assert.deepEqual(record, {
      ...rest,
      id: record.id,
      attempt: attempt.id,
      revision: 2,
      level: 1,
      digest: record.digest,
      tokens: { covered, summary: tokens.summary },
      events: members,
      createdAt: new Date(story.now()).toISOString(),
    });
    assert.deepEqual(record.spans, [
      { first: 1, last: 2 },
      { first: 4, last: 4 },
    ]);
    assert.deepEqual(await story.store.records(story.key), [{ record, undone: false }]);
    assert.equal(await story.revision(), 2);
    const [ended] = await story.store.attempts(story.key);
    assert.deepEqual([ended?.state, ended?.record, ended?.usage], ['committed', record.id, draft.usage]);
    assert.deepEqual(await story.rawSeqs(), [3]);
  }),

  contractCase('takes a digest that can be taken again', async (story) => {
    await story.fill(5);
    const first = await story.compact({ seqs: [1, 2] });
    const merged = await story.compact({ seqs: [4], supersedes: [first.id] });
    const rows = await story.store.page(story.key, 0, 10);
    const hashes = (seqs: readonly number[]): readonly string[] =>
      rows.filter((row) => seqs.includes(row.event.seq)).map((row) => row.hash);
    assert.equal(
      first.digest,
      recordDigest({ ...first, eventHashes: hashes([1, 2]), supersededDigests: [], overDigests: [] }),
    );
    assert.equal(
      merged.digest,
      recordDigest({
        ...merged,
        eventHashes: hashes([4]),
        supersededDigests: [first.digest],
        overDigests: [],
      }),
    );
  }),

  contractCase('lets a record replace others, without their events', async (story) => {
    await story.fill(6);
    const a = await story.compact({ seqs: [1, 2] });
    const b = await story.compact({ seqs: [3, 4] });
    const merged = await story.compact({ seqs: [], supersedes: [a.id, b.id] });
    assert.deepEqual(merged.spans, []);
    assert.deepEqual([merged.level, merged.events], [2, 4]);
    assert.equal(merged.tokens.covered, a.tokens.covered + b.tokens.covered);
    const view = await story.view();
    assert.deepEqual(
      view.records.map((entry) => [entry.record.id, entry.firstSeq, entry.lastSeq]),
      [[merged.id, 1, 4]],
    );
    assert.deepEqual(await story.rawSeqs(), [5, 6]);
    const top = await story.compact({ seqs: [5], supersedes: [merged.id] });
    assert.deepEqual([top.level, top.events], [3, 5]);
    assert.deepEqual(await story.recordIds(), [top.id]);
    assert.deepEqual(
      (await story.store.records(story.key)).map((state) => state.record.id),
      [a.id, b.id, merged.id, top.id],
    );
  }),

  contractCase('lets events appended meanwhile stay raw', async (story) => {
    await story.fill(3);
    const draft = await story.draft();
    const attempt = await story.lease();
    await story.fill(2);
    await story.store.commit(story.key, attempt.id, draft);
    assert.deepEqual(await story.rawSeqs(), [4, 5]);
  }),

  contractCase('spans a record over events of other lanes without covering them', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH, TASK, BRANCH]) {
      await story.add(lane === undefined ? {} : { lane });
    }
    const record = await story.compact({ lane: BRANCH });
    assert.deepEqual(record.spans, [{ first: 1, last: 5 }]);
    assert.equal(record.events, 3);
    assert.deepEqual(await story.rawSeqs(), [2]);
    assert.deepEqual(await story.rawSeqs(TASK), [4]);
  }),

  contractCase('refuses a commit without a started attempt that holds the lease', async (story) => {
    await story.fill(4);
    await conflictsWith('attempt', story.store.commit(story.key, 'nobody' as AttemptId, await story.draft()));
    const other = await story.lease(BRANCH);
    await conflictsWith('lease', story.store.commit(story.key, other.id, await story.draft()));
    const attempt = await story.lease();
    const draft = await story.draft();
    await conflictsWith('attempt', story.store.commit(story.key, attempt.id, { ...draft, rootView: true }));
    await story.store.commit(story.key, attempt.id, draft);
    await conflictsWith('attempt', story.store.commit(story.key, attempt.id, draft));
  }),

  contractCase('refuses a commit planned from another revision', async (story) => {
    await story.fill(4);
    const draft = await story.draft();
    const attempt = await story.lease();
    await story.store.pin(story.key, 4, true);
    await conflictsWith('revision', story.store.commit(story.key, attempt.id, draft));
    assert.deepEqual(await story.store.records(story.key), []);
  }),

  contractCase(
    'refuses a record that replaces what is not live, or of another kind or lane',
    async (story) => {
      await story.append(
        { role: 'user', content: 'a', lane: BRANCH },
        ...Array.from({ length: 6 }, () => ({ role: 'user' as const, content: 'b' })),
      );
      const branch = await story.compact({ lane: BRANCH, seqs: [1] });
      const old = await story.compact({ seqs: [2] });
      const merged = await story.compact({ seqs: [3], supersedes: [old.id] });
      const view = await story.compact({ rootView: true, seqs: [6] });
      const undone = await story.compact({ seqs: [4] });
      await story.store.undo(story.key, undone.id);
      for (const id of [old.id, branch.id, view.id, undone.id, 'unknown' as RecordId]) {
        await refused(story, 'superseded', { supersedes: [merged.id, id], spans: [], members: 0 });
      }
    },
  ),

  contractCase('refuses spans that do not hold what the summarizer was shown', async (story) => {
    await story.append(
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b', lane: BRANCH },
      { role: 'user', content: 'c' },
      { role: 'user', content: 'd' },
    );
    const spans = [{ first: 1, last: 3 }];
    await refused(story, 'window', { spans, members: 3 });
    await refused(story, 'window', { spans, members: 1 });
    await refused(story, 'window', { spans: [], members: 0 });
    await refused(story, 'window', { spans: [{ first: 3, last: 9 }], members: 2 });
    // Sorted, disjoint, whole, ending on events of the lane.
    await refused(story, 'window', { spans: [{ first: 2, last: 3 }], members: 1 });
    await refused(story, 'window', { spans: [{ first: 1, last: 2 }], members: 1 });
    await refused(story, 'window', { spans: [{ first: 3, last: 1 }], members: 1 });
    await refused(story, 'window', { spans: [{ first: 0, last: 1 }], members: 1 });
    await refused(story, 'window', { spans: [{ first: 1.5, last: 3 }], members: 1 });
    await refused(story, 'window', {
      spans: [
        { first: 3, last: 4 },
        { first: 1, last: 1 },
      ],
      members: 3,
    });
    await refused(story, 'window', {
      spans: [
        { first: 1, last: 3 },
        { first: 3, last: 4 },
      ],
      members: 4,
    });
    await refused(story, 'window', {
      lane: BRANCH,
      rootView: true,
      spans: [{ first: 2, last: 2 }],
      members: 1,
    });
  }),

  contractCase('refuses spans that touch another live record of the lane', async (story) => {
    await story.fill(6);
    const first = await story.compact({ seqs: [2, 3] });
    await refused(story, 'overlap', { spans: [{ first: 1, last: 4 }], members: 4 });
    await refused(story, 'overlap', { spans: [{ first: 3, last: 5 }], members: 3 });
    // What it replaces may be touched, and a hole of it may be covered.
    const merged = await story.compact({ seqs: [1, 4], supersedes: [first.id] });
    assert.deepEqual(await story.recordIds(), [merged.id]);
    await story.compact({ seqs: [5] });
    const holey = await story.draft({ seqs: [6] });
    assert.deepEqual(holey.spans, [{ first: 6, last: 6 }]);
  }),

  contractCase('refuses a root view over another, or over part of a lane record', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH, undefined, SIBLING, undefined]) {
      await story.add(lane === undefined ? {} : { lane });
    }
    const lane = await story.compact({ lane: BRANCH, seqs: [1, 3] });
    await refused(story, 'overlap', { rootView: true, spans: [{ first: 1, last: 2 }], members: 2 });
    const view = await story.compact({ rootView: true, seqs: [1, 2, 3] });
    await refused(story, 'overlap', { rootView: true, spans: [{ first: 2, last: 4 }], members: 3 });
    assert.deepEqual(await story.recordIds(BRANCH), [lane.id]);
    const wider = await story.compact({ rootView: true, seqs: [4, 5], supersedes: [view.id] });
    assert.deepEqual(await story.recordIds(), [wider.id]);
    assert.deepEqual(await story.rawSeqs(), [6]);
  }),

  contractCase('refuses a lane record that lies partly inside a live root view', async (story) => {
    for (const lane of [BRANCH, undefined, BRANCH, BRANCH])
      await story.add(lane === undefined ? {} : { lane });
    await story.compact({ rootView: true, seqs: [1, 2, 3] });
    await refused(story, 'overlap', { lane: BRANCH, spans: [{ first: 1, last: 4 }], members: 3 });
    const inside = await story.compact({ lane: BRANCH, seqs: [1, 3] });
    const outside = await story.compact({ lane: BRANCH, seqs: [4] });
    assert.deepEqual(await story.recordIds(BRANCH), [inside.id, outside.id]);
    const supersedes = [inside.id, outside.id];
    await refused(story, 'overlap', { lane: BRANCH, spans: [], members: 0, supersedes });
  }),

  contractCase('refuses to cover an event twice, through what a record replaces', async (story) => {
    await story.fill(4);
    const first = await story.compact({ seqs: [1, 2] });
    await refused(story, 'overlap', { spans: [{ first: 2, last: 3 }], members: 2, supersedes: [first.id] });
    await refused(story, 'superseded', { spans: [], members: 0, supersedes: [first.id, first.id] });
  }),

  contractCase('keeps a root view to its isolation', async (story) => {
    for (const lane of [ROOT_LANE, TASK, BRANCH]) await story.add({ lane });
    const view = await story.compact({ rootView: true, seqs: [1, 3] });
    assert.deepEqual(view.spans, [{ first: 1, last: 3 }]);
    assert.equal(view.events, 2);
    assert.deepEqual(await story.rawSeqs(TASK), [2]);
    assert.deepEqual(await story.recordIds(TASK), []);
  }),

  contractCase('says that an unknown record or session is', async (story) => {
    await rejectsWith('not_found', story.store.commit(story.key, 'x' as AttemptId, {} as RecordDraft));
    await story.fill(1);
    await rejectsWith('not_found', story.store.undo(story.key, 'x' as RecordId));
    await rejectsWith('not_found', story.store.redo(story.key, 'x' as RecordId));
  }),
];
