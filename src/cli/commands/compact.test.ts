import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { cli, cliJson, Folder, SAMPLE } from '../cli.fixture.ts';
import type { CompactJson } from '../report/compact-json.ts';

const folder = new Folder();
afterAll(() => folder.remove());

it('makes the prompt of the sample small, proves it, and accounts for every line and event', async () => {
  const json: CompactJson = await cliJson(['compact', SAMPLE, '--keep-events', '20']);
  expect(json).toMatchObject({ format: 'claude-code', verified: true, problems: [], store: null });
  expect(json.tokens.after).toBeLessThan(json.tokens.before * 0.15);
  expect(json.covered + json.raw).toBe(json.events);
  expect(json.lanes.reduce((sum, lane) => sum + lane.events, 0)).toBe(json.events);
  const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n').length;
  const skipped = Object.values(json.lines?.skipped ?? {}).reduce((sum, count) => sum + count, 0);
  expect(json.lines?.total).toBe(lines);
  expect((json.lines?.asEvents ?? 0) + (json.lines?.merged ?? 0) + skipped).toBe(lines);
});

it('keeps a session in a store, and imports only what is new when the log grew', async () => {
  const store = folder.at('grown.db');
  const log = folder.chat('grown.json', 30);
  const first: CompactJson = await cliJson(['compact', log, '--store', store]);
  expect(first).toMatchObject({ session: 'grown', events: 60, stored: 60, known: 0, records: 1 });
  folder.chat('grown.json', 40);
  const second: CompactJson = await cliJson(['compact', log, '--store', store]);
  expect(second).toMatchObject({ events: 80, stored: 20, known: 60, verified: true });
  expect(second.covered).toBeGreaterThan(first.covered);
});

it('opens a session of the store where no file has that name', async () => {
  const store = folder.at('opened.db');
  await cli(['import', folder.chat('opened.json', 30), '--store', store]);
  const json: CompactJson = await cliJson(['compact', 'opened', '--store', store]);
  expect(json).toMatchObject({ format: null, lines: null, session: 'opened', events: 60, verified: true });
  expect(json.records).toBe(1);
});

it('drains windows of turns, and keeps the tail', async () => {
  const json: CompactJson = await cliJson([
    'compact',
    folder.chat('windows.json', 40),
    '--interval',
    '10',
    '--overlap',
    '1',
  ]);
  expect(json).toMatchObject({ records: 3, covered: 60, raw: 20, verified: true });
  const { out } = await cli(['compact', folder.chat('windows.json', 40), '--interval', '10']);
  expect(out).toContain('turns that do not fill a window of 10 stay raw');
});

it('prints the prompt where --as says so, and the report beside it', async () => {
  const log = folder.chat('as.json', 30);
  const { out, err } = await cli(['compact', log, '--as', 'openai']);
  const request: { messages: { role: string }[] } = JSON.parse(out);
  expect(request.messages[0]?.role).toBe('user');
  expect(err).toContain('Proof ');
  for (const form of ['openai-responses', 'anthropic', 'gemini', 'ai-sdk']) {
    expect(Object.keys(JSON.parse((await cli(['compact', log, '--as', form])).out))).not.toEqual([]);
  }
  expect((await cli(['compact', log, '--as', 'text'])).out).toContain('[summary of events 1 to ');
});

it('writes the prompt to a file, and the report to standard output', async () => {
  const path = folder.at('prompt.txt');
  const { code, out } = await cli(['compact', folder.chat('out.json', 30), '--out', path]);
  expect(code).toBe(0);
  expect(out).toContain(`the prompt is in ${path} (text)`);
  expect(readFileSync(path, 'utf8')).toContain('[summary of events 1 to ');
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('has nothing to do with a short session, and says so', async () => {
  const { code, out } = await cli(['compact', folder.chat('short.json', 3)]);
  expect(code).toBe(0);
  expect(out).toContain('nothing was compacted: all its events are in the tail that is kept');
});

it.each([
  ['a file that is missing', 'missing.json', 'there is no such file, nor a store'],
  ['a folder', '.', 'it is a folder'],
  ['a file that is no log', 'prose.txt', 'not a session log'],
  ['an empty file', 'empty.jsonl', 'holds no conversation'],
])('fails with one line for %s, and leaves no store behind', async (_, name, line) => {
  folder.file('prose.txt', 'Dear diary, today\nI wrote no JSON.\n');
  folder.file('empty.jsonl', '');
  const store = folder.at('none.db');
  const { code, out, err } = await cli(['compact', folder.at(name), '--store', store]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^palimpsest: [^\n]+\n$/);
  expect(err).toContain(line);
  expect(existsSync(store)).toBe(false);
});

it('refuses a store that is another program’s file, and does not touch it', async () => {
  const foreign = folder.file('notes.txt', 'not a database, and dear to somebody\n'.repeat(100));
  const { code, err } = await cli(['compact', folder.chat('f.json', 30), '--store', foreign]);
  expect(code).toBe(1);
  expect(err).toMatch(/^palimpsest: [^\n]+\n$/);
  expect(readFileSync(foreign, 'utf8')).toBe('not a database, and dear to somebody\n'.repeat(100));
});

it('fails with one line where --out cannot be written', async () => {
  const { code, err } = await cli([
    'compact',
    folder.chat('w.json', 30),
    '--out',
    folder.at('no/such/folder.txt'),
  ]);
  expect(code).toBe(1);
  expect(err).toMatch(/^palimpsest: --out [^\n]*folder\.txt: there is no folder [^\n]*\n$/);
});
