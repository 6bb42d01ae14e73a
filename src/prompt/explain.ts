import type { CompactionRecord } from '../coverage/record.ts';
import { inScope, type RecordGraph } from '../coverage/record-graph.ts';
import { inSpans } from '../coverage/span.ts';
import type { View } from '../coverage/view.ts';
import { exchangeStanding, type SessionClock } from '../event/exchange-standing.ts';
import type { RecordId } from '../event/ids.ts';
import { isOver } from '../event/invocation.ts';
import { type Reader, sees } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Exchange } from '../event/obligation.ts';
import { unitsOf } from '../plan/unit.ts';
import type { Explanation, RawReason, Whereabouts } from './explanation.ts';

/** What explaining one event reads. */
export interface ExplainInput {
  readonly row: LoggedEvent;
  readonly reader: Reader;
  /** The reader's view. */
  readonly view: View;
  readonly graph: RecordGraph;
  readonly exchange: Exchange;
  readonly clock: SessionClock;
}

/** Where one event went for a reader, through which records, and why. */
export function explainEvent(input: ExplainInput): Explanation {
  const { row, reader, view, graph, exchange, clock } = input;
  const live = view.records.map((entry) => entry.record).find((record) => graph.covers(record, row));
  const holders = graph.states
    .map((state) => state.record)
    .filter((record) => graph.holds(record, row.event));
  const chain = live === undefined ? [] : chainTo(graph, live, row);
  const where = whereabouts(input, live !== undefined);
  return {
    event: row.event,
    reader,
    whereabouts: where,
    ...(where === 'raw' ? { rawReason: whyRaw(view, row) } : {}),
    coveredBy: chain,
    otherRecords: holders.map((record) => record.id).filter((id) => !chain.includes(id)),
    exchange: {
      members: exchange.members,
      standing: exchangeStanding(exchange, clock),
      pinned: exchange.pinned,
    },
    open: exchange.open,
  };
}

function whereabouts({ row, reader, view }: ExplainInput, covered: boolean): Whereabouts {
  if (!sees(reader.lane, row.event.lane)) return 'unseen';
  if (!covered) return 'raw';
  return view.recovered.some((other) => other.event.seq === row.event.seq) ? 'recovered' : 'covered';
}

/** From the live record down to the one whose summarizer was shown the event. */
function chainTo(graph: RecordGraph, record: CompactionRecord, row: LoggedEvent): readonly RecordId[] {
  if (inScope(record, row.event.lane) && inSpans(record.spans, row.event.seq)) return [record.id];
  for (const id of record.supersedes) {
    const below = graph.get(id);
    if (below !== undefined && graph.holds(below.record, row.event)) {
      return [record.id, ...chainTo(graph, below.record, row)];
    }
  }
  return [record.id];
}

function whyRaw(view: View, row: LoggedEvent): RawReason {
  const unit = unitsOf(view, true).find((candidate) =>
    candidate.events.some((raw) => raw.event.seq === row.event.seq),
  );
  switch (unit?.held) {
    case 'pinned':
      return 'pinned';
    case 'open':
      return 'open_exchange';
    case 'question':
      return 'question_of_running_turn';
    case 'system':
      return 'system';
    case null:
      return unit?.invocation === undefined || isOver(unit.invocation) ? 'coverable' : 'running_turn';
    case undefined:
      return 'coverable';
  }
}
