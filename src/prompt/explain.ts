import type { CompactionRecord } from '../coverage/record.ts';
import { namedBy, type RecordGraph } from '../coverage/record-graph.ts';
import type { View } from '../coverage/view.ts';
import { exchangeStanding, type SessionClock } from '../event/exchange-standing.ts';
import type { RecordId } from '../event/ids.ts';
import { isOver } from '../event/invocation.ts';
import { type Reader, sees } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { Exchange } from '../event/obligation.ts';
import { unitsOf } from '../plan/unit.ts';
import type { Explanation, RawReason, Whereabouts } from './explanation.ts';
import type { Prompt } from './prompt.ts';

/** What explaining one event reads. */
export interface ExplainInput {
  readonly row: LoggedEvent;
  readonly reader: Reader;
  /** The reader's view. */
  readonly view: View;
  readonly graph: RecordGraph;
  readonly exchange: Exchange;
  readonly clock: SessionClock;
  /** The reader's prompt, as it would be sent. */
  readonly prompt: Prompt;
}

/** Where one event went for a reader, through which records, and why. */
export function explainEvent(input: ExplainInput): Explanation {
  const { row, reader, view, graph, exchange, clock } = input;
  const live = view.records.map((entry) => entry.record).find((record) => graph.covers(record, row));
  const holders = graph.holdersOf(row.event);
  const chain = live === undefined ? [] : chainTo(graph, live, holders);
  const where = whereabouts(input, live !== undefined);
  return {
    event: row.event,
    reader,
    whereabouts: where,
    ...(where === 'raw' ? { rawReason: whyRaw(view, row) } : {}),
    cut: cutOf(input),
    coveredBy: chain,
    otherRecords: [...holders].filter((id) => !chain.includes(id)),
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

function cutOf({ row, prompt }: ExplainInput): Explanation['cut'] {
  const shown = prompt.entries.find((entry) => entry.kind === 'event' && entry.event.seq === row.event.seq);
  return shown?.kind === 'event' ? shown.cut : null;
}

/** From the live record down to the one whose summarizer was shown the event. */
function chainTo(
  graph: RecordGraph,
  live: CompactionRecord,
  holders: ReadonlySet<RecordId>,
): readonly RecordId[] {
  const chain: RecordId[] = [];
  for (let record: CompactionRecord | undefined = live; record !== undefined; ) {
    chain.push(record.id);
    // Of a record it lies over, a root view's summarizer was shown the summary too, though its own spans hold the events.
    const below: RecordId | undefined = namedBy(record).find((id) => holders.has(id));
    record = below === undefined ? undefined : graph.get(below)?.record;
  }
  return chain;
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
