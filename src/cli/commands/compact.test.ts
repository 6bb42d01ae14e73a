import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { ROOT_LANE } from '../../event/lane.ts';
import { openSqliteStore } from '../../store/sqlite/index.ts';
import { cli, cliJson, Folder, SAMPLE } from '../cli.fixture.ts';
import type { CompactJson } from '../report/compact-json.ts';
import type { PreviewJson } from '../report/preview-json.ts';

const folder = new Folder();
afterAll(() => folder.remove());

it('makes the prompt of the sample small, proves it, and accounts for every line and event', async () => {
  const json: CompactJson = await cliJson(['compact', SAMPLE, '--keep-events', '20']);
  expect(json).toMatchObject({ format: 'claude-code', verified: true, problems: [], store: null });
  expect(json.tokens.after).toBeLessThan(json.tokens.before * 0.15);
  expect(json.covered + json.raw).toBe(json.events);
  // Of the sample's values at least four in five; the share of a real log is held in the test of real logs.
  expect(json.literals).toMatchObject({ found: 100 });
  expect(json.literals.kept).toBeGreaterThanOrEqual(80);
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
  // All that is raw is the kept tail: no window waits. Said whenever there is an interval, the line is wrong here.
  expect(out).not.toContain('too little to fill');
  const { out: waiting } = await cli(['compact', folder.chat('waiting.json', 45), '--interval', '10']);
  expect(waiting.replace(/\s+/g, ' ')).toContain(
    '10 raw events older than the kept tail: too little to fill a window of 10 turns',
  );
});

// Comes back when an outcome of kind busy counts as a failure: exit code 1, although nothing is wrong.
it('leaves a session alone that another process compacts, says who does, and is done', async () => {
  const path = folder.at('held.db');
  const log = folder.chat('held.json', 30);
  await cli(['import', log, '--store', path]);
  const store = await openSqliteStore(path);
  const key = { app: 'palimpsest', user: 'local', session: 'held' };
  const taken = await store.takeLease(key, {
    lane: ROOT_LANE,
    rootView: false,
    trigger: 'manual',
    window: { spans: [{ first: 1, last: 40 }], events: 40, tokens: 400, invocations: 20 },
    revision: (await store.view(key, ROOT_LANE, 'lane')).revision,
    holder: 'elsewhere:7',
    milliseconds: 600_000,
  });
  expect(taken.taken).toBe(true);
  const { code, out, err } = await cli(['compact', log, '--store', path, '--interval', '5']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('another process compacts it now (elsewhere:7)');
  expect(out).toContain('verified: 60 events');
  expect(out).not.toContain('too little to fill');
  expect(await cliJson(['compact', log, '--store', path])).toMatchObject({
    records: 0,
    verified: true,
    attempts: { committed: 0, busy: 'elsewhere:7' },
  });
  await store.close();
});

it('shows the goal of the oldest summary, and what `= goal` stands for', async () => {
  const { out } = await cli(['compact', folder.chat('goals.json', 40), '--interval', '10']);
  const [, oldest] = /events 1–20: .*\n +goal +- (question 1: .*)\n/.exec(out) ?? [];
  expect(oldest).toBeDefined();
  const work = folder.file(
    'one-request.json',
    JSON.stringify({
      messages: [
        { role: 'user', content: 'Fix the booking form.' },
        ...Array.from({ length: 40 }, (_, at) => ({
          role: 'assistant',
          content: `Step ${at}: ${'so it goes. '.repeat(20)}`,
        })),
      ],
    }),
  );
  const { out: one } = await cli(['compact', work]);
  expect(one).toMatch(/ asked last \([a-z ]+\): Fix the booking form\.\n/);
  expect(one).not.toContain('= goal');
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

it('says in a dry run what would be covered and lost, and stores nothing', async () => {
  const log = folder.chat('dry.json', 30);
  const store = folder.at('dry.db');
  const { code, out } = await cli(['compact', log, '--store', store, '--dry-run']);
  expect(code).toBe(0);
  expect(out).toMatch(/Would +cover events 1-40: [\d,]+ → [\d,]+ tokens/);
  expect(out).toContain('nothing: this was a dry run');
  // Not even what a log holds.
  expect(existsSync(store)).toBe(false);
  const json: PreviewJson = await cliJson(['compact', SAMPLE, '--dry-run']);
  const [window] = json.windows;
  expect(window?.literals.found).toBe(100);
  const named = Object.values({ ...window?.literals.carried, ...window?.literals.dropped }).flat().length;
  expect(named).toBeGreaterThan(0);
  expect(json.tokens.after).toBeLessThan(json.tokens.before * 0.15);
  const compacted: CompactJson = await cliJson(['compact', SAMPLE]);
  // Nonces are random, and so are their tokens.
  expect(Math.abs(compacted.tokens.after - json.tokens.after)).toBeLessThan(250);
});

it('previews a session of a store and leaves it as it was', async () => {
  const store = folder.at('previewed.db');
  await cli(['import', folder.chat('previewed.json', 30), '--store', store]);
  const json: PreviewJson = await cliJson([
    'compact',
    'previewed',
    '--store',
    store,
    '--dry-run',
    '--interval',
    '10',
  ]);
  expect(json).toMatchObject({ dryRun: true, events: 60, attempts: { wouldCommit: 2, others: [] } });
  expect(await cliJson(['records', '--store', store])).toMatchObject({ records: [] });
  expect(await cliJson(['attempts', '--store', store])).toMatchObject({ attempts: [] });
  const short = await cli(['compact', folder.chat('few.json', 3), '--dry-run']);
  expect(short).toMatchObject({ code: 0, out: expect.stringContaining('nothing would be compacted') });
  const usage = await cli(['compact', SAMPLE, '--dry-run', '--as', 'text']);
  expect(usage).toMatchObject({ code: 2, out: '' });
});
