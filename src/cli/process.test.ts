// The command as a process: what only a real one shows. The tests run side by side: most of their time is waiting.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { cliJson, Folder, type Ran, SAMPLE } from './cli.fixture.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const folder = new Folder();
afterAll(() => folder.remove());
// Several processes start at once on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 });

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(args: readonly string[], env: Record<string, string> = {}): Child {
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  return spawn(process.execPath, [MAIN, ...args], {
    env: { ...rest, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: Child): Promise<Ran> {
  const { stdout, stderr } = child;
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  // On a machine that is busy, work takes long enough for a line of progress.
  return { code, out, err: err.replace(/^palimpsest: (importing|summarizing|verifying)\b.*: .*\n/gm, '') };
}

/** A model on loopback, over OpenAI's protocol. */
async function model(answer: (server: Server) => number | null): Promise<Server> {
  const server = createServer((_, response) => {
    const status = answer(server);
    if (status === null) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'text of the conversation', type: 'server_error' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function at(server: Server): Record<string, string> {
  const { port } = server.address() as AddressInfo;
  return { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'none' };
}

it.concurrent('runs the demo on the shipped sample, without escapes or warnings, and leaves nothing', async () => {
  const { code, out, err } = await ended(start(['demo'], { TMPDIR: folder.path }));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).not.toContain('\u001b');
  expect(out).toMatch(
    /Tamper +in a copy of the store, one byte of event \d+ was changed:\n +verify: 2 problems, first event_hash event \d+/,
  );
  // The page shows what the demo prints. Comes back when the demo's fence has digits of its own each time.
  const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const figures = page.match(/^Prompt +before .*\n +after .*$/m)?.[0];
  expect(figures).toBeDefined();
  expect(out).toContain(figures);
  expect(out).toMatch(/Undo +summary undone: the prompt is [\d,]+ → [\d,]+ tokens/);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('palimpsest-demo'))).toEqual([]);
});

it.concurrent('exits with the code the page promises', async () => {
  const [missing, usage] = await Promise.all([
    ended(start(['compact', '/nowhere/at-all.jsonl'])),
    ended(start(['compact', SAMPLE, '--keep-events', '0'])),
  ]);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(usage).toMatchObject({ code: 2, out: '' });
  for (const { err } of [missing, usage]) expect(err).toMatch(/^palimpsest: [^\n]+\n$/);
});

it.concurrent('is not troubled by a reader who has seen enough', async () => {
  // Without a listener for EPIPE the process dies with a stack trace.
  const child = start(['compact', SAMPLE, '--as', 'text']);
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(0);
  expect(err).toContain('Proof ');
  expect(err).not.toContain('EPIPE');
});

it.skipIf(!existsSync('/dev/full'))(
  'says so when the result cannot be written',
  { concurrent: true },
  async () => {
    // Ignoring every error of the stream, not only EPIPE, exits with 0.
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [MAIN, 'compact', SAMPLE, '--as', 'text'], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const [err, [code]] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(err).toMatch(/\npalimpsest: the result could not be written: [^\n]*the disk is full\n$/);
  },
);

it.concurrent('says in one line that a model failed, keeps the session, and writes no prompt', async () => {
  const server = await model(() => 400);
  const store = folder.at('failed.db');
  const out = folder.at('failed-prompt.txt');
  const log = folder.chat('failed.json', 30);
  const args = [
    'compact',
    log,
    '--store',
    store,
    '--out',
    out,
    '--summarizer',
    'openai/some-model',
    '--json',
  ];
  const ran = await ended(start(args, at(server)));
  server.close();
  expect(ran.code).toBe(1);
  expect(ran.err).toMatch(/^palimpsest: nothing was compacted: failed: [^\n]+\n$/);
  expect(ran.err + ran.out).not.toContain('text of the conversation');
  expect(JSON.parse(ran.out)).toMatchObject({
    events: 60,
    covered: 0,
    verified: true,
    attempts: { committed: 0 },
  });
  expect(existsSync(out)).toBe(false);
  expect(await cliJson(['attempts', '--store', store])).toMatchObject({ attempts: [{ state: 'failed' }] });
});

it.concurrent('stops when interrupted, with what was stored whole and no lease left behind', async () => {
  let child: Child | undefined;
  // The model never answers; the interrupt comes while it is being waited for.
  const server = await model(() => {
    child?.kill('SIGINT');
    return null;
  });
  const store = folder.at('interrupted.db');
  const log = folder.chat('interrupted.json', 30);
  child = start(['compact', log, '--store', store, '--summarizer', 'openai/some-model'], at(server));
  const { code, out, err } = await ended(child);
  server.closeAllConnections();
  server.close();
  expect({ code, out }).toEqual({ code: 130, out: '' });
  expect(err).toMatch(/^palimpsest: interrupted; [^\n]+\n$/);
  expect(await cliJson(['verify', '--store', store])).toMatchObject({ ok: true, events: 60, records: 0 });
  expect(await cliJson(['compact', log, '--store', store])).toMatchObject({
    stored: 0,
    known: 60,
    records: 1,
  });
});

// Comes back when the handler is installed once all is loaded: the signal ends the process without a word.
it.concurrent('says that it was interrupted while it was still being loaded', async () => {
  const atLoad = `import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.endsWith('/cli/run.ts')) process.kill(process.pid, 'SIGINT');
        return next(url, context);
      },
    });`;
  const options = `--import=data:text/javascript,${encodeURIComponent(atLoad)}`;
  const { code, out, err } = await ended(start(['compact', SAMPLE], { NODE_OPTIONS: options }));
  expect({ code, out }).toEqual({ code: 130, out: '' });
  expect(err).toMatch(/^palimpsest: interrupted; [^\n]+\n$/);
});
