import type { CheckedDraft } from './draft.ts';
import type { DraftPart } from './event.ts';
import type { EventId, InvocationId } from './ids.ts';
import type { Lane } from './lane.ts';
import type { ExchangeId, Obligation } from './obligation.ts';
import type { Part } from './part.ts';

/** Which obligation to look for; the newest that fits is meant, the oldest where `oldest` is set. */
export interface ObligationQuery {
  readonly kind: 'call' | 'ask';
  readonly id?: string;
  readonly name?: string;
  /** Missing: of any lane. */
  readonly lane?: Lane;
  /** Missing: of any invocation. */
  readonly invocation?: InvocationId;
  readonly open?: true;
  readonly oldest?: true;
  /** Obligations to pass over, by {@link obligationKey}. */
  readonly except?: ReadonlySet<string>;
}

/** What linking asks of the log so far. A store answers each from an index. */
export interface LinkLookup {
  find(query: ObligationQuery): Obligation | null;
  /** The exchange of the reply of that name in that lane and invocation. */
  reply(lane: Lane, invocation: InvocationId, reply: string): ExchangeId | null;
}

/** An obligation an event opens; the store adds seq and exchange. */
export interface OpenedObligation
  extends Pick<Obligation, 'kind' | 'id' | 'name' | 'longRunning' | 'about' | 'index'> {
  /** Answered by the very event that opens it. */
  readonly answered: boolean;
}

/** How an event hangs together with the log before it. */
export interface Link {
  /** The content with every call and result named. */
  readonly content: readonly Part[];
  /** Older exchanges it makes one with itself. */
  readonly joins: readonly ExchangeId[];
  readonly opens: readonly OpenedObligation[];
  /** Obligations it answers, whether or not they were answered before. */
  readonly answers: readonly Obligation[];
  /** What each of its results answers, by the part's index; of a call the event opens itself, its index in `opens`. */
  readonly results: ReadonlyMap<number, Obligation | number>;
}

/**
 * The one definition of what answers what. A result belongs to the latest open call with its id in its lane and
 * invocation, else to the latest such call, answered or not; failing that to such a call of an earlier invocation of
 * its lane (a person's answer days later), then to one of its invocation in another lane (a delegated call). Without
 * an id it is given that of the oldest open call of its name in its lane, and belongs where that id says: linking what
 * is stored anew gives the same links. Asks likewise, and an open ask may be answered from any lane. What matches
 * nothing stands alone. Ids the log lacks are made from the event's id, so that a retry makes the same ones.
 */
export function linkDraft(
  draft: CheckedDraft,
  id: EventId,
  invocation: InvocationId,
  lookup: LinkLookup,
): Link {
  const linker = new Linker(draft, id, invocation, lookup);
  return linker.link();
}

type Opened = { -readonly [key in keyof OpenedObligation]: OpenedObligation[key] };

class Linker {
  readonly #draft: CheckedDraft;
  readonly #id: EventId;
  readonly #invocation: InvocationId;
  readonly #lookup: LinkLookup;
  readonly #joins = new Set<ExchangeId>();
  readonly #answers = new Map<string, Obligation>();
  readonly #opens: Opened[] = [];
  readonly #results = new Map<number, Obligation | number>();

  constructor(draft: CheckedDraft, id: EventId, invocation: InvocationId, lookup: LinkLookup) {
    this.#draft = draft;
    this.#id = id;
    this.#invocation = invocation;
    this.#lookup = lookup;
  }

  link(): Link {
    const draft = this.#draft;
    if (draft.reply !== undefined) {
      const exchange = this.#lookup.reply(draft.lane, this.#invocation, draft.reply);
      if (exchange !== null) this.#joins.add(exchange);
    }
    const content = draft.content.map((part, index) => this.#part(part, index));
    for (const ask of draft.asks ?? []) this.#ask(ask.id, ask.kind, ask.call);
    for (const answer of draft.answers ?? []) this.#answerAsk(answer);
    return {
      content: Object.freeze(content),
      joins: [...this.#joins],
      opens: this.#opens,
      answers: [...this.#answers.values()],
      results: this.#results,
    };
  }

  #part(part: DraftPart, index: number): Part {
    if (part.type === 'toolCall') {
      const id = part.id === undefined || part.id === '' ? `${this.#id}:call:${index}` : part.id;
      const longRunning = this.#draft.longRunning?.includes(id) ?? false;
      this.#open({ kind: 'call', id, name: part.name, longRunning, about: '' });
      return Object.freeze({ ...part, id });
    }
    if (part.type === 'toolResult') {
      const { id, name } = this.#answerCall(part.id ?? '', part.name ?? '', index);
      return Object.freeze({ ...part, id, name, isError: part.isError ?? false });
    }
    return part;
  }

  #answerCall(given: string, name: string, index: number): { readonly id: string; readonly name: string } {
    const id = given === '' ? this.#idOfCallNamed(name) : given;
    if (id === '') return { id: `${this.#id}:result:${index}`, name };
    const own = this.#ownCall((opened) => opened.id === id);
    if (own !== undefined) {
      own.answered = true;
      this.#results.set(index, own.index);
      return { id, name: own.name };
    }
    const call = this.#callWithId(id);
    if (call === null) return { id, name };
    this.#answered(call);
    this.#results.set(index, call);
    return { id, name: name === '' ? call.name : name };
  }

  /** The id of the call a result without one answers; '' when none is open. */
  #idOfCallNamed(name: string): string {
    return this.#ownCall((opened) => opened.name === name)?.id ?? this.#openCallNamed(name)?.id ?? '';
  }

  #ownCall(fits: (opened: Opened) => boolean): Opened | undefined {
    return this.#opens.find((opened) => opened.kind === 'call' && !opened.answered && fits(opened));
  }

  #openCallNamed(name: string): Obligation | null {
    const lane = this.#draft.lane;
    // Two results without ids in one event answer two calls.
    const except = new Set(this.#answers.keys());
    const query: ObligationQuery = {
      kind: 'call',
      lane,
      open: true,
      oldest: true,
      except,
      ...(name === '' ? {} : { name }),
    };
    return this.#lookup.find({ ...query, invocation: this.#invocation }) ?? this.#lookup.find(query);
  }

  #callWithId(id: string): Obligation | null {
    const { lane } = this.#draft;
    const invocation = this.#invocation;
    // Two results of one id in one event answer two calls where two are open.
    const except = new Set(this.#answers.keys());
    return (
      this.#lookup.find({ kind: 'call', id, lane, invocation, open: true, except }) ??
      this.#lookup.find({ kind: 'call', id, lane, invocation }) ??
      this.#lookup.find({ kind: 'call', id, lane, open: true, except }) ??
      this.#lookup.find({ kind: 'call', id, lane }) ??
      this.#lookup.find({ kind: 'call', id, invocation, open: true, except }) ??
      this.#lookup.find({ kind: 'call', id, invocation, open: true })
    );
  }

  #open(opened: Omit<Opened, 'index' | 'answered'>): void {
    this.#opens.push({ ...opened, index: this.#opens.length, answered: false });
  }

  #ask(id: string, kind: string, call: string): void {
    this.#open({ kind: 'ask', id, name: kind, longRunning: false, about: call });
    if (call === '' || this.#opens.some((opened) => opened.kind === 'call' && opened.id === call)) return;
    const about = this.#callWithId(call);
    if (about !== null) this.#joins.add(about.exchange);
  }

  #answerAsk(id: string): void {
    const own = this.#opens.find((opened) => opened.kind === 'ask' && !opened.answered && opened.id === id);
    if (own !== undefined) {
      own.answered = true;
      return;
    }
    const lane = this.#draft.lane;
    const ask =
      this.#lookup.find({ kind: 'ask', id, lane, invocation: this.#invocation, open: true }) ??
      this.#lookup.find({ kind: 'ask', id, lane, open: true }) ??
      this.#lookup.find({ kind: 'ask', id, lane }) ??
      this.#lookup.find({ kind: 'ask', id, open: true });
    if (ask !== null) this.#answered(ask);
  }

  #answered(obligation: Obligation): void {
    this.#joins.add(obligation.exchange);
    this.#answers.set(obligationKey(obligation), obligation);
  }
}

/** Names an obligation within its session. */
export function obligationKey(obligation: Pick<Obligation, 'seq' | 'index'>): string {
  return `${obligation.seq}:${obligation.index}`;
}
