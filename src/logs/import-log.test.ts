import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImportError, InvalidEventError, PalimpsestError } from '../event/errors.ts';
import { imported, linesOf, sourceOf, testSession } from './import.fixture.ts';
import { importFile, importLog } from './import-log.ts';

const line = {
  type: 'user',
  uuid: 'u',
  parentUuid: null,
  sessionId: 's',
  message: { role: 'user', content: 'go' },
};

async function problemOf(content: string | Uint8Array): Promise<string> {
  const error: unknown = await imported(content).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ImportError);
  const { message } = error as ImportError;
  expect(message).not.toMatch(/\n/);
  return message;
}

describe('recognising', () => {
  test.each([
    ['claude-code', linesOf([line])],
    ['claude-code', JSON.stringify(line, null, 2).replace(/\n/g, ' ')],
    ['claude-code', linesOf(['', 'not json', '42', line])],
    [
      'codex',
      linesOf([
        { type: 'session_meta', payload: { id: 's' } },
        { type: 'event_msg', payload: { type: 'user_message', message: 'go' } },
      ]),
    ],
    ['openai-chat', JSON.stringify([{ role: 'user', content: 'go' }], null, 2)],
    ['ai-sdk-ui', JSON.stringify({ id: 'm', role: 'user', parts: [{ type: 'text', text: 'go' }] }, null, 2)],
  ])('%s by content', async (format, content) => {
    expect((await imported(content)).report.format).toBe(format);
  });

  test('goes on to the end of a first line that is longer than any head', async () => {
    const long = { ...line, message: { role: 'user', content: 'x'.repeat(3_000_000) } };
    expect((await imported(linesOf([long]), { batch: 10 })).report.lines.total).toBe(1);
  });

  test.each([
    ['prose', 'Dear diary,\ntoday nothing happened.\n'],
    ['other JSON', '{"name":"palimpsest","version":"1.0.0"}'],
    ['pretty JSON of something else', JSON.stringify({ messages: 'none' }, null, 2)],
    ['an unclosed document', '[\n{"role":"user"\n'],
    ['stream chunks', linesOf([{ type: 'message_start', message: { role: 'assistant', content: [] } }])],
    [
      'another agent’s messages in the same envelope',
      linesOf([{ ...line, message: { role: 'user', parts: [] } }]),
    ],
    ['scalars', '1\n2\n3\n'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80])],
  ])('%s is no log', async (_name, content) => {
    expect(await problemOf(content)).toMatch(
      /^log\.jsonl: not a session log this version knows \(codex, claude-code, /,
    );
  });

  test.each([
    ['an empty file', ''],
    ['blank lines', '\n \n\r\n'],
    ['a byte order mark', '\ufeff'],
    ['a title only', linesOf([{ type: 'summary', summary: 'title', leafUuid: 'x' }])],
    ['an empty list of messages', linesOf([{ type: 'session_meta', payload: { id: 's' } }])],
  ])('%s holds no conversation', async (_name, content) => {
    expect(await problemOf(content)).toBe('log.jsonl: holds no conversation');
  });

  test('is left out when the format is named', async () => {
    const { report } = await imported(linesOf([line]), { format: 'claude-code' });
    expect(report.format).toBe('claude-code');
    await expect(imported(linesOf([line]), { format: 'codex' })).rejects.toThrow('holds no conversation');
  });
});

describe('importing', () => {
  test('reports progress that ends at the total', async () => {
    const heard: [number, number | null][] = [];
    const content = linesOf([line, { ...line, uuid: 'v' }]);
    await imported(content, { onProgress: (read, total) => heard.push([read, total]) });
    expect(heard.at(-1)).toEqual([content.length * 2, content.length * 2]);
  });

  test('hands over batches, and the batches before a failure stay', async () => {
    const session = testSession();
    const lines = Array.from({ length: 25 }, (_, at) => ({ ...line, uuid: `u${at}` }));
    let batches = 0;
    const failing = {
      info: () => session.info(),
      append: (...args: Parameters<typeof session.append>) => {
        batches += 1;
        if (batches === 3) throw new Error('disk full');
        return session.append(...args);
      },
    };
    const source = sourceOf(linesOf(lines), 300);
    await expect(importLog(source, failing, { batch: 10 })).rejects.toThrow('disk full');
    const stored = (await session.events()).length;
    expect(stored).toBeGreaterThan(0);
    expect(await importLog(source, session)).toMatchObject({ stored: 25 - stored, known: stored });
  });

  test('tells in one line of a log that says something else under a stored id', async () => {
    const session = testSession();
    await session.import(linesOf([line]));
    const other = { ...line, message: { role: 'user', content: 'SECRET WORDS' } };
    const error: unknown = await session.import(linesOf([other])).catch((cause: unknown) => cause);
    expect(PalimpsestError.isInstance(error, 'import')).toBe(true);
    expect((error as Error).message).toBe(
      'log.jsonl: lines 1 to 1 hold an event that is stored with other content; import this log into another session',
    );
  });

  test('tells in one line of an event a sink refuses', async () => {
    const sink = {
      info: async () => null,
      append: () => Promise.reject(new InvalidEventError('content', 'is odd')),
    };
    await expect(importLog(sourceOf(linesOf([line])), sink)).rejects.toThrow(
      'log.jsonl: lines 1 to 1 hold an event that cannot be stored',
    );
  });

  test('counts what was in the session before as neither stored nor known', async () => {
    const session = testSession();
    await session.append([{ role: 'user', content: 'by hand' }]);
    expect(await session.import(linesOf([line]))).toMatchObject({ stored: 1, known: 0 });
    expect(await session.import(linesOf([line, { ...line, uuid: 'v' }]))).toMatchObject({
      stored: 1,
      known: 1,
    });
  });

  test('names out of a log that no store takes become names it takes, and still pair', async () => {
    const id = '\ud800'.padEnd(10_000, 'x');
    const { events } = await imported([
      {
        ...line,
        uuid: 'a\u0000b',
        type: 'assistant',
        message: { id, role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: {} }] },
      },
      {
        ...line,
        uuid: id,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'out' }] },
      },
    ]);
    expect(events.map((event) => event.id)).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    ]);
    expect(events[1]?.content[0]).toMatchObject({ type: 'toolResult', name: 'run' });
  });

  test('payloads nested deeper than a store takes are counted, and the rest is imported', async () => {
    // Comes back when they are handed over: the batch, and with it the import, would fail.
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const call = JSON.stringify({
      ...line,
      uuid: 'a',
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 'c', name: 'run', input: 'DEEP' }] },
    });
    const nested = `${'{"type":"tool_result","content":['.repeat(5_000)}${']}'.repeat(5_000)}`;
    const result = JSON.stringify({ ...line, uuid: 'r', message: { content: ['DEEP'] } });
    const { report } = await imported(
      linesOf([
        line,
        call.replace('"DEEP"', () => deep),
        call.replace('"DEEP"', () => `{"x":1e400,"y":${deep}}`),
        result.replace('"DEEP"', () => nested),
      ]),
    );
    expect(report.lines).toEqual({ total: 4, asEvents: 1, merged: 0, skipped: { not_storable: 3 } });
  });

  test('a number that is none in JavaScript makes its line one no store takes', async () => {
    const odd = JSON.stringify({ ...line, uuid: 'o', message: { content: [{ type: 'odd', n: 'HUGE' }] } });
    const { report } = await imported(linesOf([line, odd.replace('"HUGE"', '1e400')]));
    expect(report.lines.skipped).toEqual({ not_storable: 1 });
  });
});

describe('importing a file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-logs-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('reads it to its end', async () => {
    const path = join(folder, 'log.jsonl');
    const lines = Array.from({ length: 2_000 }, (_, at) => ({
      ...line,
      uuid: `u${at}`,
      message: { role: 'user', content: `${at} ${'x'.repeat(at % 700)}` },
    }));
    await writeFile(path, linesOf(lines));
    const session = testSession();
    expect(await importFile(path, session)).toMatchObject({ stored: 2_000, lines: { total: 2_000 } });
    expect((await session.events()).map((event) => event.content)).toEqual(
      lines.map(({ message }) => [{ type: 'text', text: message.content }]),
    );
  });

  test('says in one line, without its folder, that it is not there or is none', async () => {
    await expect(importFile(join(folder, 'gone.jsonl'), testSession())).rejects.toThrow(
      /^gone\.jsonl: cannot be read \(ENOENT\)$/,
    );
    await expect(importFile(folder, testSession())).rejects.toThrow(
      /^palimpsest-logs-\w+: is no regular file; /,
    );
  });
});

test('whatever the lines hold, every one is counted, nothing throws but ImportError, and a second import adds nothing', async () => {
  const text = fc.oneof(
    fc.constantFrom('u', 'a', 'm', 'user', 'assistant', 'tool', 'message', '__proto__', ''),
    fc.string(),
  );
  const key = fc.constantFrom(
    'type',
    'uuid',
    'parentUuid',
    'isSidechain',
    'message',
    'content',
    'role',
    'id',
    'payload',
    'timestamp',
    'call_id',
    'tool_use_id',
    'parts',
    'state',
    'toolCallId',
    'input',
    'output',
    'arguments',
    'tool_calls',
    'function',
    'name',
    'attachment',
    'subtype',
    'summary',
    'source',
    'replacement_history',
    'num_turns',
    'approval',
    '__proto__',
  );
  const type = fc.constantFrom(
    'user',
    'assistant',
    'system',
    'attachment',
    'summary',
    'progress',
    'text',
    'tool_use',
    'tool_result',
    'image',
    'thinking',
    'response_item',
    'event_msg',
    'compacted',
    'session_meta',
    'message',
    'reasoning',
    'function_call',
    'function_call_output',
    'user_message',
    'agent_message',
    'thread_rolled_back',
    'task_complete',
    'step-start',
    'tool-run',
    'dynamic-tool',
    'file',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      type,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  }));
  const record = fc
    .tuple(type, fc.dictionary(key, value, { maxKeys: 8 }))
    .map(([name, fields]) => ({ ...fields, type: name }));
  const row = fc.oneof(
    { weight: 8, arbitrary: record },
    { weight: 1, arbitrary: value },
    { weight: 1, arbitrary: fc.constant('{"cut":') },
  );
  const beginning = fc.constantFrom<object>(
    { type: 'user', uuid: 'u', message: { content: 'go' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: 'go' } },
    { role: 'user', content: 'go' },
    { role: 'user', content: [{ type: 'tool_result' }] },
    { role: 'user', parts: [{ type: 'text', text: 'go' }] },
  );
  await fc.assert(
    fc.asyncProperty(
      beginning,
      fc.array(row, { maxLength: 12 }),
      fc.boolean(),
      async (first, rows, asList) => {
        const rowsOf = [first, ...rows];
        const content = asList ? JSON.stringify(rowsOf) : linesOf(rowsOf);
        const session = testSession();
        const report = await session.import(content).catch((error: unknown) => {
          if (error instanceof ImportError) return null;
          throw error;
        });
        if (report === null) return;
        const { total, asEvents, merged, skipped } = report.lines;
        expect(total).toBe(asList ? rowsOf.length : content.split('\n').length - 1);
        expect(asEvents + merged + Object.values(skipped).reduce((sum, count) => sum + count, 0)).toBe(total);
        const again = await session.import(content);
        expect(again).toMatchObject({ stored: 0, known: report.stored, lines: report.lines });
      },
    ),
    { numRuns: 400 },
  );
});
