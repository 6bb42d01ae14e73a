import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactionRecord } from '../coverage/record.ts';
import type { EventDraft } from '../event/event.ts';
import type { Lane } from '../event/lane.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { Palimpsest } from './palimpsest.ts';
import type { CompactOptions, Session } from './session.ts';

const key = { app: 'a', user: 'u', session: 's' };
const LANES: readonly Lane[] = ['', 'a', 'b', 'a.c'].map((branch) => ({ branch, isolation: '' }));

const brief: Summarizer = {
  name: 'brief',
  format: 'prose',
  summarize: async ({ events }) => ({ kind: 'summary', content: `of ${events.length}: ORD-1001` }),
};

function open(summarizer: Summarizer = brief, minimumTokens = 50): { session: Session; store: MemoryStore } {
  const store = new MemoryStore({ clock: () => 0 });
  const palimpsest = new Palimpsest({
    store,
    summarizer,
    nonce: () => '0123456789abcdef',
    minimumTokens,
  });
  return { session: palimpsest.session(key), store };
}

/** A turn whose call is answered, runs on, or is never answered. */
function turn(
  at: number,
  lane: Lane,
  words: number,
  fate: 'answered' | 'runsOn' | 'dead' = 'answered',
): readonly EventDraft[] {
  const common = { lane, invocation: `t${at}` };
  const id = `c${at}`;
  const filler = 'so it is said '.repeat(words);
  const call = { type: 'toolCall', id, name: 'look', input: { json: {} } } as const;
  const result = { type: 'toolResult', id, output: { json: filler } } as const;
  return [
    { ...common, role: 'user', content: `Order ORD-${1000 + at} at /srv/f${at}.txt, please. ${filler}` },
    { ...common, role: 'assistant', content: [call], ...(fate === 'runsOn' ? { longRunning: [id] } : {}) },
    ...(fate === 'answered' ? [{ ...common, role: 'tool' as const, content: [result] }] : []),
    { ...common, role: 'assistant', content: `Done. ${filler}` },
  ];
}

/** All that a store says of a session. */
async function everything(session: Session, store: MemoryStore): Promise<unknown> {
  const views = LANES.flatMap((lane) => [store.view(key, lane, 'reader'), store.view(key, lane, 'lane')]);
  return [await Promise.all(views), await session.records(), await session.attempts(), await session.info()];
}

/** A record without what only storing it says. */
function placeless(record: CompactionRecord): object {
  return { ...record, id: '', attempt: '', createdAt: '' };
}

describe('preview', () => {
  it('says what would be covered, and what becomes of each value', async () => {
    const { session, store } = open();
    await session.append([...turn(1, LANES[0] as Lane, 40), ...turn(2, LANES[0] as Lane, 40)]);
    const before = await everything(session, store);
    const { windows, outcomes, prompt } = await session.preview({ keep: { events: 1 } });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed']);
    expect(windows[0]?.record).toMatchObject({
      spans: [{ first: 1, last: 7 }],
      literals: { found: 4, kept: 4 },
    });
    expect(windows[0]?.literals.map(({ text, from, kind, fate }) => [text, from, kind, fate])).toEqual([
      ['ORD-1002', 'user', 'id', 'carried'],
      ['/srv/f2.txt', 'user', 'path', 'carried'],
      ['ORD-1001', 'user', 'id', 'prose'],
      ['/srv/f1.txt', 'user', 'path', 'carried'],
    ]);
    expect(prompt.accounting).toMatchObject({ raw: { events: 1 }, covered: { events: 7 } });
    expect(await everything(session, store)).toEqual(before);
  });

  // Fails when a preview writes through, or reads what it made otherwise than a store would have it.
  it('is what compact then does, in one window or many, over lanes', async () => {
    const fate = fc.constantFrom(
      'answered' as const,
      'answered' as const,
      'runsOn' as const,
      'dead' as const,
    );
    const each = fc.tuple(fc.constantFrom(...LANES), fc.nat(40), fate);
    const turns = fc.array(each, { minLength: 1, maxLength: 16 });
    const minimum = fc.constantFrom(50, 500);
    const options = fc.constantFrom<CompactOptions>(
      { keep: { events: 1 } },
      { keep: { events: 5 } },
      { sliding: { interval: 1 }, keep: { events: 1 } },
      { sliding: { interval: 2, overlap: 1 }, keep: { tokens: 200 } },
    );
    await fc.assert(
      fc.asyncProperty(turns, options, fc.boolean(), minimum, async (all, how, pinned, minimumTokens) => {
        const { session, store } = open(brief, minimumTokens);
        const stored = await session.append(
          all.flatMap(([lane, words, call], at) => turn(at, lane, words, call)),
        );
        if (pinned) await session.pin(stored.at(-1)?.seq ?? 1);
        await session.compact({ keep: { events: 20 } });
        const before = await everything(session, store);
        const preview = await session.preview(how);
        expect(await everything(session, store)).toEqual(before);
        const outcomes = await session.compact(how);
        expect(preview.outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(({ kind }) => kind));
        const made = (await session.records()).slice(-preview.windows.length || Number.POSITIVE_INFINITY);
        expect(preview.windows.map(({ record }) => placeless(record))).toEqual(
          made.map(({ record }) => placeless(record)),
        );
        const prompt = await session.prompt();
        expect(preview.prompt.accounting).toEqual(prompt.accounting);
        expect(preview.prompt.entries.map(({ kind }) => kind)).toEqual(
          prompt.entries.map(({ kind }) => kind),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('tells why nothing would be done, and what would fail', async () => {
    const failing = open({
      ...brief,
      summarize: async () => {
        throw new Error('down');
      },
    });
    await failing.session.append([...turn(1, LANES[0] as Lane, 40), ...turn(2, LANES[0] as Lane, 40)]);
    const failed = await failing.session.preview({ keep: { events: 1 } });
    expect(failed.outcomes).toMatchObject([{ kind: 'failed', reason: 'threw' }]);
    expect(failed.windows).toEqual([]);
    expect(await failing.session.attempts()).toEqual([]);
    const nothing = await failing.session.preview({ keep: { events: 100 } });
    expect(nothing.outcomes).toMatchObject([{ kind: 'nothing' }]);
  });
});
