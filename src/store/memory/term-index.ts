import type { Seq } from '../../event/ids.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import { termsOfEvent } from '../search/best-matches.ts';

/** Which events hold a term. Caught up when it is asked: who never searches pays nothing. */
export class TermIndex {
  readonly #holding = new Map<string, Seq[]>();
  #through = 0;

  /** Takes in the events of a session that came since the last time. */
  catchUp(rows: readonly LoggedEvent[]): void {
    for (; this.#through < rows.length; this.#through += 1) {
      const { event } = rows[this.#through] as LoggedEvent;
      for (const term of termsOfEvent(event.content)) {
        const known = this.#holding.get(term);
        if (known === undefined) this.#holding.set(term, [event.seq]);
        else known.push(event.seq);
      }
    }
  }

  /** The seqs of the events that hold a term, oldest first. */
  holding(term: string): readonly Seq[] {
    return this.#holding.get(term) ?? [];
  }
}
