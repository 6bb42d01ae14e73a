import { expect, it } from 'vitest';
import { lookFor } from '../look.ts';
import { table } from './table.ts';

const columns = [{ title: 'session' }, { title: 'events', number: true }, { title: 'by' }];
const rows = [
  ['予約', '1,204', 'a'],
  ['plain', '7', 'bcd'],
];

it('aligns wide characters, and numbers to the right', () => {
  expect(table(lookFor({}, {}), columns, rows)).toEqual([
    'session  events  by',
    '予約      1,204  a',
    'plain         7  bcd',
  ]);
});

it('drops nothing on a narrow screen', () => {
  const long = [['a-session-with-a-long-name', '7', 'extractive']];
  expect(table(lookFor({ COLUMNS: '30' }, {}), columns, [...long, ...rows.slice(1)])).toEqual([
    'session  a-session-with-a-long',
    '         -name',
    'events   7',
    'by       extractive',
    '',
    'session  plain',
    'events   7',
    'by       bcd',
  ]);
});
