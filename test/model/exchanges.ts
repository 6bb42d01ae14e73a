import type { DraftPart } from '../../src/event/event.ts';
import { oneLane, type Told } from './told.ts';

/** A call or an ask, as the oracle sees it. */
export interface Owed {
  readonly kind: 'call' | 'ask';
  readonly id: string;
  readonly name: string;
  readonly seq: number;
  readonly lane: Told['stored']['lane'];
  readonly invocation: string;
  readonly longRunning: boolean;
  /** Of an ask: the id of the call it is about. */
  readonly about: string;
  answeredBy: number | null;
}

/** Which events are one exchange, and what is owed. */
export interface Exchanges {
  /** The seq of the oldest event of its exchange. */
  groupOf(seq: number): number;
  members(seq: number): readonly number[];
  readonly owed: readonly Owed[];
}

/** Links all events anew, oldest first. Each search looks through the whole list of what is owed. */
export function exchangesOf(events: readonly Told[]): Exchanges {
  const owed: Owed[] = [];
  const group = new Map<number, number>();
  const join = (a: number, b: number): void => {
    const from = Math.max(group.get(a) ?? a, group.get(b) ?? b);
    const to = Math.min(group.get(a) ?? a, group.get(b) ?? b);
    for (const [seq, of] of group) if (of === from) group.set(seq, to);
  };
  for (const told of events) {
    const { seq, draft, stored } = told;
    group.set(seq, seq);
    const { lane, invocation } = stored;
    if (stored.reply !== undefined) {
      for (const other of events) {
        if (other.seq >= seq) break;
        const same = oneLane(other.stored.lane, lane) && other.stored.invocation === invocation;
        if (same && other.stored.reply === stored.reply) join(seq, other.seq);
      }
    }
    const own: Owed[] = [];
    const answered = new Set<Owed>();
    const open = (entry: Pick<Owed, 'kind' | 'id' | 'name' | 'longRunning' | 'about'>): void => {
      own.push({ ...entry, seq, lane, invocation, answeredBy: null });
    };
    const newest = (fits: (entry: Owed) => boolean): Owed | undefined => owed.findLast(fits);
    const here = (entry: Owed): boolean => oneLane(entry.lane, lane);
    const now = (entry: Owed): boolean => entry.invocation === invocation;
    const isOpen = (entry: Owed): boolean => entry.answeredBy === null && !answered.has(entry);
    const callWithId = (id: string): Owed | undefined => {
      const named = (entry: Owed): boolean => entry.kind === 'call' && entry.id === id;
      return (
        newest((entry) => named(entry) && here(entry) && now(entry) && isOpen(entry)) ??
        newest((entry) => named(entry) && here(entry) && now(entry)) ??
        newest((entry) => named(entry) && here(entry) && isOpen(entry)) ??
        newest((entry) => named(entry) && here(entry)) ??
        newest((entry) => named(entry) && now(entry) && isOpen(entry)) ??
        newest((entry) => named(entry) && now(entry) && entry.answeredBy === null)
      );
    };
    const openCallNamed = (name: string): Owed | undefined => {
      const fits = (entry: Owed): boolean =>
        entry.kind === 'call' && (name === '' || entry.name === name) && here(entry) && isOpen(entry);
      return owed.find((entry) => fits(entry) && now(entry)) ?? owed.find(fits);
    };
    const parts: readonly DraftPart[] = typeof draft.content === 'string' ? [] : draft.content;
    for (const [index, part] of parts.entries()) {
      if (part.type === 'toolCall') {
        const storedPart = stored.content[index];
        const id = part.id || (storedPart?.type === 'toolCall' ? storedPart.id : '');
        open({
          kind: 'call',
          id,
          name: part.name,
          longRunning: stored.longRunning?.includes(id) ?? false,
          about: '',
        });
      } else if (part.type === 'toolResult') {
        const name = part.name ?? '';
        const mine = (fits: (entry: Owed) => boolean): Owed | undefined =>
          own.find((entry) => entry.kind === 'call' && entry.answeredBy === null && fits(entry));
        const named = mine((entry) => entry.name === name) ?? openCallNamed(name);
        const id = part.id || (named?.id ?? '');
        if (id === '') continue;
        const inThis = mine((entry) => entry.id === id);
        if (inThis !== undefined) {
          inThis.answeredBy = seq;
          continue;
        }
        const call = callWithId(id);
        if (call !== undefined) answered.add(call);
      }
    }
    for (const ask of stored.asks ?? []) {
      open({ kind: 'ask', id: ask.id, name: ask.kind, longRunning: false, about: ask.call });
      if (ask.call === '' || own.some((entry) => entry.kind === 'call' && entry.id === ask.call)) continue;
      const about = callWithId(ask.call);
      if (about !== undefined) join(seq, about.seq);
    }
    for (const id of stored.answers ?? []) {
      const mine = own.find((entry) => entry.kind === 'ask' && entry.answeredBy === null && entry.id === id);
      if (mine !== undefined) {
        mine.answeredBy = seq;
        continue;
      }
      const named = (entry: Owed): boolean => entry.kind === 'ask' && entry.id === id;
      // An ask answered by this very event counts as open still: naming it twice answers it once.
      const stillOpen = (entry: Owed): boolean => entry.answeredBy === null;
      const ask =
        newest((entry) => named(entry) && here(entry) && now(entry) && stillOpen(entry)) ??
        newest((entry) => named(entry) && here(entry) && stillOpen(entry)) ??
        newest((entry) => named(entry) && here(entry)) ??
        newest((entry) => named(entry) && stillOpen(entry));
      if (ask !== undefined) answered.add(ask);
    }
    for (const entry of answered) {
      join(seq, entry.seq);
      entry.answeredBy ??= seq;
    }
    owed.push(...own);
  }
  const members = new Map<number, number[]>();
  for (const [seq, of] of group) members.set(of, [...(members.get(of) ?? []), seq]);
  return {
    groupOf: (seq) => group.get(seq) ?? seq,
    members: (seq) => members.get(group.get(seq) ?? seq) ?? [],
    owed,
  };
}
