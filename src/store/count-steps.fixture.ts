import { StatementSync } from 'node:sqlite';

/** What of a built-in prototype is counted, and how many steps a call is. */
interface Counted {
  readonly of: object;
  readonly names: readonly string[];
  readonly steps: (self: unknown, result: unknown) => number;
}

const one = (): number => 1;
const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1);

const COUNTED: readonly Counted[] = [
  { of: Map.prototype, names: ['get', 'set', 'has', 'delete'], steps: one },
  { of: Set.prototype, names: ['has', 'add', 'delete'], steps: one },
  // Iterating with for…of, spreading, and making maps and sets of lists.
  { of: Object.getPrototypeOf([][Symbol.iterator]()), names: ['next'], steps: one },
  { of: Object.getPrototypeOf(new Map()[Symbol.iterator]()), names: ['next'], steps: one },
  { of: Object.getPrototypeOf(new Set()[Symbol.iterator]()), names: ['next'], steps: one },
  {
    of: Array.prototype,
    names: ['filter', 'map', 'flatMap', 'some', 'every', 'find', 'findLast', 'reduce', 'forEach', 'sort'],
    steps: lengthOf,
  },
  { of: StatementSync.prototype, names: ['run', 'get'], steps: one },
  { of: StatementSync.prototype, names: ['all'], steps: (_self, rows) => 1 + lengthOf(rows) },
];

/** How many steps some work takes: elements visited, look-ups made, statements run and rows read. Only while nothing else runs. */
export async function countSteps(work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const restore = COUNTED.flatMap(({ of, names, steps: stepsOf }) =>
    names.map((name) => {
      const original: unknown = Reflect.get(of, name);
      if (typeof original !== 'function') throw new Error(`nothing is called ${name}`);
      Reflect.set(of, name, function counting(this: unknown, ...given: unknown[]): unknown {
        const result: unknown = Reflect.apply(original, this, given);
        steps += stepsOf(this, result);
        return result;
      });
      return () => Reflect.set(of, name, original);
    }),
  );
  try {
    await work();
    return steps;
  } finally {
    for (const undo of restore) undo();
  }
}
