import type { SessionStore } from '../../src/store/session-store.ts';

/** What may happen between any two calls of a store; `method` is the one about to begin or just done. */
export type Between = (method: string) => Promise<void>;

/**
 * The store, but that something may happen before and after every call. The calls themselves stay one atomic step each.
 */
export function racingStore(store: SessionStore, between: Between): SessionStore {
  return new Proxy(store, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return async (...values: readonly unknown[]): Promise<unknown> => {
        await between(String(name));
        const result: unknown = await Reflect.apply(member, target, values);
        await between(String(name));
        return result;
      };
    },
  });
}
