import { expect, it } from 'vitest';
import { commonRoot, isPathLike } from './path-shape.ts';

it.each([
  '/srv/app/a.ts',
  './a',
  '~/notes',
  'C:\\work\\a.txt',
  'src/a.ts',
  'README.md',
  '.env',
  '/srv/my notes/a b.txt',
  'データ/表.csv',
])('%s is a path', (value) => {
  expect(isPathLike(value)).toBe(true);
});

it.each([
  'application/json',
  'https://host/a.ts',
  '1.24',
  '2024/05/01',
  'and/or',
  'example.com',
  'src/**/*.ts',
  'a sentence with a.dot in it',
  'console.log',
  'v1.2.3',
  '/',
  '//',
  'line\nbreak.ts',
  '',
  'a'.repeat(400),
])('%j is none', (value) => {
  expect(isPathLike(value)).toBe(false);
});

it('takes a key’s word for a single name', () => {
  expect(isPathLike('Makefile', true)).toBe(true);
  expect(isPathLike('Makefile')).toBe(false);
});

it('finds the directory most paths share', () => {
  expect(commonRoot(['/srv/app/src/a.ts', '/srv/app/src/b.ts', '/srv/app/test/c.ts', '/tmp/x.log'])).toBe(
    '/srv/app',
  );
  expect(commonRoot(['/srv/app/src/a.ts'])).toBe('');
  expect(commonRoot(['a.ts', 'b.ts'])).toBe('');
});
