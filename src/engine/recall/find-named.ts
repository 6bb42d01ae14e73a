import type { EventId, Seq } from '../../event/ids.ts';
import { sees } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { quoteName } from '../../prompt/one-line.ts';
import type { Recollection } from '../../prompt/recalled/recollection.ts';
import { fromTheBeginning, type Recalling } from './recalling.ts';
import { type CheckedRequest, seqIn } from './request.ts';

/** Events that are named where they are not shown; the rest are a number. */
const MOST_SAID = 3;
/** Code units of an id that is said back. */
const SAID_LENGTH = 40;

/** Events by seq or id. One that this reader may not see is none. */
export async function findNamed(
  { events, offset }: Extract<CheckedRequest, { readonly kind: 'events' }>,
  recalling: Recalling,
): Promise<Recollection> {
  const rows = new Map<Seq, LoggedEvent>();
  const absent: (Seq | string)[] = [];
  for (const name of events) {
    const row = await findOne(name, recalling);
    if (row === null) absent.push(name);
    else rows.set(row.event.seq, row);
  }
  return {
    events: [...rows.values()].map((row) => ({ ...fromTheBeginning(row), from: offset })),
    inSeqOrder: false,
    notes: (shown) => {
      const left = [...rows.keys()].slice(shown.length);
      return [
        ...(left.length > 0
          ? [`not shown for want of room: event ${said(left)}; ask for fewer events at once`]
          : []),
        ...(absent.length > 0 ? [`no such event: ${said(absent)}`] : []),
      ];
    },
  };
}

async function findOne(name: Seq | string, { store, key, lane }: Recalling): Promise<LoggedEvent | null> {
  const row = typeof name === 'string' ? await store.eventById(key, name as EventId) : null;
  if (row !== null && sees(lane, row.event.lane)) return row;
  const seq = typeof name === 'string' ? seqIn(name) : name;
  if (seq === null || seq < 1) return null;
  const [at] = await store.events(key, [{ first: seq, last: seq }]);
  return at !== undefined && sees(lane, at.event.lane) ? at : null;
}

function said(names: readonly (Seq | string)[]): string {
  const first = names
    .slice(0, MOST_SAID)
    .map((name) => (typeof name === 'string' ? quoteName(name.slice(0, SAID_LENGTH)) : String(name)));
  const more = names.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
