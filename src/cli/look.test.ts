import { expect, it } from 'vitest';
import { type Environment, lookFor, type Screen } from './look.ts';

const painted = (env: Environment, screen: Screen): boolean => lookFor(env, screen).paint.good('x') !== 'x';
const terminal: Screen = { isTTY: true, columns: 120 };

it.each<[string, Environment, Screen, boolean]>([
  ['a terminal', {}, terminal, true],
  ['a pipe', {}, {}, false],
  ['a dumb terminal', { TERM: 'dumb' }, terminal, false],
  ['NO_COLOR', { NO_COLOR: '1' }, terminal, false],
  ['an empty NO_COLOR, which counts as unset', { NO_COLOR: '' }, terminal, true],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, {}, true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, terminal, false],
  ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, terminal, false],
])('colour for %s', (_, env, screen, colour) => {
  expect(painted(env, screen)).toBe(colour);
});

it.each<[string, Environment, boolean]>([
  ['no locale, as in a container', {}, true],
  ['a UTF-8 locale', { LANG: 'ja_JP.UTF-8' }, true],
  ['utf8 as it is also written', { LANG: 'C.utf8' }, true],
  ['the C locale', { LANG: 'C' }, false],
  ['LC_ALL over LANG', { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, false],
  ['the Linux console', { TERM: 'linux' }, false],
])('block characters for %s', (_, env, unicode) => {
  expect(lookFor(env, {}).marks.full === '█').toBe(unicode);
});

it('takes the width of the terminal, within what can be read', () => {
  expect(lookFor({}, { isTTY: true, columns: 63 }).width).toBe(63);
  expect(lookFor({}, { isTTY: true, columns: 300 }).width).toBe(100);
  expect(lookFor({}, { isTTY: true, columns: 3 }).width).toBe(30);
  expect(lookFor({}, { isTTY: true, columns: 0 }).width).toBe(80);
  expect(lookFor({}, {}).width).toBe(80);
  expect(lookFor({ COLUMNS: '40' }, {}).width).toBe(40);
  expect(lookFor({ COLUMNS: 'wide' }, {}).width).toBe(80);
});
