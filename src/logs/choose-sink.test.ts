import { expect, it } from 'vitest';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { importLog } from './import-log.ts';
import type { ImportSink } from './import-report.ts';
import type { LogSource } from './log-source.ts';

function log(lines: readonly object[]): LogSource {
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return {
    name: 'a.jsonl',
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

function sinks(): {
  readonly asked: (string | null)[];
  sinkFor: (native: string | null) => Promise<ImportSink>;
} {
  const asked: (string | null)[] = [];
  const store = new MemoryStore();
  const key = { app: 'a', user: 'u', session: 's' };
  return {
    asked,
    sinkFor: async (native) => {
      asked.push(native);
      return { append: (...batch) => store.append(key, ...batch), info: () => store.info(key) };
    },
  };
}

const turns = Array.from({ length: 40 }, (_, at) => at);

it('asks for the sink once, by the name a Codex rollout has, before its first batch', async () => {
  // Setting the name when the log is read to its end asks with null.
  const { asked, sinkFor } = sinks();
  const timestamp = '2026-01-01T00:00:00Z';
  const lines = [
    { timestamp, type: 'session_meta', payload: { id: 'the-session' } },
    ...turns.map((turn) => ({
      timestamp,
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `turn ${turn}` }] },
    })),
  ];
  const report = await importLog(log(lines), sinkFor, { batch: 3 });
  expect(report).toMatchObject({ format: 'codex', stored: 40, nativeSession: 'the-session' });
  expect(asked).toEqual(['the-session']);
});

it('asks for the sink by the name a Claude Code session has', async () => {
  const { asked, sinkFor } = sinks();
  const lines = turns.map((turn) => ({
    type: 'user',
    uuid: `u${turn}`,
    parentUuid: turn === 0 ? null : `u${turn - 1}`,
    sessionId: 'the-session',
    timestamp: '2026-01-01T00:00:00Z',
    message: { role: 'user', content: `turn ${turn}` },
  }));
  const report = await importLog(log(lines), sinkFor, { batch: 3 });
  expect(report).toMatchObject({ format: 'claude-code', stored: 40 });
  expect(asked).toEqual(['the-session']);
});

it('asks with null where the log names none, and not at all where it holds no event', async () => {
  const { asked, sinkFor } = sinks();
  await importLog(
    log([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'yes' },
    ]),
    sinkFor,
  );
  expect(asked).toEqual([null]);
  await expect(importLog(log([{ type: 'summary', summary: 'x', leafUuid: 'y' }]), sinkFor)).rejects.toThrow(
    'a.jsonl',
  );
  expect(asked).toEqual([null]);
});
