import type { SessionStore } from '../session-store.ts';
import { Story } from './story.ts';

/** What the suite is run on. */
export interface StoreHarness {
  /** A new, empty store that tells the time by `clock` (milliseconds since the epoch). */
  open(clock: () => number): Promise<SessionStore>;
  /** Closes a store and opens again what it kept; missing where nothing outlives it. */
  reopen?(store: SessionStore, clock: () => number): Promise<SessionStore>;
  /** Another handle on what a store keeps, as a second process would have; missing where there can be none. */
  share?(store: SessionStore, clock: () => number): Promise<SessionStore>;
}

/** One promise of the `SessionStore` contract, framework-neutral: `run` rejects with an `AssertionError` when it is broken. */
export interface ContractCase {
  readonly name: string;
  /** What of the harness it takes; a case is to be left out where that is missing. */
  readonly needs: 'reopen' | 'share' | null;
  readonly run: (harness: StoreHarness) => Promise<void>;
}

/** A case that takes a store of its own. */
export function contractCase(name: string, tell: (story: Story) => Promise<void>): ContractCase {
  return { name, needs: null, run: (harness) => runCase(harness, tell) };
}

/** A case that closes its store and opens it again. */
export function reopenedCase(name: string, tell: (story: Story) => Promise<void>): ContractCase {
  return { name, needs: 'reopen', run: (harness) => runCase(harness, tell) };
}

/** A case with two handles on one store. */
export function sharedCase(
  name: string,
  tell: (story: Story, other: SessionStore) => Promise<void>,
): ContractCase {
  return {
    name,
    needs: 'share',
    run: (harness) =>
      runCase(harness, async (story) => {
        const other = await story.share();
        try {
          await tell(story, other);
        } finally {
          await other.close();
        }
      }),
  };
}

async function runCase(harness: StoreHarness, tell: (story: Story) => Promise<void>): Promise<void> {
  const story = await Story.begin(harness);
  try {
    await tell(story);
  } finally {
    await story.store.close();
  }
}
