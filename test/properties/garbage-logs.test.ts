// Files that are no logs, and logs that somebody broke: one clear line and a failure, or a session that verifies.
import { readFileSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cli, Folder, SAMPLE } from '../../src/cli/cli.fixture.ts';
import { PalimpsestError } from '../../src/event/errors.ts';
import { sourceOf } from '../../src/logs/import.fixture.ts';
import { importLog } from '../../src/logs/index.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { quarterCounter } from '../world/characters.ts';
import { openStory } from '../world/played-store.ts';
import { runsOf } from './runs.ts';

const folder = new Folder();
afterAll(() => folder.remove());

const garbage: readonly (readonly [what: string, bytes: string | Uint8Array])[] = [
  ['nothing', ''],
  ['blanks', ' \n\n\t\n'],
  ['a byte order mark', '\ufeff'],
  ['NUL bytes', '\u0000'.repeat(5_000)],
  ['bytes that are no UTF-8', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 37) % 256)],
  ['half a character', Uint8Array.from([0x7b, 0x22, 0xf0, 0x9f])],
  ['prose', 'Dear Sir or Madam,\nplease find attached.\n'],
  ['null', 'null'],
  ['a number a line', '1\n2\n3\n'],
  ['an empty object', '{}'],
  ['an empty list', '[]'],
  ['empty messages', '{"messages":[]}'],
  ['messages that are none', '{"messages":[null,1,"x",[],{}]}'],
  ['half of JSON', '{"messages":[{"role":"user","content":"hel'],
  ['100,000 brackets', '['.repeat(100_000)],
  ['100,000 objects deep', '{"messages":'.repeat(100_000)],
  ['one line of a megabyte', `{"type":"user","message":"${'a'.repeat(1_000_000)}`],
  ['prototype names', '{"__proto__":{"messages":[{"role":"user","content":"x"}]},"constructor":1}'],
  [
    'a picture',
    Uint8Array.from([
      0x89,
      0x50,
      0x4e,
      0x47,
      0x0d,
      0x0a,
      0x1a,
      0x0a,
      ...Array.from({ length: 200 }, () => 7),
    ]),
  ],
];

describe('palimpsest compact of', () => {
  it.each(garbage)('%s fails in one line, and leaves nothing behind', async (_what, bytes) => {
    const path = folder.at('garbage.jsonl');
    writeFileSync(path, bytes);
    for (const args of [[], ['--json'], ['--dry-run']]) {
      const { code, out, err } = await cli(['compact', path, ...args]);
      expect(code).not.toBe(0);
      expect(out).toBe('');
      expect(err).toMatch(/^palimpsest: [^\n]{1,300}\n$/u);
    }
  });
});

const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n').slice(0, 50);
const values: readonly unknown[] = [
  null,
  1,
  '',
  'x',
  [],
  {},
  [null],
  true,
  '\ud800',
  '__proto__',
  [[[[]]]],
  { type: 'tool_result', tool_use_id: 'a', content: null },
  { type: 'tool_use', id: 'a', name: 'b', input: 3 },
];
const at = fc.nat({ max: 49 });
const damage = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at, path: fc.nat(), value: fc.constantFrom(...values) }),
  fc.record({ kind: fc.constant('cut' as const), at, length: fc.nat({ max: 2_000 }) }),
  fc.record({ kind: fc.constant('double' as const), at }),
  fc.record({ kind: fc.constant('drop' as const), at }),
  fc.record({ kind: fc.constant('swap' as const), at, other: at }),
  fc.record({ kind: fc.constant('write' as const), at, text: fc.string() }),
);

type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

/** Every place in a value. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ]);
}

function damaged(log: readonly string[], done: Damage): readonly string[] {
  const index = done.at % Math.max(1, log.length);
  const line = log[index] ?? '';
  switch (done.kind) {
    case 'set':
      return log.with(index, withValue(line, done.path, done.value));
    case 'cut':
      return log.with(index, line.slice(0, done.length));
    case 'double':
      return log.toSpliced(index, 0, line);
    case 'drop':
      return log.toSpliced(index, 1);
    case 'swap':
      return log.with(index, log[done.other % log.length] ?? '').with(done.other % log.length, line);
    case 'write':
      return log.with(index, done.text);
    default:
      return done satisfies never;
  }
}

function withValue(line: string, number: number, value: unknown): string {
  let whole: unknown;
  try {
    whole = JSON.parse(line);
  } catch {
    return line;
  }
  const paths = pathsOf(whole);
  const path = paths[number % Math.max(1, paths.length)];
  if (path === undefined) return line;
  let inside: unknown = whole;
  for (const key of path.slice(0, -1)) inside = Reflect.get(Object(inside), key);
  Reflect.set(Object(inside), path.at(-1) ?? '', value);
  return JSON.stringify(whole);
}

describe('a log somebody broke', () => {
  it('is refused by an error of ours, or makes a session that compacts and verifies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (done) => {
        const log = done.reduce(damaged, lines);
        const session = openStory(new MemoryStore({ counter: quarterCounter }));
        const failed = await importLog(sourceOf(log.join('\n')), session).then(
          () => null,
          (error: unknown) => error,
        );
        expect(failed === null || PalimpsestError.isInstance(failed)).toBe(true);
        if ((await session.info()) !== null) await session.compact({ keep: { events: 3 } });
        expect((await session.verify()).problems).toEqual([]);
      }),
      { numRuns: runsOf(150) },
    );
  });
});
