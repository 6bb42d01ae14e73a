import { describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../coverage/record.ts';
import type { View } from '../coverage/view.ts';
import { ROOT_LANE } from '../event/lane.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { BRANCH, SIBLING, Story } from '../store/testing/story.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { Palimpsest } from './palimpsest.ts';
import { PreviewStore } from './preview-store.ts';

const silent: Summarizer = {
  name: 'silent',
  format: 'prose',
  summarize: async () => ({ kind: 'declined', reason: 'test' }),
};

interface Told {
  readonly story: Story;
  readonly a: CompactionRecord;
  readonly b: CompactionRecord;
}

/** The branch's events 1 and 3, the sibling's 2 and 5, the root's 4 and 6; a record for each of the two lanes. */
async function tell(): Promise<Told> {
  const story = await Story.begin({ open: async (clock) => new MemoryStore({ clock }) });
  const lanes = [BRANCH, SIBLING, BRANCH, ROOT_LANE, SIBLING, ROOT_LANE];
  await story.append(...lanes.map((lane) => ({ role: 'user' as const, content: 'x', lane })));
  const a = await story.compact({ lane: BRANCH, seqs: [1, 3] });
  const b = await story.compact({ lane: SIBLING, seqs: [2, 5] });
  return { story, a, b };
}

/** What a view shows, but for ids. */
function shown({ raw, recovered, lanes, parted, revision, total, records }: View): unknown {
  const covered = records.map(({ firstSeq, lastSeq, covers, under }) => [firstSeq, lastSeq, covers, under]);
  return { raw, recovered, lanes, parted, revision, total, covered };
}

describe('a root view over lane records', () => {
  // Comes back when a chain ends where the view's own spans hold the event.
  it('is explained through the lane record whose summary it was made from', async () => {
    const { story, a, b } = await tell();
    const view = await story.compact({ rootView: true, seqs: [4], over: [a.id, b.id] });
    const above = await story.compact({ rootView: true, seqs: [6], supersedes: [view.id] });
    const session = new Palimpsest({ store: story.store, summarizer: silent }).session(story.key);
    const chains = await Promise.all([1, 2, 4, 6].map(async (seq) => (await session.explain(seq)).coveredBy));
    expect(chains).toEqual([
      [above.id, view.id, a.id],
      [above.id, view.id, b.id],
      [above.id, view.id],
      [above.id],
    ]);
    const explained = await session.explain(3, { reader: { agent: '', lane: BRANCH } });
    expect([explained.coveredBy, explained.otherRecords]).toEqual([[a.id], [view.id, above.id]]);
    expect(await session.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it('is previewed as it would be stored', async () => {
    const { story, a, b } = await tell();
    const preview = new PreviewStore(story.store);
    const draft = await story.draft({ rootView: true, seqs: [4], over: [a.id, b.id] });
    const attempt = await preview.takeLease(story.key, await story.leaseRequest(ROOT_LANE, true));
    if (!attempt.taken) throw new Error('the lease is free');
    const made = await preview.commit(story.key, attempt.attempt.id, draft);
    const previewed = await preview.view(story.key, ROOT_LANE, 'reader');
    const record = await story.compact({ rootView: true, seqs: [4], over: [a.id, b.id] });
    const stored = await story.view();
    const { id, attempt: by, createdAt } = record;
    expect({ ...made, id, attempt: by, createdAt }).toEqual(record);
    expect(shown(previewed)).toEqual(shown(stored));
    // The summarizer was shown two summaries, and of the events only the one they do not stand for.
    expect(
      preview.made.map(({ events, previous }) => [events.map((row) => row.event.seq), previous]),
    ).toEqual([[[4], [a, b]]]);
  });

  it('is previewed over records that are a preview too', async () => {
    const { story, a } = await tell();
    const preview = new PreviewStore(story.store);
    const draft = await story.draft({ lane: SIBLING, seqs: [] });
    const view = await story.view(SIBLING, 'lane');
    const lease = await preview.takeLease(story.key, await story.leaseRequest(SIBLING));
    if (!lease.taken) throw new Error('the lease is free');
    const supersedes = view.records.map((entry) => entry.record.id);
    const merged = await preview.commit(story.key, lease.attempt.id, { ...draft, supersedes });
    expect(await preview.spansAtRoot(story.key, [a.id, merged.id])).toEqual(
      await story.store.spansAtRoot(story.key, [a.id, ...supersedes]),
    );
    expect((await preview.spansAtRoot(story.key, [merged.id])).members).toBe(2);
  });
});
