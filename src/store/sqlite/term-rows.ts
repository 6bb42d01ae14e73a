import type { Seq } from '../../event/ids.ts';
import type { Part } from '../../event/part.ts';
import { termsOfEvent } from '../search/best-matches.ts';
import type { Database } from './database.ts';
import type { SqliteSession } from './sqlite-session.ts';

/** Events whose texts are read at a time. */
const BATCH = 500;

interface EventColumns {
  readonly place: number;
  readonly lane: number;
  readonly root: number;
  readonly event: string;
}

/**
 * What a row says of its lane and its isolation, as terms no text has: private characters are no letters. With them the
 * index itself keeps to what a reader may see.
 */
export function laneMark(lane: number): string {
  return `\ue000l${lane}`;
}

/** The same of all lanes under a root. */
export function rootMark(root: number): string {
  return `\ue000r${root}`;
}

const UNINDEXED = 'NOT EXISTS (SELECT 1 FROM event_terms t WHERE t.rowid = e.place)';

/** Takes events that were just covered into the index; those that once were are there already. */
export function indexEvents(session: SqliteSession, seqs: readonly Seq[]): void {
  for (let from = 0; from < seqs.length; from += BATCH) {
    const places = seqs.slice(from, from + BATCH).map((seq) => session.place(seq));
    indexRows(
      session.database,
      session.database.all<EventColumns>(
        `SELECT e.place, e.lane, l.root, e.event FROM json_each(?) s
         CROSS JOIN events e ON e.place = s.value CROSS JOIN lanes l ON l.lane = e.lane
         WHERE ${UNINDEXED}`,
        JSON.stringify(places),
      ),
    );
  }
}

/** Takes in all events of a range of places that are not raw to everybody. */
export function indexPlaces(database: Database, first: number, last: number): void {
  for (let after = first - 1; ; ) {
    const rows = database.all<EventColumns>(
      `SELECT e.place, e.lane, l.root, e.event FROM events e CROSS JOIN lanes l ON l.lane = e.lane
       WHERE e.place > ? AND e.place <= ?
         AND NOT EXISTS (SELECT 1 FROM uncovered u WHERE u.root = l.root AND u.under = 0 AND u.seq = e.seq)
         AND ${UNINDEXED}
       ORDER BY e.place LIMIT ${BATCH}`,
      after,
      last,
    );
    indexRows(database, rows);
    const end = rows.at(-1)?.place;
    if (end === undefined) return;
    after = end;
  }
}

/** Takes in what every session of a file that has no index yet has covered. */
export function indexAll(database: Database): void {
  indexPlaces(database, 0, Number.MAX_SAFE_INTEGER);
}

function indexRows(database: Database, rows: readonly EventColumns[]): void {
  for (const { place, lane, root, event } of rows) {
    const terms = [...termsOfText(event), laneMark(lane), rootMark(root)].join(' ');
    database.run('INSERT INTO event_terms (rowid, terms) VALUES (?, ?)', place, terms);
  }
}

/** A stored text that is damaged has no words: whoever reads it is told, and verify names it. */
function termsOfText(text: string): Iterable<string> {
  try {
    const { content } = JSON.parse(text) as { readonly content: readonly Part[] };
    return termsOfEvent(content);
  } catch {
    return [];
  }
}
