import type { CompactionRecord } from '../../coverage/record.ts';
import { RecordGraph } from '../../coverage/record-graph.ts';
import { intersectSpans, type Spans } from '../../coverage/span.ts';
import type { Seq } from '../../event/ids.ts';
import { isRootBranch, type Lane, sees } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { eventText } from '../../prompt/recalled/event-text.ts';
import type { Recollection } from '../../prompt/recalled/recollection.ts';
import { fromTheBeginning, type Recalling } from './recalling.ts';
import type { CheckedRequest } from './request.ts';

/** Events read for one answer: more never fit. */
const MOST_SHOWN = 60;
/** Seqs read at a time, and for one answer: those of other lanes are many where a reader sees few. */
const PAGE = 50;
const MOST_READ = 2_000;

/** The events of a span of seqs that have something to read, the newest first where not all fit. */
export async function findSpan(
  { from, to }: Extract<CheckedRequest, { readonly kind: 'span' }>,
  recalling: Recalling,
): Promise<Recollection> {
  const newest = await readNewest([{ first: from, last: to }], recalling, () => true);
  return recollection(newest, `from ${from} and to`, 'no such events');
}

/** The events a record covers, pinned ones included. A record that stands in nothing this reader sees is none. */
export async function findRecord(
  { record: id, to }: Extract<CheckedRequest, { readonly kind: 'record' }>,
  recalling: Recalling,
): Promise<Recollection> {
  const graph = new RecordGraph(await recalling.store.records(recalling.key));
  const record = graph.get(id)?.record;
  if (record === undefined || !isFor(recalling.lane, record)) {
    return { events: [], inSeqOrder: true, notes: () => ['no such record'] };
  }
  const spans = intersectSpans(graph.fullSpans(record), [{ first: 1, last: to }]);
  const newest = await readNewest(spans, recalling, (row) => graph.holds(record, row.event));
  return recollection(newest, 'the same record and to', 'it covers no such events');
}

/** Whether a reader in that lane is ever shown the record's summary. */
function isFor(lane: Lane, record: CompactionRecord): boolean {
  return sees(lane, record.lane) && (!record.rootView || isRootBranch(lane));
}

interface Newest {
  /** Newest first. */
  readonly rows: readonly LoggedEvent[];
  /** The newest seq that was not read; 0 when all were. */
  readonly unread: Seq;
}

async function readNewest(
  spans: Spans,
  { store, key, lane }: Recalling,
  wants: (row: LoggedEvent) => boolean,
): Promise<Newest> {
  const events = (await store.info(key))?.events ?? 0;
  const rows: LoggedEvent[] = [];
  let read = 0;
  for (const { first, last } of intersectSpans(spans, [{ first: 1, last: events }]).toReversed()) {
    for (let end = last; end >= first; end -= PAGE) {
      if (rows.length >= MOST_SHOWN || read >= MOST_READ) return { rows, unread: end };
      const begin = Math.max(first, end - PAGE + 1);
      const page = await store.events(key, [{ first: begin, last: end }]);
      rows.push(
        ...page
          .filter((row) => sees(lane, row.event.lane) && wants(row) && eventText(row.event) !== '')
          .toReversed(),
      );
      read += PAGE;
    }
  }
  return { rows, unread: 0 };
}

function recollection({ rows, unread }: Newest, again: string, none: string): Recollection {
  return {
    events: rows.map(fromTheBeginning),
    inSeqOrder: true,
    notes: (shown) => {
      const next = rows[shown.length]?.event.seq ?? unread;
      if (next > 0) return [`older events are not shown; to read on, ask with ${again} ${next}`];
      return shown.length === 0 ? [none] : [];
    },
  };
}
