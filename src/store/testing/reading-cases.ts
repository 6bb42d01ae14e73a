import assert from 'node:assert/strict';
import type { EventId } from '../../event/ids.ts';
import { type ContractCase, contractCase } from './contract-case.ts';
import { BRANCH, rejectsWith, TASK } from './story.ts';

/** Reading the log itself: pages, spans, what came before, single events. */
export const readingCases: readonly ContractCase[] = [
  contractCase('pages through all events', async (story) => {
    await story.fill(5);
    const page = async (after: number, limit: number): Promise<readonly number[]> =>
      (await story.store.page(story.key, after, limit)).map((row) => row.event.seq);
    assert.deepEqual(await page(0, 2), [1, 2]);
    assert.deepEqual(await page(2, 2), [3, 4]);
    assert.deepEqual(await page(4, 2), [5]);
    assert.deepEqual(await page(5, 2), []);
    assert.deepEqual(await page(0, 0), []);
    assert.deepEqual(await page(100, 2), []);
  }),

  contractCase('reads spans, of all lanes or of one', async (story) => {
    await story.append(
      ...[undefined, BRANCH, undefined, TASK, BRANCH, undefined].map((lane) => ({
        role: 'user' as const,
        content: 'x',
        ...(lane === undefined ? {} : { lane }),
      })),
    );
    const spans = [
      { first: 1, last: 2 },
      { first: 4, last: 90 },
    ];
    const read = async (lane?: typeof BRANCH): Promise<readonly number[]> =>
      (await story.store.events(story.key, spans, lane)).map((row) => row.event.seq);
    assert.deepEqual(await read(), [1, 2, 4, 5, 6]);
    assert.deepEqual(await read(BRANCH), [2, 5]);
    assert.deepEqual(await read(TASK), [4]);
    assert.deepEqual(await read({ branch: 'nobody', isolation: '' }), []);
    assert.deepEqual(await story.store.events(story.key, []), []);
  }),

  contractCase('reads what precedes, by invocations of the lane', async (story) => {
    const say = (invocation: string, lane?: typeof BRANCH) => ({
      role: 'user' as const,
      content: 'x',
      invocation,
      ...(lane === undefined ? {} : { lane }),
    });
    await story.append(say('a'), say('b'), say('b', BRANCH), say('b'), say('c'), say('a'), say('d'));
    const preceding = async (
      before: number,
      invocations: number,
      limit: number,
    ): Promise<readonly number[]> =>
      (await story.store.preceding(story.key, { branch: '', isolation: '' }, before, invocations, limit)).map(
        (row) => row.event.seq,
      );
    assert.deepEqual(await preceding(7, 1, 10), [6]);
    assert.deepEqual(await preceding(7, 2, 10), [5, 6]);
    assert.deepEqual(await preceding(7, 3, 10), [1, 2, 4, 5, 6]);
    assert.deepEqual(await preceding(7, 3, 2), [5, 6]);
    assert.deepEqual(await preceding(5, 1, 10), [2, 4]);
    assert.deepEqual(await preceding(100, 1, 10), [7]);
    assert.deepEqual(await preceding(1, 3, 10), []);
    assert.deepEqual(await preceding(7, 0, 10), []);
    assert.deepEqual(await preceding(7, 3, 0), []);
  }),

  contractCase('finds an event by its id', async (story) => {
    await story.append({ id: 'e', role: 'user', content: 'a' }, { role: 'user', content: 'b' });
    const row = await story.store.eventById(story.key, 'e' as EventId);
    assert.deepEqual(row, await story.logged(1));
    assert.equal(await story.store.eventById(story.key, 'f' as EventId), null);
    assert.equal(await story.store.eventById(story.key, '\ud800' as EventId), null);
  }),

  contractCase('tells the facts of events that are there', async (story) => {
    await story.fill(2);
    assert.deepEqual((await story.store.facts(story.key, 2)).row, await story.logged(2));
    for (const seq of [0, 3, 1.5, -1, Number.NaN]) {
      await rejectsWith('not_found', story.store.facts(story.key, seq));
    }
  }),

  contractCase('describes a session, its lanes in the order they appeared', async (story) => {
    await story.append(
      { role: 'user', content: 'a', lane: BRANCH },
      { role: 'user', content: 'b' },
      { role: 'user', content: 'c', lane: BRANCH },
    );
    await story.compact({ lane: BRANCH });
    // A look at a lane makes none.
    await story.view({ branch: 'nobody', isolation: 'nowhere' });
    const rows = await story.store.page(story.key, 0, 10);
    const tokens = rows.map((row) => row.event.tokens);
    const [a = 0, b = 0, c = 0] = tokens;
    assert.deepEqual(await story.store.info(story.key), {
      key: story.key,
      events: 3,
      records: 1,
      invocations: 3,
      tokens: a + b + c,
      createdAt: new Date(story.now()).toISOString(),
      lineage: null,
      lanes: [
        { lane: BRANCH, revision: 2, events: 2, tokens: a + c },
        { lane: { branch: '', isolation: '' }, revision: 1, events: 1, tokens: b },
      ],
    });
  }),

  contractCase('lists sessions by any part of their key', async (story) => {
    for (const [app, user, session] of [
      ['a', 'u', '1'],
      ['a', 'v', '1'],
      ['b', 'u', '2'],
    ] as const) {
      await story.store.append({ app, user, session }, [{ role: 'user', content: 'x' }]);
    }
    const list = async (filter: object): Promise<readonly string[]> =>
      (await story.store.sessions(filter)).map(({ key }) => `${key.app}${key.user}${key.session}`);
    assert.deepEqual(await list({}), ['au1', 'av1', 'bu2']);
    assert.deepEqual(await list({ app: 'a' }), ['au1', 'av1']);
    assert.deepEqual(await list({ user: 'u' }), ['au1', 'bu2']);
    assert.deepEqual(await list({ session: '1', user: 'v' }), ['av1']);
    assert.deepEqual(await list({ app: 'c' }), []);
    assert.deepEqual(await story.store.sessions({ app: 'b' }), [
      await story.store.info({ app: 'b', user: 'u', session: '2' }),
    ]);
  }),
];
