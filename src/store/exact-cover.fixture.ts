import { RecordGraph } from '../coverage/record-graph.ts';
import type { ViewScope } from '../coverage/view.ts';
import { inView } from '../coverage/view-scope.ts';
import type { SessionKey } from '../event/ids.ts';
import { LANES } from './random-operations.fixture.ts';
import type { SessionStore } from './session-store.ts';

/** Every breach of G2 in a session: an event that a view shows neither raw nor under exactly one record, or both. */
export async function breaches(store: SessionStore, key: SessionKey): Promise<readonly string[]> {
  const rows = await store.page(key, 0, 1_000_000);
  const graph = new RecordGraph(await store.records(key));
  const found: string[] = [];
  for (const lane of LANES) {
    for (const scope of ['lane', 'reader'] satisfies ViewScope[]) {
      const view = await store.view(key, lane, scope);
      const raw = new Set(view.raw.map((row) => row.event.seq));
      let events = 0;
      let covered = 0;
      for (const row of rows) {
        if (!inView(lane, scope, row.event.lane)) continue;
        events += 1;
        const by = view.records.filter(({ record }) => graph.covers(record, row)).length;
        covered += by;
        const shown = raw.has(row.event.seq) ? 1 : 0;
        if (by + shown !== 1) {
          found.push(
            `${lane.isolation}/${lane.branch} ${scope}: event ${row.event.seq} is raw ${shown}, covered ${by}`,
          );
        }
      }
      const counted = view.records.reduce((sum, entry) => sum + entry.covers.events, 0);
      if (counted !== covered || view.total.events !== events) {
        found.push(
          `${lane.isolation}/${lane.branch} ${scope}: counts ${counted} of ${covered}, ${view.total.events} of ${events}`,
        );
      }
    }
  }
  return found;
}
