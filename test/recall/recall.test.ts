// What a session tells a model that asks for what its prompt no longer shows.
import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import { recallTool } from '../../src/engine/recall/recall-tool.ts';
import { ConfigError, StoreError } from '../../src/event/errors.ts';
import type { Lane } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { answers, calls } from '../known-faults/reading.ts';
import { branch, isolated, Plain, ROOT } from '../world/plain-session.ts';
import { recalled, recalledSeqs } from './reading.ts';

const LOREM = 'lorem '.repeat(40);

/** Ten events of the root lane, eight of them covered by two records. */
async function compacted(): Promise<Plain> {
  const plain = new Plain();
  for (let at = 1; at <= 10; at += 1) {
    await plain.session.append([
      { id: `id-${at}`, role: 'user', author: 'ann', content: `number ${at} of ten\n${LOREM}` },
    ]);
    if (at === 6) await plain.session.compact({ keep: { events: 2 } });
  }
  await plain.session.compact({ keep: { events: 2 } });
  return plain;
}

describe('recall', () => {
  it('finds by words what is covered, and shows who said it', async () => {
    const { session } = await compacted();
    const { text, tokens, seqs } = await session.recall({ words: 'Number 7' });
    expect(seqs[0]).toBe(7);
    expect(seqs.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(text).toMatch(/\[event 7, user "ann", fence [0-9a-f]{16}\]\nnumber 7 of ten\n/u);
    expect(tokens).toBeLessThanOrEqual(2_000);
    expect(await recalled(session, { words: 'nowhere' })).toMatch(/^\[recall: no event [^\n]*\]$/u);
  });

  // Brought back by taking what was read back for what was said: it holds all the words there are.
  it('does not find itself again', async () => {
    const { session } = await compacted();
    const tool = recallTool(session);
    const input = { words: 'number 7' };
    for (const output of [
      { json: await tool.execute(input) },
      { parts: [{ type: 'text' as const, text: await tool.execute(input) }] },
    ]) {
      await session.append([
        {
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'c', name: 'recall', input: { json: input } }],
        },
        { role: 'tool', content: [{ type: 'toolResult', id: 'c', output }] },
      ]);
    }
    await session.append([{ role: 'user', content: 'tail' }]);
    await session.compact({ keep: { events: 1 } });
    expect(await recalledSeqs(session, { events: [12, 14] })).toEqual([12, 14]);
    const { seqs } = await session.recall(input);
    expect(seqs[0]).toBe(7);
    expect(Math.max(...seqs)).toBe(10);
  });

  it('gives the next best when the best were seen', async () => {
    const plain = new Plain();
    const { session } = plain;
    for (let at = 1; at <= 30; at += 1) {
      await session.append([{ role: 'user', content: `needle ${'straw '.repeat(200)}` }]);
    }
    await session.append([{ role: 'user', content: 'raw' }]);
    await session.compact({ keep: { events: 1 } });
    const seen: number[] = [];
    const notes: (string | undefined)[] = [];
    let first = 0;
    for (;;) {
      const { text, seqs } = await session.recall({ words: 'needle', skip: seen.length });
      if (seqs.length === 0) break;
      seen.push(...seqs);
      first ||= seqs.length;
      notes.push(/\[(\d+ more events hold some of the words; ask again with skip \d+)/u.exec(text)?.[1]);
    }
    expect(notes.length).toBeGreaterThan(2);
    expect(notes.at(-1)).toBeUndefined();
    expect(notes[0]).toBe(`${30 - first} more events hold some of the words; ask again with skip ${first}`);
    expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => 30 - at));
    expect(await recalled(session, { words: 'needle', skip: 30 })).toBe(
      '[recall: no more events hold these words]',
    );
  });

  it('reads events by seq and by id, raw ones too, and says which are none', async () => {
    const { session } = await compacted();
    expect(await recalledSeqs(session, { events: [9, 2, 'id-4', '3', 2] })).toEqual([9, 2, 4, 3]);
    const text = await recalled(session, { events: [1, 11, 'id-99', 0, 12] });
    expect(text).toContain('[no such event: 11, "id-99", 0 and 1 more, fence ');
    expect(await recalled(session, { events: [11] })).toBe('[recall: no such event: 11]');
  });

  it('reads a span in order, the newest where not all fit, and goes on from there', async () => {
    const plain = new Plain();
    const { session } = plain;
    for (let at = 1; at <= 70; at += 1) {
      await session.append([{ role: 'user', content: `${at} ${'straw '.repeat(100)}` }]);
    }
    await session.compact({ keep: { events: 5 } });
    const seen: number[] = [];
    for (let to = 64; to > 0; ) {
      const { text, seqs } = await session.recall({ from: 3, to });
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      expect(seqs.at(-1)).toBe(to);
      seen.unshift(...seqs);
      const next = /older events are not shown; to read on, ask with from 3 and to (\d+),/u.exec(text);
      to = Number(next?.[1] ?? 0);
    }
    expect(seen).toEqual(Array.from({ length: 62 }, (_, at) => at + 3));
    expect(await recalled(session, { from: 71 })).toBe('[recall: no such events]');
  });

  it('reads what a record covers', async () => {
    const { session } = await compacted();
    const [first, second] = (await session.records()).map(({ record }) => record);
    expect(await recalledSeqs(session, { record: first?.id ?? '' })).toEqual([1, 2, 3, 4]);
    expect(await recalledSeqs(session, { record: second?.id ?? '' })).toEqual([5, 6, 7, 8]);
    expect(await recalledSeqs(session, { record: second?.id ?? '', to: 6 })).toEqual([5, 6]);
    expect(await recalled(session, { record: 'none' })).toBe('[recall: no such record]');
  });

  it('reads a large event on from where it was cut', async () => {
    const plain = new Plain();
    const long = Array.from({ length: 4_000 }, (_, at) => `line ${at}`).join('\n');
    await plain.session.append([calls('a'), answers('a', long), { role: 'user', content: 'next' }]);
    const first = await recalled(plain.session, { events: [2] });
    expect(first).toContain('"line 0\\nline 1\\nline 2');
    expect(first).toContain('line 3999"');
    const offset = Number(/to read on: events \[2\], offset (\d+)/u.exec(first)?.[1]);
    const second = await recalled(plain.session, { events: [2], offset });
    expect(second).toContain(`, from character ${offset} of `);
    const beyond = await recalled(plain.session, { events: [2], offset: 10_000_000 });
    expect(beyond).toContain('characters end before that offset');
  });

  it('shows the part of a large event that holds the words', async () => {
    const plain = new Plain();
    const output = `${'all is well\n'.repeat(3_000)}panic: E4711 at src/gate.ts:12\n${'all is well\n'.repeat(3_000)}`;
    await plain.session.append([calls('a'), answers('a', output), { role: 'user', content: 'next' }]);
    await plain.session.compact({ keep: { events: 1 } });
    const text = await recalled(plain.session, { words: 'E4711 gate.ts' });
    expect(text).toContain('panic: E4711 at src/gate.ts:12');
  });

  it('says in a line what is wrong, and nothing was said before the first event', async () => {
    const plain = new Plain();
    expect(await recalled(plain.session, { words: 'a' })).toBe('[recall: nothing was said yet]');
    expect(await recalled(plain.session, { from: 1 })).toMatch(/^\[recall: [^\n]+\]$/u);
    expect(await recalled(plain.session, {})).toMatch(/^\[recall: give words [^\n]+\]$/u);
    await expect(plain.session.recall({ words: 'a' }, { maxTokens: 399 })).rejects.toThrow(ConfigError);
    expect(() => recallTool(plain.session, { maxTokens: 0.5 })).toThrow('maxTokens must be a whole number');
  });
});

describe('what a reader may not see', () => {
  const secret: Lane = isolated('task');
  const sibling = branch('b');

  // Brought back by asking the store for an event and not for whom: row 37.
  it.each([
    ['another isolation', secret, ROOT],
    ['another isolation, seen from it', ROOT, secret],
    ['a sibling branch', sibling, branch('a')],
    ['a branch below', branch('a.inner'), branch('a')],
  ])('is as if it were not there: %s', async (_name, said, reader) => {
    const plain = new Plain();
    const { session } = plain;
    await session.append([
      { role: 'user', content: `mine ${LOREM}`, lane: reader },
      { id: 'hidden', role: 'user', author: 'eve', content: `needle in the hay ${LOREM}`, lane: said },
      { role: 'user', content: 'tail', lane: said },
      { role: 'user', content: 'tail', lane: reader },
    ]);
    for (const lane of [said, reader])
      await session.compact({ reader: { agent: '', lane }, keep: { events: 1 } });
    const records = (await session.records()).filter(
      ({ record }) => record.lane.branch === said.branch && record.lane.isolation === said.isolation,
    );
    const { id } = records[0]?.record ?? { id: 'no record' };
    const as = (request: Parameters<typeof recalled>[1]): Promise<string> =>
      recalled(session, request, reader);
    expect(await as({ events: [2] })).toBe((await as({ events: [99] })).replace('99', '2'));
    expect(await as({ events: ['hidden'] })).toBe(
      (await as({ events: ['absent'] })).replace('absent', 'hidden'),
    );
    expect(await as({ from: 2, to: 3 })).toBe(await as({ from: 98, to: 99 }));
    expect(await as({ words: 'needle hay' })).toBe(await as({ words: 'nothing such' }));
    expect(await as({ record: id })).toBe(await as({ record: 'absent' }));
    expect(id).not.toBe('no record');
    expect(await recalledSeqs(session, { from: 1, to: 4 }, reader)).toEqual([1, 4]);
    expect(await recalledSeqs(session, { words: 'needle' }, said)).toEqual([2]);
  });

  it('a root view is no record to a branch', async () => {
    const plain = new Plain({ sliding: { interval: 2 } });
    for (const name of ['a', 'b', 'c', 'd']) await plain.turn(branch(name));
    const view = (await plain.session.records()).find(({ record }) => record.rootView)?.record;
    expect(await recalledSeqs(plain.session, { record: view?.id ?? '' })).toEqual([1, 2, 3, 4]);
    expect(await recalled(plain.session, { record: view?.id ?? '' }, branch('a'))).toBe(
      '[recall: no such record]',
    );
  });
});

describe('the tool', () => {
  it('answers whatever it is sent, and never rejects', async () => {
    const { session } = await compacted();
    const tool = recallTool(session);
    const hostile = {
      get words(): string {
        throw new Error('k1k no');
      },
    };
    for (const input of [
      undefined,
      null,
      3,
      [],
      {},
      '',
      '{',
      { words: {} },
      { events: [null, {}] },
      hostile,
    ]) {
      expect(await tool.execute(input)).toMatch(/^\[recall: [^\n]+\]$/u);
    }
    expect(await tool.execute('number 7')).toContain('number 7 of ten');
    expect(await tool.execute({ events: [2] })).toContain('number 2 of ten');
  });

  // Row 98: brought back by an answer made of the error's message or its cause.
  it('says nothing of a failure but that it failed', async () => {
    const store = new MemoryStore();
    const session = new Palimpsest({ store }).session({ app: 'a', user: 'u', session: 's' });
    await session.append([{ role: 'user', content: 'x' }]);
    store.search = () => Promise.reject(new StoreError('search', { problem: 'sk-live-4242', cause: 'k1k' }));
    store.events = () => Promise.reject(new Error('sk-live-4242'));
    const tool = recallTool(session);
    expect(await tool.execute({ words: 'x' })).toBe('[recall: failed (store); it may work later]');
    expect(await tool.execute({ events: [1] })).toBe('[recall: failed; it may work later]');
  });

  it('is for its reader', async () => {
    const plain = new Plain();
    await plain.session.append([{ role: 'user', content: 'secret', lane: isolated('task') }]);
    const reader = { agent: '', lane: isolated('task') };
    expect(await recallTool(plain.session, { reader }).execute({ events: [1] })).toContain('secret');
    expect(await recallTool(plain.session).execute({ events: [1] })).toBe('[recall: no such event: 1]');
  });
});
