import type { SessionKey } from '../event/ids.ts';
import { ROOT_LANE, sees } from '../event/lane.ts';
import type { SessionStore } from '../store/session-store.ts';

/** Events that are looked through, and characters that are kept. */
const LOOKED_THROUGH = 20;
const KEPT = 200;

/** The beginning of what a user said first in the main conversation; empty where it begins with something else. */
export async function firstRequest(store: SessionStore, key: SessionKey): Promise<string> {
  for (const { event } of await store.page(key, 0, LOOKED_THROUGH)) {
    if (event.role !== 'user' || !sees(ROOT_LANE, event.lane)) continue;
    for (const part of event.content) {
      const text = part.type === 'text' ? part.text.trim() : '';
      if (text !== '') return text.slice(0, KEPT).toWellFormed();
    }
  }
  return '';
}
