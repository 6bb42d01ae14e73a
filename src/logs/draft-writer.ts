import { ImportError, PalimpsestError } from '../event/errors.ts';
import type { EventDraft } from '../event/event.ts';
import { ROOT_LANE, sameLane } from '../event/lane.ts';
import type { ImportSink } from './import-report.ts';

/** Drafts handed to the sink at a time. */
const BATCH_DRAFTS = 500;
/** Bytes of log after which a batch is handed over although it has fewer drafts: what is held longer costs memory. */
const BATCH_BYTES = 512 * 1024;

/** Hands drafts to a sink in batches and counts what was new. */
export class DraftWriter {
  readonly #chooseSink: () => ImportSink | Promise<ImportSink>;
  #sink: ImportSink | undefined;
  readonly #name: string;
  readonly #batch: number;
  #drafts: EventDraft[] = [];
  #bytes = 0;
  #firstLine = 0;
  #lastLine = 0;
  /** Seqs up to this one were stored before the import; null until the first append. */
  #before: number | null = null;
  #stored = 0;
  #known = 0;
  #elsewhere = 0;

  constructor(
    chooseSink: () => ImportSink | Promise<ImportSink>,
    name: string,
    batch: number = BATCH_DRAFTS,
  ) {
    this.#chooseSink = chooseSink;
    this.#name = name;
    this.#batch = batch;
  }

  get stored(): number {
    return this.#stored;
  }

  get known(): number {
    return this.#known;
  }

  /** Known events that are stored in another lane than the log puts them in now. */
  get elsewhere(): number {
    return this.#elsewhere;
  }

  /** Events handed over or waiting to be. */
  get events(): number {
    return this.#stored + this.#known + this.#drafts.length;
  }

  /** Takes a draft made from a line of so many bytes. */
  add(draft: EventDraft, line: number, bytes: number): void {
    if (this.#drafts.length === 0) this.#firstLine = line;
    this.#lastLine = line;
    this.#drafts.push(draft);
    this.#bytes += bytes;
  }

  get full(): boolean {
    return this.#drafts.length >= this.#batch || this.#bytes >= BATCH_BYTES;
  }

  /** Hands over what is waiting. The batch is stored whole or not at all; those before it stay. */
  async flush(): Promise<void> {
    if (this.#drafts.length === 0) return;
    const drafts = this.#drafts;
    this.#drafts = [];
    this.#bytes = 0;
    this.#sink ??= await this.#chooseSink();
    this.#before ??= (await this.#sink.info())?.events ?? 0;
    const seen = this.#before;
    try {
      const events = await this.#sink.append(drafts, { newInvocations: 'ended' });
      let newest = seen;
      for (const [index, { seq, lane }] of events.entries()) {
        if (seq > newest) {
          newest = seq;
          this.#stored += 1;
        } else {
          this.#known += 1;
          if (!sameLane(lane, drafts[index]?.lane ?? ROOT_LANE)) this.#elsewhere += 1;
        }
      }
      this.#before = newest;
    } catch (cause) {
      if (PalimpsestError.isInstance(cause, 'event_conflict')) {
        const problem = `lines ${this.#firstLine} to ${this.#lastLine} hold an event that is stored with other content; import this log into another session`;
        throw new ImportError(this.#name, 0, problem, { cause });
      }
      if (PalimpsestError.isInstance(cause, 'invalid_event')) {
        const problem = `lines ${this.#firstLine} to ${this.#lastLine} hold an event that cannot be stored`;
        throw new ImportError(this.#name, 0, problem, { cause });
      }
      throw cause;
    }
  }
}
