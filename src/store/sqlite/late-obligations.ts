import type { Seq } from '../../event/ids.ts';
import { obligationKey } from '../../event/link.ts';
import { type ExchangeId, lasts, type Obligation } from '../../event/obligation.ts';
import { ObligationIndex } from '../../event/obligation-index.ts';

/** What late events opened and answered, as long as `obligations` has no rows of it: most calls are answered at once. */
export class LateObligations {
  #opened = new ObligationIndex();
  #answered = new Map<string, Answered>();
  #areLasting = false;

  /** The obligations late events opened, as they are now. */
  get opened(): ObligationIndex {
    return this.#opened;
  }

  /** Those with rows that late events were the first to answer. */
  get answered(): readonly Answered[] {
    return [...this.#answered.values()];
  }

  /** Whether some of them are listed for readers whatever their events: those are written at once. */
  get areLasting(): boolean {
    return this.#areLasting;
  }

  open(obligation: Obligation): void {
    this.#opened.add(obligation);
    this.#areLasting ||= lasts(obligation);
  }

  /** Notes the first answer; later ones change nothing. */
  answer({ seq, index, longRunning, kind, answeredBy }: Obligation, by: Seq): void {
    if (answeredBy !== null) return;
    this.#areLasting ||= lasts({ longRunning, kind });
    const own = this.#opened.current({ seq, index });
    if (own !== undefined) this.#opened.replace({ ...own, answeredBy: own.answeredBy ?? by });
    else this.#answered.set(obligationKey({ seq, index }), { seq, index, by });
  }

  /** One with a row, as it is now. */
  now(obligation: Obligation): Obligation {
    const answered = this.#answered.get(obligationKey(obligation));
    return answered === undefined ? obligation : Object.freeze({ ...obligation, answeredBy: answered.by });
  }

  /** How many of those that are open by their rows may be answered. */
  get answers(): number {
    return this.#answered.size;
  }

  /** Gives those of an event to another exchange. */
  rename(seq: Seq, exchange: ExchangeId): void {
    for (const obligation of this.#opened.all()) {
      if (obligation.seq === seq) this.#opened.replace(Object.freeze({ ...obligation, exchange }));
    }
  }

  clear(): void {
    this.#opened = new ObligationIndex();
    this.#answered = new Map();
    this.#areLasting = false;
  }
}

interface Answered {
  readonly seq: Seq;
  readonly index: number;
  readonly by: Seq;
}
