import type { ManualTimers } from './manual-timers.ts';
import type { Mood } from './operations.ts';
import { type Behaviour, healthy } from './scripted-summarizer.ts';

/** What a summarizer in each mood does. */
export function moods(timers: ManualTimers): Readonly<Record<Mood, Behaviour>> {
  return {
    healthy,
    throws: () => {
      throw new Error('k0k no model today');
    },
    declines: () => ({ kind: 'declined', reason: 'too_little' }),
    blank: () => ({ kind: 'summary', content: ' \n\u00a0' }),
    // All it was shown, twice over: mostly longer than its source.
    echoes: (request, _call, written) => ({
      kind: 'summary',
      content: `${written} ${JSON.stringify(request.events).repeat(2)}`,
    }),
    hangs: () => {
      queueMicrotask(() => timers.fireAll());
      return new Promise(() => undefined);
    },
    mutates: (request, call, written) => {
      tamper(request);
      return healthy(request, call, written);
    },
  };
}

/** Writes over everything it can reach. */
function tamper(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 12) return;
  for (const key of Reflect.ownKeys(value)) {
    tamper(Reflect.get(value, key), depth + 1);
    Reflect.set(value, key, 'k0k tampered');
    Reflect.deleteProperty(value, key);
  }
  Reflect.set(value, 'planted', 'k0k planted');
}
