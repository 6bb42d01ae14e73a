import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKept } from './is-kept.ts';
import type { LiteralKind } from './literal-kind.ts';

function kept(kind: LiteralKind, text: string, within: string): boolean {
  return isKept({ kind, text }, within);
}

describe('isKept', () => {
  // Fails when a value is looked for without regard to what stands beside it.
  it.each<[LiteralKind, string, string]>([
    ['number', '12', 'of 123 things'],
    ['number', '12', 'took 12.5 s'],
    ['number', '12', 'at 0.12'],
    ['number', '12', '12px wide'],
    ['number', '1.2', 'release 1.2.3'],
    ['number', '200', '1,200 of them'],
    ['date', '10:30', 'from 10:30:15'],
    ['id', 'ABC-12', 'see ABC-123'],
    ['id', 'ABC-12', 'see X-ABC-12'],
    ['id', 'c93f353', 'see c93f3533'],
    ['path', 'src/a.ts', 'in src/a.tsx'],
    ['path', 'src/a.ts', 'in lib_src/a.ts'],
    ['path', 'src/foo', 'in src/foo.ts'],
    ['path', '/srv/a', 'in /mnt/srv/a'],
    ['path', '/srv/a', 'in /srv/ab'],
    ['url', 'https://host.io/a', 'at https://host.io/a/b'],
    ['url', 'https://host.io/a', 'at https://host.io/a?x=1'],
    ['email', 'ann@host.io', 'to joann@host.io'],
    ['code', 'user_id', 'the user_ids'],
    ['code', 'fetch', 'pre-fetch it'],
    ['code', 'Foo', 'foo'],
    ['name', 'Ann', 'Anna'],
    ['name', 'テスト', 'テストケース'],
    ['command', 'npm test', 'npm test-all'],
    ['instruction', 'never push to main', 'always push to main'],
  ])('finds no %s %s in "%s"', (kind, text, within) => {
    expect(kept(kind, text, within)).toBe(false);
  });

  // Fails when widths, case, entities, blanks or neighbours of other scripts make a value another one.
  it.each<[LiteralKind, string, string]>([
    ['number', '12', '12% off'],
    ['number', '12', '(12)'],
    ['number', '12', 'on page 12.'],
    ['number', '35', '35歳です'],
    ['number', '1,200', 'all 1200'],
    ['number', '35 ms', 'took 35ms'],
    ['number', '35ms', 'took 35 ms'],
    ['number', '$49.99', 'for $49.99.'],
    ['path', 'src/a.ts', 'in `src/a.ts`, line 3'],
    ['path', 'src/a.ts', 'src/a.ts:42:7'],
    ['path', 'src/a.ts', '/home/x/src/a.ts'],
    ['path', '/srv/app', 'below /srv/app/config'],
    ['path', '/srv/app', 'below /srv/app.'],
    ['path', '/srv/app/main.ts', 'root: /srv/app\nedited: main.ts, util.ts'],
    ['path', 'docs/設計.md', '見る：docs/設計.md。'],
    ['url', 'https://host.io/a?x=1&y=2', 'at https://host.io/a?x=1&amp;y=2'],
    ['code', 'a && b < c', 'says a &amp;&amp; b &lt; c'],
    ['code', 'foo()', 'call foo()'],
    ['code', 'Map<string>', 'a Map&#60;string&#x3e;'],
    ['name', 'New York', 'in new\n  york'],
    ['name', 'Redis', 'Ｒｅｄｉｓを使う'],
    ['name', "O'Neil", 'with O’Neil'],
    ['name', '東京', '東京都へ'],
    ['date', '2026–03–05', 'on 2026-03-05'],
    ['instruction', 'Never push to main.', 'rule: never  push to main; ask first'],
  ])('finds %s %s in "%s"', (kind, text, within) => {
    expect(kept(kind, text, within)).toBe(true);
  });

  // Fails when a path counts as named because its end and another directory are.
  it('takes a path in parts only where a directory of it and the rest stand by themselves', () => {
    expect(kept('path', '/srv/app/lib/main.ts', 'root: /srv/app\nread: other/lib/main.ts')).toBe(false);
    expect(kept('path', '/srv/app/lib/main.ts', 'root: /srv/apple\nread: lib/main.ts')).toBe(false);
    expect(kept('path', '/srv/app/lib/main.ts', 'read: lib/main.ts')).toBe(false);
  });

  it('finds every literal in itself and in prose around it', () => {
    const kind = fc.constantFrom<LiteralKind>('path', 'number', 'name', 'code', 'instruction', 'url');
    fc.assert(
      fc.property(kind, fc.string({ unit: 'grapheme', minLength: 1 }), (of, text) => {
        fc.pre(/\S/u.test(text.normalize('NFKC').replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/gu, '')));
        fc.pre(!text.includes('&'));
        expect(kept(of, text, text)).toBe(true);
        expect(kept(of, text, `before ${text} after`)).toBe(true);
      }),
    );
  });

  // Fails when looking on starts over at the text's begin, or a place is given a second look for each of its letters.
  it('is linear in the text', () => {
    const started = performance.now();
    expect(kept('name', 'a', 'a'.repeat(500_000))).toBe(false);
    expect(kept('path', '/a'.repeat(100), '/a'.repeat(100_000))).toBe(true);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
