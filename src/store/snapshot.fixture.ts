import type { ViewScope } from '../coverage/view.ts';
import type { SessionKey } from '../event/ids.ts';
import { LANES } from './random-operations.fixture.ts';
import type { SessionStore } from './session-store.ts';

/** All that a store says of a session, by name. */
export async function snapshot(
  store: SessionStore,
  key: SessionKey,
  whole: boolean,
): Promise<ReadonlyMap<string, unknown>> {
  const said = new Map<string, unknown>();
  for (const lane of LANES) {
    for (const scope of ['lane', 'reader'] satisfies ViewScope[]) {
      said.set(
        `view of ${lane.isolation}/${lane.branch} as ${scope}`,
        plain(await store.view(key, lane, scope)),
      );
    }
    const request = { lane, text: 'read write a b', limit: 5 };
    said.set(`search of ${lane.isolation}/${lane.branch}`, await store.search(key, request));
  }
  said.set('records', await store.records(key));
  if (!whole) return said;
  const rows = await store.page(key, 0, 1000);
  said.set('page', rows);
  said.set('obligations', await store.obligations(key));
  said.set('invocations', await store.invocations(key));
  said.set('attempts', await store.attempts(key));
  said.set('newest attempts', await store.attempts(key, { newest: 2, lane: LANES[0] as (typeof LANES)[0] }));
  said.set('spend', await store.spend(key));
  said.set('info', await store.info(key));
  for (const row of rows) {
    const { seq, id, lane } = row.event;
    said.set(`facts ${seq}`, plain(await store.facts(key, seq)));
    said.set(`event ${id}`, await store.eventById(key, id));
    said.set(`preceding ${seq}`, await store.preceding(key, lane, seq, 2, 3));
  }
  said.set(
    'events',
    await store.events(
      key,
      [
        { first: 2, last: 4 },
        { first: 6, last: 60 },
      ],
      LANES[1],
    ),
  );
  return said;
}

/** Maps as sorted lists, so that values compare as text. */
function plain(value: object): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      inner instanceof Map ? [...inner].sort(([a], [b]) => (a < b ? -1 : 1)) : inner,
    ]),
  );
}
