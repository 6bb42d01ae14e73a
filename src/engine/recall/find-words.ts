import type { LoggedEvent } from '../../event/logged-event.ts';
import { eventText } from '../../prompt/recalled/event-text.ts';
import type { RecalledEvent, Recollection } from '../../prompt/recalled/recollection.ts';
import { findPassage } from '../../store/search/find-passage.ts';
import type { Recalling } from './recalling.ts';
import type { CheckedRequest } from './request.ts';

/** Events looked at for one answer: more never fit. */
const MOST_SHOWN = 20;

/** Covered events that hold words, best first. */
export async function findWords(
  { words, skip }: Extract<CheckedRequest, { readonly kind: 'words' }>,
  { store, key, lane }: Recalling,
): Promise<Recollection> {
  const found = await store.search(key, { lane, text: words, limit: skip + MOST_SHOWN });
  return {
    events: found.events.slice(skip).map((row) => nearWords(row, words)),
    inSeqOrder: false,
    notes: (shown) => {
      const left = found.matches - skip - shown.length;
      if (left > 0)
        return [`${left} more events hold some of the words; ask again with skip ${skip + shown.length}`];
      if (shown.length > 0) return [];
      return [
        skip > 0
          ? 'no more events hold these words'
          : 'no event that a summary stands in for holds any of these words; others may be in the prompt',
      ];
    },
  };
}

/** Looked for once, and only where the whole does not fit. */
function nearWords({ event }: LoggedEvent, words: string): RecalledEvent {
  let place: number | undefined;
  return {
    event,
    from: 0,
    near: () => {
      place ??= findPassage(eventText(event), words);
      return place;
    },
  };
}
