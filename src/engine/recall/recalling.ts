import type { SessionKey } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { RecalledEvent } from '../../prompt/recalled/recollection.ts';
import type { SessionStore } from '../../store/session-store.ts';

/** What recalling reads, and in whose lane. All it shows it reads through the store, at that moment. */
export interface Recalling {
  readonly store: SessionStore;
  readonly key: SessionKey;
  readonly lane: Lane;
}

/** An event to show as it begins. */
export function fromTheBeginning({ event }: LoggedEvent): RecalledEvent {
  return { event, from: 0, near: null };
}
