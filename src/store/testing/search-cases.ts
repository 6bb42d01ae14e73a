import assert from 'node:assert/strict';
import type { Seq } from '../../event/ids.ts';
import { type Lane, ROOT_LANE } from '../../event/lane.ts';
import { type ContractCase, contractCase, reopenedCase, sharedCase } from './contract-case.ts';
import { assertFrozen, BRANCH, INNER, rejectsWith, SIBLING, type Story, TASK, TASK_BRANCH } from './story.ts';

/** Covered texts, what is typed to find each, and what is typed and does not. */
const TEXTS: readonly {
  readonly text: string;
  readonly found: readonly string[];
  readonly not?: readonly string[];
}[] = [
  {
    text: 'The Dépôt in Málaga closes at noon.',
    found: ['depot', 'MÁLAGA', 'malaga noon', 'Depo\u0302t'],
    not: ['dep', 'close', 'midnight'],
  },
  {
    text: 'It failed in src/foo_bar.ts:12 with TS2345.',
    found: [
      'src/foo_bar.ts',
      'foo_bar',
      'foo',
      'bar.ts',
      'ts2345',
      '2345',
      'src\\foo_bar.ts',
      './foo_bar.ts:12',
    ],
    not: ['fo', 'baz.go', '234'],
  },
  {
    text: 'ERR_MODULE_NOT_FOUND while getUserName ran',
    found: ['err_module_not_found', 'MODULE_NOT_FOUND', 'getusername', 'user', 'getUserName()'],
    not: ['usernam'],
  },
  {
    text: 'commit 3fa8c1d9e0b1a2c3d4e5f60718293a4b5c6d7e8f',
    found: ['3fa8c1d', '3fa8c1d9e', '3FA8C1D9E0B1A2C3D4E5F60718293A4B5C6D7E8F'],
    not: ['9e0b1a2'],
  },
  { text: '東京都庁は新宿にあります', found: ['新宿', '東京', '都庁は', '庁'], not: ['京東', '大阪'] },
  { text: '会议改到星期三下午', found: ['星期三', '会议', '下午三'], not: ['星座'] },
  { text: '데이터베이스를 옮겼다', found: ['데이터베이스', '옮겼다'], not: ['서버'] },
  { text: 'การประชุมเลื่อนไปวันพุธ', found: ['ประชุม', 'วันพุธ'] },
  { text: 'Die Straße heißt ΟΔΌΣ', found: ['STRASSE', 'strasse', 'οδός', 'οδοσ'], not: ['gasse'] },
  { text: 'ｶﾞｿﾘﾝ ＡＢＣ', found: ['ガソリン', 'abc'] },
  { text: 'كِتَابٌ', found: ['كتاب'] },
  { text: 'a 𠮷野 family', found: ['𠮷野', '𠮷'] },
  { text: '{"log":"one\\nsecond\\tthird"}', found: ['second', 'third', 'log'] },
];

/** Whatever a model may type: words, or nothing. */
const TYPED: readonly string[] = [
  '"',
  '""',
  '"needle',
  'needle"',
  "'needle'",
  'needle AND',
  'needle OR NOT',
  'NEAR(needle, 2)',
  'needle*',
  '*',
  '^needle',
  '-needle',
  '+needle',
  'terms:needle',
  '{terms}: needle',
  '(needle',
  ')',
  'needle;--',
  'needle\u0000',
  '\u0000',
  'needle\ud800',
  '\udc00',
  '\ue000l1',
  'needle \ue000r1',
  '\u00b7',
  'needle\u00b7needle',
  '%',
  '_',
  '\\',
  `needle ${'x'.repeat(100_000)}`,
  Array.from({ length: 500 }, (_, at) => `needle${at}`).join(' needle '),
];

async function search(story: Story, text: string, lane: Lane = ROOT_LANE): Promise<readonly Seq[]> {
  const { events, matches } = await story.store.search(story.key, { lane, text, limit: 100 });
  assert.equal(matches, events.length);
  return events.map((row) => row.event.seq);
}

function inOrder(seqs: readonly Seq[]): readonly Seq[] {
  return seqs.toSorted((a, b) => a - b);
}

/** Finding covered events by their words. */
export const searchCases: readonly ContractCase[] = [
  contractCase('finds what is covered, and not what is raw', async (story) => {
    await story.append(
      { role: 'user', content: 'needle one' },
      { role: 'assistant', content: 'needle two' },
      { role: 'user', content: 'needle three' },
    );
    assert.deepEqual(await search(story, 'needle'), []);
    await story.compact({ seqs: [1, 2] });
    assert.deepEqual(await search(story, 'needle'), [2, 1]);
    assert.deepEqual(await search(story, 'one'), [1]);
    assert.deepEqual(await search(story, 'three'), []);
    const { events } = await story.store.search(story.key, { lane: ROOT_LANE, text: 'two', limit: 1 });
    assert.deepEqual(events, [await story.logged(2)]);
    assertFrozen(events);
  }),

  contractCase('finds words of any script, and names whole and by part', async (story) => {
    await story.append(...TEXTS.map(({ text }) => ({ role: 'user' as const, content: text })));
    await story.compact();
    for (const [at, { found, not = [] }] of TEXTS.entries()) {
      for (const typed of found) {
        assert.equal((await search(story, typed))[0], at + 1, `text ${at + 1} is not what ${typed} finds`);
      }
      for (const typed of not) {
        const seqs = await search(story, typed);
        assert(!seqs.includes(at + 1), `text ${at + 1} is found by ${typed}`);
      }
    }
  }),

  contractCase('takes whatever is typed for words', async (story) => {
    await story.append({ role: 'user', content: 'the needle' }, { role: 'user', content: 'a plain text' });
    await story.compact();
    for (const typed of TYPED) {
      assert.deepEqual(await search(story, typed), typed.includes('needle') ? [1] : [], typed.slice(0, 40));
    }
    for (const typed of ['needle AND plain', 'needle NOT plain', 'NEAR plain needle']) {
      assert.deepEqual(inOrder(await search(story, typed)), [1, 2], typed);
    }
    assert.deepEqual(await search(story, ''), []);
    assert.deepEqual(await search(story, ' .,; '), []);
  }),

  contractCase('puts first what holds more words, and rarer ones, then the newer', async (story) => {
    const say = (content: string) => ({ role: 'user' as const, content });
    await story.append(say('red'), say('red blue'), say('blue'), say('red'), say('gray'), say('red'));
    await story.compact();
    assert.deepEqual((await search(story, 'red')).slice(0, 3), [6, 4, 1]);
    assert.deepEqual(await search(story, 'red blue'), [2, 3, 6, 4, 1]);
    assert.deepEqual(await search(story, 'gray red'), [5, 6, 4, 1, 2]);
    assert.deepEqual(await search(story, 'blue red red red'), await search(story, 'blue red'));
  }),

  contractCase('puts a short event before a long one that holds the same words', async (story) => {
    await story.append(
      { role: 'user', content: 'the needle' },
      { role: 'user', content: `needle ${'hay and straw '.repeat(4_000)}` },
    );
    await story.compact();
    assert.deepEqual(await search(story, 'needle'), [1, 2]);
  }),

  contractCase('gives at most what it is asked for, and says how much there is', async (story) => {
    await story.fill(5);
    await story.compact();
    const at = async (limit: number): Promise<readonly unknown[]> => {
      const { events, matches } = await story.store.search(story.key, {
        lane: ROOT_LANE,
        text: 'text',
        limit,
      });
      return [events.map((row) => row.event.seq), matches];
    };
    assert.deepEqual(await at(2), [[5, 4], 5]);
    assert.deepEqual(await at(0), [[], 5]);
    assert.deepEqual(await at(-1), [[], 5]);
  }),

  contractCase('looks at the newest thousand that hold a word', async (story) => {
    await story.append(
      ...Array.from({ length: 1_003 }, (_, at) => ({
        role: 'user' as const,
        content: at === 1 ? 'text needle' : 'text',
      })),
    );
    const rows = await story.store.page(story.key, 0, 2_000);
    const draft = await story.draft({ seqs: [] });
    const attempt = await story.lease();
    const members = rows.length;
    await story.store.commit(story.key, attempt.id, {
      ...draft,
      spans: [{ first: 1, last: members }],
      members,
    });
    const { events, matches } = await story.store.search(story.key, {
      lane: ROOT_LANE,
      text: 'text needle',
      limit: 1,
    });
    assert.deepEqual([events[0]?.event.seq, matches], [2, 1_001]);
  }),

  contractCase('finds for a reader what it may see, covered for it', async (story) => {
    const lanes = [ROOT_LANE, BRANCH, INNER, SIBLING, TASK, TASK_BRANCH];
    await story.append(...lanes.map((lane) => ({ role: 'user' as const, content: 'needle', lane })));
    for (const [at, lane] of lanes.entries()) await story.compact({ lane, seqs: [at + 1] });
    assert.deepEqual(await search(story, 'needle', ROOT_LANE), [4, 3, 2, 1]);
    assert.deepEqual(await search(story, 'needle', BRANCH), [2, 1]);
    assert.deepEqual(await search(story, 'needle', INNER), [3, 2, 1]);
    assert.deepEqual(await search(story, 'needle', SIBLING), [4, 1]);
    assert.deepEqual(await search(story, 'needle', TASK), [6, 5]);
    assert.deepEqual(await search(story, 'needle', TASK_BRANCH), [6, 5]);
    assert.deepEqual(await search(story, 'needle', { branch: 'ab', isolation: '' }), [1]);
    assert.deepEqual(await search(story, 'needle', { branch: '', isolation: 'other' }), []);
  }),

  contractCase('ranks by what the reader may see, and nothing else', async (story) => {
    const say = (content: string, lane: Lane = ROOT_LANE) => ({ role: 'user' as const, content, lane });
    await story.append(
      say('red'),
      say('blue'),
      say('blue'),
      ...Array.from({ length: 9 }, () => say('red', TASK)),
    );
    await story.compact({ seqs: [1, 2, 3] });
    const before = await search(story, 'red blue');
    await story.compact({ lane: TASK });
    assert.deepEqual(before, [1, 3, 2]);
    assert.deepEqual(await search(story, 'red blue'), before);
  }),

  contractCase('finds at the root what a root view covers, and for no branch', async (story) => {
    await story.append(
      { role: 'user', content: 'needle' },
      { role: 'user', content: 'needle', lane: BRANCH },
      { role: 'user', content: 'needle', lane: SIBLING },
    );
    const view = await story.compact({ rootView: true, seqs: [1, 2] });
    assert.deepEqual(await search(story, 'needle'), [2, 1]);
    assert.deepEqual(await search(story, 'needle', BRANCH), []);
    await story.compact({ lane: BRANCH, seqs: [2] });
    assert.deepEqual(await search(story, 'needle', BRANCH), [2]);
    await story.store.undo(story.key, view.id);
    assert.deepEqual(await search(story, 'needle'), [2]);
  }),

  contractCase('finds after a merge, an undo, a redo and a pin what is covered then', async (story) => {
    await story.append(...[1, 2, 3, 4].map((at) => ({ role: 'user' as const, content: `needle ${at}` })));
    const first = await story.compact({ seqs: [1, 2] });
    const second = await story.compact({ seqs: [3] });
    const merged = await story.compact({ seqs: [], supersedes: [first.id, second.id] });
    assert.deepEqual(await search(story, 'needle'), [3, 2, 1]);
    await story.store.undo(story.key, merged.id);
    assert.deepEqual(await search(story, 'needle'), [3, 2, 1]);
    await story.store.undo(story.key, first.id);
    assert.deepEqual(await search(story, 'needle'), [3]);
    await story.compact({ seqs: [2, 4] });
    assert.deepEqual(await search(story, 'needle'), [4, 3, 2]);
    await story.store.pin(story.key, 3, true);
    assert.deepEqual(await search(story, 'needle'), [4, 2]);
    await story.store.undo(story.key, second.id);
    await story.store.redo(story.key, second.id);
    assert.deepEqual(await search(story, 'needle'), [4, 2]);
    await story.store.pin(story.key, 3, false);
    assert.deepEqual(await search(story, 'needle'), [4, 3, 2]);
  }),

  contractCase('finds in a fork what is covered there, by itself', async (story) => {
    await story.append(
      ...[ROOT_LANE, ROOT_LANE, BRANCH, ROOT_LANE, ROOT_LANE].map((lane) => ({
        role: 'user' as const,
        content: 'needle',
        lane,
      })),
    );
    await story.compact({ seqs: [1, 2] });
    await story.compact({ lane: BRANCH, seqs: [3] });
    const late = await story.compact({ seqs: [4, 5] });
    const fork = { ...story.key, session: 'fork' };
    await story.store.fork(story.key, 4, fork);
    const found = async (lane: Lane): Promise<readonly Seq[]> =>
      (await story.store.search(fork, { lane, text: 'needle', limit: 9 })).events.map((row) => row.event.seq);
    assert.deepEqual(await found(ROOT_LANE), [3, 2, 1]);
    assert.deepEqual(await found(BRANCH), [3, 2, 1]);
    await story.store.undo(story.key, late.id);
    assert.deepEqual(await found(ROOT_LANE), [3, 2, 1]);
    assert.deepEqual(await search(story, 'needle'), [3, 2, 1]);
  }),

  contractCase('reads tools, code and refusals, and neither reasoning nor ids of calls', async (story) => {
    await story.append(
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'secretly' },
          { type: 'refusal', text: 'refusing' },
          { type: 'code', language: 'python', code: 'print(alpha)' },
          { type: 'codeResult', outcome: 'ok', output: 'beta' },
          { type: 'media', kind: 'image', mimeType: 'image/png', data: 'aGVsbG8=', name: 'gamma.png' },
          { type: 'opaque', provider: 'openai', kind: 'web', json: { delta: 'hidden' } },
          { type: 'toolCall', id: 'identified', name: 'lookup', input: { json: { path: 'epsilon.md' } } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'toolResult', id: 'identified', output: { parts: [{ type: 'text', text: 'zeta' }] } },
        ],
      },
    );
    await story.compact();
    for (const [typed, seqs] of [
      ['refusing', [1]],
      ['alpha', [1]],
      ['beta', [1]],
      ['gamma', [1]],
      ['epsilon.md', [1]],
      ['zeta', [2]],
      ['lookup', [1, 2]],
      ['secretly', []],
      ['identified', []],
      ['hidden', []],
      ['aGVsbG8', []],
    ] as const) {
      assert.deepEqual(inOrder(await search(story, typed)), seqs, typed);
    }
  }),

  contractCase('refuses to search a session that is not there', async (story) => {
    const request = { lane: ROOT_LANE, text: 'a', limit: 1 };
    await rejectsWith('not_found', story.store.search({ ...story.key, session: 'none' }, request));
  }),

  contractCase('finds in a session only what is said in it', async (story) => {
    const other = { ...story.key, session: 'other' };
    await story.store.append(other, [{ role: 'user', content: 'needle' }]);
    await story.append({ role: 'user', content: 'needle' });
    await story.compact();
    assert.deepEqual(await search(story, 'needle'), [1]);
    const request = { lane: ROOT_LANE, text: 'needle', limit: 9 };
    assert.equal((await story.store.search(other, request)).matches, 0);
  }),

  reopenedCase('finds the same when it is closed and opened again', async (story) => {
    await story.append({ role: 'user', content: 'needle' }, { role: 'user', content: 'needle' });
    await story.compact({ seqs: [1] });
    await story.reopen();
    assert.deepEqual(await search(story, 'needle'), [1]);
    await story.compact({ seqs: [2] });
    assert.deepEqual(await search(story, 'needle'), [2, 1]);
  }),

  sharedCase('finds what another handle covered or gave back', async (story, other) => {
    await story.append({ role: 'user', content: 'needle' }, { role: 'user', content: 'needle' });
    const record = await story.compact({ seqs: [1] });
    const request = { lane: ROOT_LANE, text: 'needle', limit: 9 };
    assert.equal((await other.search(story.key, request)).matches, 1);
    await other.undo(story.key, record.id);
    assert.deepEqual(await search(story, 'needle'), []);
  }),
];
