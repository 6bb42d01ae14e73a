import type { Problem } from '../../coverage/problem.ts';
import type { Spans } from '../../coverage/span.ts';
import type { CheckedDraft } from '../../event/draft.ts';
import { ExchangeLedger } from '../../event/exchange-ledger.ts';
import { hashEvent } from '../../event/hash-event.ts';
import type { LaneKey, Seq } from '../../event/ids.ts';
import { isRootBranch, type Lane, laneKey, laneOf, lineage } from '../../event/lane.ts';
import { linkDraft, obligationKey } from '../../event/link.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { ExchangeId, Obligation } from '../../event/obligation.ts';
import type { SessionInfo } from '../../store/session-store.ts';

/** What the audit keeps of an event: no content. */
export interface AuditedEvent {
  readonly event: { readonly seq: Seq; readonly lane: Lane };
  readonly tokens: number;
  readonly pinned: boolean;
  /** Taken anew from the content, whatever is stored. */
  readonly hash: string;
  readonly storedExchange: ExchangeId;
}

/**
 * Folds a log anew, an event at a time, and notes where what is stored differs. Keeps a few numbers an event and no
 * content, so a long log can be audited.
 */
export class EventAudit {
  readonly #problems: Problem[] = [];
  readonly #ledger = new ExchangeLedger();
  readonly #rows = new Map<Seq, AuditedEvent>();
  readonly #lanes = new Map<LaneKey, { tokens: number; readonly seqs: Seq[] }>();
  readonly #isolations = new Map<string, Seq[]>();
  readonly #ids = new Map<string, Seq>();
  #last: Seq = 0;

  get count(): number {
    return this.#rows.size;
  }

  /** Takes in the next event as stored. */
  add(row: LoggedEvent): void {
    const { event } = row;
    const { seq, lane } = event;
    if (seq !== this.#last + 1) this.#note('seq', seq, `follows ${this.#last}`);
    this.#last = seq;
    const hash = hashEvent(event);
    if (hash !== row.hash) this.#note('event_hash', seq, 'content is not what was hashed at append');
    const twin = this.#ids.get(event.id);
    if (twin !== undefined) this.#note('seq', seq, `has the id of event ${twin}`);
    this.#ids.set(event.id, seq);
    if (!Number.isSafeInteger(event.tokens) || event.tokens < 0)
      this.#note('event_facts', seq, 'token count is no count');
    const link = linkDraft(event as CheckedDraft, event.id, event.invocation, this.#ledger);
    this.#ledger.add(event, link);
    const { tokens } = event;
    this.#rows.set(seq, {
      event: { seq, lane },
      tokens,
      pinned: row.pinned,
      hash,
      storedExchange: row.exchange,
    });
    const key = laneKey(lane);
    const known = this.#lanes.get(key) ?? { tokens: 0, seqs: [] };
    known.seqs.push(seq);
    known.tokens += tokens;
    this.#lanes.set(key, known);
    const inIsolation = this.#isolations.get(lane.isolation) ?? [];
    inIsolation.push(seq);
    this.#isolations.set(lane.isolation, inIsolation);
    if (row.laneOrdinal !== known.seqs.length) this.#note('event_facts', seq, 'place in its lane is wrong');
    if (row.isolationOrdinal !== inIsolation.length)
      this.#note('event_facts', seq, 'place in its isolation is wrong');
  }

  /** What the events alone show to be wrong, once all are in. */
  finish(obligations: readonly Obligation[], info: SessionInfo | null): readonly Problem[] {
    for (const [seq, row] of this.#rows) {
      const exchange = this.#ledger.get(row.storedExchange);
      if (exchange === undefined || !exchange.members.includes(seq)) {
        this.#note('event_facts', seq, `is not of exchange ${row.storedExchange}`);
      } else if (
        exchange.id === seq &&
        exchange.members.some((member) => this.#rows.get(member)?.pinned !== row.pinned)
      ) {
        this.#note('event_facts', seq, 'exchange is pinned in part');
      }
    }
    this.#compareObligations(obligations);
    for (const stored of info?.lanes ?? []) {
      const found = this.#lanes.get(laneKey(stored.lane));
      if (stored.events !== (found?.seqs.length ?? 0) || stored.tokens !== (found?.tokens ?? 0)) {
        this.#problems.push({
          kind: 'accounting',
          detail: `a lane counts ${stored.events} events, ${found?.seqs.length ?? 0} are stored`,
        });
      }
    }
    if (info !== null && info.events !== this.#rows.size) {
      this.#problems.push({
        kind: 'accounting',
        detail: `the session counts ${info.events} events, ${this.#rows.size} are stored`,
      });
    }
    return this.#problems;
  }

  row(seq: Seq): AuditedEvent | undefined {
    return this.#rows.get(seq);
  }

  /** The events a reader in that lane may see. */
  seenBy(lane: Lane): Iterable<AuditedEvent> {
    const everything = [{ first: 1, last: this.#last }];
    if (isRootBranch(lane)) return this.inSpans(lane, true, everything);
    return lineage(lane).flatMap((seen) => this.inSpans(seen, false, everything));
  }

  members(exchange: ExchangeId): readonly Seq[] {
    return this.#ledger.get(exchange)?.members ?? [];
  }

  /** The events of a lane, or of every branch of its isolation, in spans. */
  inSpans(lane: Lane, everyBranch: boolean, spans: Spans): readonly AuditedEvent[] {
    const seqs = everyBranch ? this.#isolations.get(lane.isolation) : this.#lanes.get(laneKey(lane))?.seqs;
    const found: AuditedEvent[] = [];
    let at = 0;
    for (const seq of seqs ?? []) {
      while (at < spans.length && (spans[at]?.last ?? 0) < seq) at += 1;
      const span = spans[at];
      if (span === undefined) break;
      const row = this.#rows.get(seq);
      if (seq >= span.first && row !== undefined) found.push(row);
    }
    return found;
  }

  /** Every lane there is, and the root branch of every isolation. */
  lanesToRead(): readonly Lane[] {
    const lanes = new Map<LaneKey, Lane>();
    for (const isolation of this.#isolations.keys()) {
      const root = { branch: '', isolation };
      lanes.set(laneKey(root), root);
    }
    for (const key of this.#lanes.keys()) lanes.set(key, laneOf(key));
    return [...lanes.values()];
  }

  #compareObligations(stored: readonly Obligation[]): void {
    const known = new Map(stored.map((obligation) => [obligationKey(obligation), obligation]));
    for (const expected of this.#ledger.obligations()) {
      const key = obligationKey(expected);
      const found = known.get(key);
      known.delete(key);
      const same =
        found !== undefined &&
        found.id === expected.id &&
        found.kind === expected.kind &&
        found.answeredBy === expected.answeredBy &&
        found.exchange === expected.exchange;
      if (!same)
        this.#note(
          'event_facts',
          expected.seq,
          `${expected.kind} ${expected.index} is not stored as it was made`,
        );
    }
    for (const extra of known.values())
      this.#note('event_facts', extra.seq, 'an obligation nobody made is stored');
  }

  #note(kind: Problem['kind'], seq: Seq, detail: string): void {
    this.#problems.push({ kind, seq, detail });
  }
}
