import type { Ask, DraftPart, EventDraft, Finish, Role, Usage } from '../event/event.ts';
import type { JsonObject } from '../event/json.ts';
import { type Lane, ROOT_LANE } from '../event/lane.ts';
import { DraftWriter } from './draft-writer.ts';
import type { ImportSink, SinkFor } from './import-report.ts';
import { LaneTurns } from './lane-turns.ts';
import { LineTally } from './line-tally.ts';
import type { LogSource } from './log-source.ts';
import { safeName } from './names.ts';
import { areStorable } from './storable.ts';

/** What one line (or message) says, before it has a place. */
export interface Said {
  readonly role: Role;
  readonly content: readonly DraftPart[];
  readonly author?: string;
  readonly reply?: string;
  readonly createdAt?: string;
  readonly usage?: Usage;
  readonly finish?: Finish;
  readonly asks?: readonly Ask[];
  readonly answers?: readonly string[];
  readonly metadata?: JsonObject;
  /** A person's prompt: it opens a turn. */
  readonly opens?: boolean;
}

/** Where a line stands: its number from 1, the id its event gets, its lane and its size in bytes. */
export interface Place {
  readonly line: number;
  readonly id: string;
  readonly lane?: Lane;
  readonly bytes: number;
}

/** What one import has at hand: where drafts go, what is counted, and what a person should know. */
export class ImportRun {
  readonly tally: LineTally = new LineTally();
  readonly writer: DraftWriter;
  readonly source: LogSource;
  /** How often the source is read, so that progress ends at its total. */
  passes = 1;
  readonly #turns = new LaneTurns();
  readonly #notes = new Map<string, number>();
  readonly #progress: ((bytesRead: number, bytesTotal: number | null) => void) | undefined;
  #bytesRead = 0;
  #nativeSession: string | null = null;

  constructor(
    source: LogSource,
    sink: ImportSink | SinkFor,
    options: {
      readonly batch?: number;
      readonly onProgress?: (bytesRead: number, bytesTotal: number | null) => void;
    } = {},
  ) {
    this.source = source;
    this.writer = new DraftWriter(
      () => (typeof sink === 'function' ? sink(this.#nativeSession) : sink),
      source.name,
      options.batch,
    );
    this.#progress = options.onProgress;
  }

  /** The log's own name of its session. */
  get nativeSession(): string | null {
    return this.#nativeSession;
  }

  /** Hears what the log calls its session; the first name counts. */
  named(session: string | null): void {
    if (session !== null && session !== '') this.#nativeSession ??= safeName(session);
  }

  /** Stores what a line says as one event, and counts the line. */
  event(said: Said, place: Place): void {
    this.events([said], place);
  }

  /**
   * Stores what a line says as several events, the first under the line's id and the others under ids made from it, and
   * counts the line once. Nothing is stored, and the line counted as skipped, when there is nothing in it or a part that
   * no store takes.
   */
  events(all: readonly (Said & { readonly suffix?: string })[], place: Place): void {
    const refusal = all.length === 0 ? 'empty' : areStorable(all) ? null : 'not_storable';
    if (refusal !== null) {
      this.tally.skip(refusal);
      return;
    }
    this.tally.event();
    const lane = place.lane ?? ROOT_LANE;
    for (const [index, said] of all.entries()) {
      const { opens, usage, suffix, ...fields } = said;
      const id = index === 0 && suffix === undefined ? place.id : `${place.id}/${suffix ?? index + 1}`;
      const placed = this.#turns.place(lane, id, opens === true, said.reply ?? null);
      const counted = usage !== undefined && (said.reply === undefined || placed.firstOfReply);
      const draft: EventDraft = {
        ...fields,
        id,
        invocation: placed.invocation,
        lane,
        ...(counted ? { usage } : {}),
      };
      this.writer.add(draft, place.line, index === 0 ? place.bytes : 0);
    }
  }

  /** Counts something a person should know; `what` is constant words that a number may follow. */
  note(what: string): void {
    this.#notes.set(what, (this.#notes.get(what) ?? 0) + 1);
  }

  notes(): readonly string[] {
    const notes = [...this.#notes];
    if (this.writer.elsewhere > 0) {
      const what =
        'events keep the lane they were stored in before the log went on elsewhere; import into a new session to see it as it is now';
      notes.push([what, this.writer.elsewhere]);
    }
    return notes.map(([what, count]) => `${what}: ${count}`);
  }

  progress(bytes: number): void {
    this.#bytesRead += bytes;
    const size = this.source.size;
    this.#progress?.(this.#bytesRead, size === undefined ? null : size * this.passes);
  }
}
