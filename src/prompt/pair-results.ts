import type { StoredEvent } from '../event/event.ts';
import type { Seq } from '../event/ids.ts';
import { linkDraft, obligationKey } from '../event/link.ts';
import { ObligationIndex } from '../event/obligation-index.ts';
import type { Part } from '../event/part.ts';

/** Names a part within a prompt. */
export function partKey(seq: Seq, index: number): string {
  return `${seq}/${index}`;
}

/** Which result answers which call, among the events of one prompt. */
export interface Pairing {
  /** The content by seq of each event that calls or answers, every call and result with an id. */
  readonly contents: ReadonlyMap<Seq, readonly Part[]>;
  /** The call a result answers; absent where the prompt does not hold it. */
  readonly callOf: ReadonlyMap<string, string>;
  /** The freshest result of a call; absent where the prompt holds none. */
  readonly freshest: ReadonlyMap<string, string>;
  /** The event of a call. */
  readonly caller: ReadonlyMap<string, StoredEvent>;
}

/** Pairs by the definition that stores link by, applied to the events of the prompt alone, oldest first. */
export function pairResults(events: readonly StoredEvent[]): Pairing {
  const contents = new Map<Seq, readonly Part[]>();
  const callOf = new Map<string, string>();
  const freshest = new Map<string, string>();
  const caller = new Map<string, StoredEvent>();
  /** Keys of calls by {@link obligationKey}. */
  const keys = new Map<string, string>();
  const index = new ObligationIndex();
  for (const event of events.filter(callsOrAnswers).sort((a, b) => a.seq - b.seq)) {
    const link = linkDraft(event, event.id, event.invocation, index);
    contents.set(event.seq, link.content);
    const calls = link.content.flatMap((part, at) =>
      part.type === 'toolCall' ? [partKey(event.seq, at)] : [],
    );
    for (const key of calls) caller.set(key, event);
    for (const [at, answered] of link.results) {
      const call = typeof answered === 'number' ? calls[answered] : keys.get(obligationKey(answered));
      if (call === undefined) continue;
      const result = partKey(event.seq, at);
      callOf.set(result, call);
      freshest.set(call, result);
    }
    const { seq, lane, invocation } = event;
    for (const answered of link.answers) {
      if (answered.answeredBy === null) index.replace({ ...answered, answeredBy: seq });
    }
    for (const { answered, ...opened } of link.opens) {
      const call = calls[opened.index];
      if (call !== undefined) keys.set(obligationKey({ seq, index: opened.index }), call);
      index.add({ ...opened, seq, lane, invocation, exchange: seq, answeredBy: answered ? seq : null });
    }
  }
  return { contents, callOf, freshest, caller };
}

function callsOrAnswers({ content }: StoredEvent): boolean {
  return content.some(({ type }) => type === 'toolCall' || type === 'toolResult');
}
