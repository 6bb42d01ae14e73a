import type { Problem } from '../../coverage/problem.ts';
import type { Spans } from '../../coverage/span.ts';
import type { StoredEvent } from '../../event/event.ts';
import { ExchangeLedger } from '../../event/exchange-ledger.ts';
import { hashEvent } from '../../event/hash-event.ts';
import type { InvocationId, LaneKey, Seq } from '../../event/ids.ts';
import type { Invocation } from '../../event/invocation.ts';
import { isRootBranch, type Lane, laneKey, laneOf, lineage, sameLane } from '../../event/lane.ts';
import { type Link, linkDraft, obligationKey } from '../../event/link.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { ExchangeId, Obligation } from '../../event/obligation.ts';
import { opensInvocation } from '../../store/opens-invocation.ts';
import type { LaneInfo, SessionInfo } from '../../store/session-store.ts';
import { countParts } from '../../tokens/count-parts.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';

/** What the audit keeps of an event: no content. */
export interface AuditedEvent {
  readonly event: { readonly seq: Seq; readonly lane: Lane };
  readonly tokens: number;
  /** Counted anew by the store's counter, which need not be the one it was counted by at append. */
  readonly recount: number;
  readonly pinned: boolean;
  /** Taken anew from the content, whatever is stored. */
  readonly hash: string;
  readonly storedExchange: ExchangeId;
}

/** How many missing events are named one by one. */
const MOST_NAMED = 20;

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
  readonly #firstUser = new Map<LaneKey, Seq>();
  readonly #openedBy = new Map<InvocationId, Seq>();
  readonly #counter: TokenCounter;
  #last: Seq = 0;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  get count(): number {
    return this.#rows.size;
  }

  /** Takes in the next event as stored, whatever it is. */
  add(row: LoggedEvent): void {
    const { event } = row;
    if (!isEvent(event)) {
      this.#note('event_hash', this.#last + 1, 'is no event');
      return;
    }
    const { seq, lane, tokens } = event;
    this.#noteGap(seq);
    this.#last = Math.max(this.#last, seq);
    const hash = hashEvent(event);
    if (hash !== row.hash) this.#note('event_hash', seq, 'content is not what was hashed at append');
    const twin = this.#ids.get(event.id);
    if (twin !== undefined) this.#note('seq', seq, `has the id of event ${twin}`);
    this.#ids.set(event.id, seq);
    if (!Number.isSafeInteger(tokens) || tokens < 0)
      this.#note('event_facts', seq, 'token count is no count');
    this.#ledger.add(event, this.#link(event));
    this.#rows.set(seq, {
      event: { seq, lane },
      tokens,
      recount: this.#recount(event),
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
    if (event.role === 'user' && !this.#firstUser.has(key)) this.#firstUser.set(key, seq);
    if (opensInvocation(event) && !this.#openedBy.has(event.invocation))
      this.#openedBy.set(event.invocation, seq);
    if (row.laneOrdinal !== known.seqs.length) this.#note('event_facts', seq, 'place in its lane is wrong');
    if (row.isolationOrdinal !== inIsolation.length)
      this.#note('event_facts', seq, 'place in its isolation is wrong');
  }

  /** What the events alone show to be wrong, once all are in. */
  finish(
    obligations: readonly Obligation[],
    invocations: readonly Invocation[],
    info: SessionInfo | null,
  ): readonly Problem[] {
    this.#noteGap((info?.events ?? this.#last) + 1);
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
    this.#compareInvocations(invocations);
    for (const stored of info?.lanes ?? []) this.#compareLane(stored);
    if (info !== null && info.events !== this.#rows.size)
      this.#noteSum(`the session counts ${info.events} events, ${this.#rows.size} are stored`);
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
    const seqs = this.#seqsOf(lane, everyBranch);
    return spans.flatMap(({ first, last }) => {
      const found: AuditedEvent[] = [];
      for (let at = firstAtLeast(seqs, first); at < seqs.length && (seqs[at] as Seq) <= last; at += 1) {
        const row = this.#rows.get(seqs[at] as Seq);
        if (row !== undefined) found.push(row);
      }
      return found;
    });
  }

  /** How many events of a lane, or of every branch of its isolation, lie in spans. */
  countInSpans = (lane: Lane, everyBranch: boolean, spans: Spans): number => {
    const seqs = this.#seqsOf(lane, everyBranch);
    return spans.reduce(
      (sum, { first, last }) => sum + firstAtLeast(seqs, last + 1) - firstAtLeast(seqs, first),
      0,
    );
  };

  #seqsOf(lane: Lane, everyBranch: boolean): readonly Seq[] {
    return (everyBranch ? this.#isolations.get(lane.isolation) : this.#lanes.get(laneKey(lane))?.seqs) ?? [];
  }

  /** The first user event of a lane. */
  firstUserOf(lane: Lane): Seq | null {
    return this.#firstUser.get(laneKey(lane)) ?? null;
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
        found.name === expected.name &&
        found.about === expected.about &&
        found.longRunning === expected.longRunning &&
        found.invocation === expected.invocation &&
        sameLane(found.lane, expected.lane) &&
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

  #compareInvocations(stored: readonly Invocation[]): void {
    const known = new Map(stored.map((invocation) => [invocation.id, invocation.openedBy]));
    for (const [id, seq] of this.#openedBy) {
      if (known.get(id) !== seq)
        this.#note('event_facts', seq, 'is not known as the question of its invocation');
    }
  }

  #compareLane({ lane, events, tokens }: LaneInfo): void {
    const found = this.#lanes.get(laneKey(lane)) ?? { seqs: [], tokens: 0 };
    const stored = found.seqs.length;
    const name = `lane ${JSON.stringify(lane.branch)} of ${JSON.stringify(lane.isolation)}`;
    if (events !== stored) this.#noteSum(`${name} counts ${events} events, ${stored} are stored`);
    if (tokens === found.tokens) return;
    this.#noteSum(`${name} counts ${tokens} tokens, its events have ${found.tokens}`);
    for (const seq of found.seqs) {
      const row = this.#rows.get(seq);
      if (row !== undefined && row.tokens !== row.recount)
        this.#note('event_facts', seq, `has ${row.tokens} tokens, counted anew ${row.recount}`);
    }
  }

  /** Names the events missing before `seq`. */
  #noteGap(seq: Seq): void {
    const first = this.#last + 1;
    if (seq < first) this.#note('seq', seq, `follows ${this.#last}`);
    for (let missing = first; missing < Math.min(seq, first + MOST_NAMED); missing += 1)
      this.#note('seq', missing, 'is missing');
    if (seq > first + MOST_NAMED) this.#note('seq', seq - 1, `is missing, as all after ${this.#last}`);
  }

  #link(event: StoredEvent): Link {
    try {
      return linkDraft(event, event.id, event.invocation, this.#ledger);
    } catch {
      this.#note('event_facts', event.seq, 'content cannot be linked');
      return { content: [], joins: [], opens: [], answers: [], results: new Map() };
    }
  }

  #recount(event: StoredEvent): number {
    try {
      return countParts(event.content, this.#counter);
    } catch {
      // What cannot be linked was named already.
      return event.tokens;
    }
  }

  #noteSum(detail: string): void {
    this.#problems.push({ kind: 'accounting', detail });
  }

  #note(kind: Problem['kind'], seq: Seq, detail: string): void {
    this.#problems.push({ kind, seq, detail });
  }
}

/** Whether what a store gives out for an event has what everything else here reads. */
function isEvent(event: StoredEvent): boolean {
  const { id, invocation, seq, lane, content }: { readonly [field: string]: unknown } = { ...event };
  return (
    typeof id === 'string' &&
    typeof invocation === 'string' &&
    typeof seq === 'number' &&
    Number.isSafeInteger(seq) &&
    Array.isArray(content) &&
    typeof lane === 'object' &&
    lane !== null &&
    typeof Reflect.get(lane, 'branch') === 'string' &&
    typeof Reflect.get(lane, 'isolation') === 'string'
  );
}

/** Where the first seq stands that is not below another, in a sorted list. */
function firstAtLeast(seqs: readonly Seq[], seq: Seq): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] as Seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
