import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StoredEvent } from '../event/event.ts';
import { sharedData } from '../tokens/shared-data.fixture.ts';
import { imported, type TestSession, testSession, textOfEvent } from './import.fixture.ts';
import type { ImportReport } from './import-report.ts';

const folders = ['claude-code', 'codex', 'messages'];
const files =
  sharedData === null
    ? []
    : folders.flatMap((folder) =>
        readdirSync(join(sharedData ?? '', folder)).map((file) => `${folder}/${file}`),
      );
const read = (file: string): Buffer => readFileSync(join(sharedData ?? '', file));

/** Files of `messages` that are other things than a conversation: a stream's chunks, another library's dump. */
const NO_LOGS = new Set([
  'messages/ai-sdk-stream-chunks.json',
  'messages/anthropic-compaction-chunks.txt',
  'messages/langchain-dump.json',
]);
const logs = files.filter((file) => !NO_LOGS.has(file));
const jsonl = logs.filter((file) => file.endsWith('.jsonl'));

function add(report: ImportReport): number {
  const { asEvents, merged, skipped } = report.lines;
  return asEvents + merged + Object.values(skipped).reduce((sum, count) => sum + count, 0);
}

/** What must not depend on how often a log was imported while it grew. Lanes may: what is stored keeps its own. */
function said(events: readonly StoredEvent[]): unknown {
  return events.map(({ seq, id, author, role, content, reply, finish, metadata }) => ({
    seq,
    id,
    author,
    role,
    content,
    reply,
    finish,
    metadata,
  }));
}

/** Imports what there is of a log; too little of it is no log yet. */
async function importPrefix(session: TestSession, bytes: Uint8Array): Promise<void> {
  await session.import(bytes).catch((error: Error) => {
    if (!/holds no conversation|not a session log/.test(error.message)) throw error;
  });
}

describe.skipIf(sharedData === null)('real logs (skipped where the shared data is absent)', () => {
  test.each(logs)('%s: every line is counted, and importing it again adds nothing', async (file) => {
    const content = read(file);
    const session = testSession();
    const report = await session.import(content);
    expect(add(report)).toBe(report.lines.total);
    expect(report.stored).toBeGreaterThan(0);
    expect(await session.import(content, { chunk: 77_777 })).toEqual({
      ...report,
      stored: 0,
      known: report.stored,
    });
  });

  test.each(jsonl)('%s: the counts add up to its lines', async (file) => {
    const lines = read(file).toString('utf8').split('\n');
    const { report } = await imported(read(file));
    expect(report.lines.total).toBe(lines.at(-1) === '' ? lines.length - 1 : lines.length);
  });

  test.each([...NO_LOGS])('%s is told to be none, in one line', async (file) => {
    await expect(imported(read(file))).rejects.toThrow(
      /^log\.jsonl: not a session log this version knows \([^\n]*\)$/,
    );
  });

  test.each(jsonl)(
    '%s: however it grew, importing it as it grew gives what importing it at once gives',
    async (file) => {
      // Comes back when what a line gives depends on what comes after it.
      const content = read(file);
      const whole = await imported(content);
      const cuts = [...content.keys()].filter((at) => content[at - 1] === 0x0a);
      const most = content.length > 400_000 ? 2 : 7;
      const some = cuts.length > 30 ? cuts.filter((_, at) => at % Math.ceil(cuts.length / most) === 1) : cuts;
      for (const cut of some) {
        // After the line break, before it, and in the middle of the next line.
        for (const at of [cut, cut - 1, Math.min(content.length, cut + 150)]) {
          const session = testSession();
          await importPrefix(session, content.subarray(0, at));
          await session.import(content);
          expect(said(await session.events())).toEqual(said(whole.events));
        }
      }
    },
    60_000,
  );

  test.each(jsonl.filter((file) => !file.includes('dag-fork')))(
    '%s: nothing of it is abandoned',
    async (file) => {
      const { events } = await imported(read(file));
      expect(events.filter((event) => event.lane.isolation.startsWith('fork:'))).toEqual([]);
    },
  );

  test('compacted-large: everything before the boundary is in the active conversation, in order', async () => {
    const content = read('claude-code/compacted-large.jsonl').toString('utf8');
    const records = content
      .split('\n')
      .flatMap((line) =>
        line === '' ? [] : [JSON.parse(line) as { type: string; uuid: string; subtype?: string }],
      );
    const boundary = records.findIndex((record) => record.subtype === 'compact_boundary');
    const before = records.slice(0, boundary).filter(({ type }) => type === 'user' || type === 'assistant');
    const { events } = await imported(content);
    expect(before.length).toBeGreaterThan(300);
    expect(events.slice(0, before.length).map((event) => event.id)).toEqual(
      before.map((record) => record.uuid),
    );
    expect(events[before.length]?.metadata).toMatchObject({
      kind: 'log_compaction',
      is: 'boundary',
      trigger: 'auto',
    });
    expect(events[before.length + 1]?.metadata).toEqual({ kind: 'log_compaction', is: 'summary' });
    expect(new Set(events.map((event) => event.lane.isolation))).toEqual(new Set(['']));
  });

  test('dag-fork: the branch the last line is on is the active conversation', async () => {
    const { events } = await imported(read('claude-code/dag-fork.jsonl'));
    const of = (isolation: string): string =>
      events
        .filter((event) => event.lane.isolation === isolation)
        .map((event) => event.id)
        .join('');
    expect(of('')).toBe('abcijk');
    expect(of('fork:d')).toBe('defgh');
  });

  test('calls that real logs answer are answered', async () => {
    const open: { [file: string]: number } = {};
    for (const file of logs) {
      const session = testSession();
      await session.import(read(file));
      const obligations = await session.store.obligations(session.key);
      const count = obligations.filter(({ answeredBy }) => answeredBy === null).length;
      if (count > 0) open[file] = count;
    }
    // The last call of a log that was cut, and hand-made edge cases.
    expect(open).toEqual({
      'claude-code/edge-cases.jsonl': 2,
      'claude-code/sidechain.jsonl': 2,
      'codex/compacted-shapes.jsonl': 1,
      'codex/edges.jsonl': 1,
      'messages/openai-chat-litellm-log.json': 1,
    });
  });

  test('real-medium of codex: prompts and replies once, reasoning with its encrypted item', async () => {
    const { events } = await imported(read('codex/real-medium.jsonl'));
    const prompts = events.filter((event) => event.invocation === `turn:${event.id}`);
    expect(prompts).toHaveLength(4);
    const texts = events.filter((event) => event.content[0]?.type === 'text').map(textOfEvent);
    expect(new Set(texts).size).toBe(texts.length);
    const reasoning = events.flatMap((event) => event.content.filter((part) => part.type === 'reasoning'));
    expect(reasoning).toHaveLength(20);
    expect(reasoning.every((part) => part.providerState?.provider === 'openai')).toBe(true);
  });

  test('the image of a real log comes through whole', async () => {
    const { events } = await imported(read('claude-code/image.jsonl'));
    const media = events[0]?.content.filter((part) => part.type === 'media') ?? [];
    expect(media.map(({ kind, mimeType }) => [kind, mimeType])).toEqual([
      ['image', 'image/png'],
      ['image', 'image/png'],
    ]);
    expect(media.reduce((sum, part) => sum + (part.data?.length ?? 0), 0)).toBeGreaterThan(800_000);
  });
});
