import { performance } from 'node:perf_hooks';
import type { EventDraft, StoredEvent } from '../src/event/event.ts';
import { importFile } from '../src/logs/import-log.ts';
import type { ImportSink } from '../src/logs/import-report.ts';
import type { SessionStore } from '../src/store/session-store.ts';

/** Imports a log into a sink and prints how long it took and the most memory this process ever held. */
const [, , log = '', sink = '', file = ''] = process.argv;
const KEY = { app: 'bench', user: 'u', session: 's' };

const into = await sinkOf(sink);
const start = performance.now();
const report = await importFile(log, into.sink);
const milliseconds = performance.now() - start;
const cpu = process.cpuUsage();
await into.close();
console.log(
  JSON.stringify({
    milliseconds,
    cpuMilliseconds: (cpu.user + cpu.system) / 1_000,
    peakBytes: process.resourceUsage().maxRSS * 1_024,
    events: report.stored,
  }),
);

async function sinkOf(kind: string): Promise<{ readonly sink: ImportSink; close(): Promise<void> }> {
  if (kind === 'nothing') return { sink: keepsNothing(), close: async () => undefined };
  const store: SessionStore = await storeOf(kind);
  return {
    sink: {
      append: (drafts, options) => store.append(KEY, drafts, options),
      info: () => store.info(KEY),
    },
    close: () => store.close(),
  };
}

async function storeOf(kind: string): Promise<SessionStore> {
  if (kind === 'sqlite') {
    const { openSqliteStore } = await import('../src/store/sqlite/sqlite-store.ts');
    return openSqliteStore(file);
  }
  const { MemoryStore } = await import('../src/store/memory/memory-store.ts');
  return new MemoryStore();
}

/** Answers as a store does and keeps nothing: what is left is reading and normalizing. */
function keepsNothing(): ImportSink {
  let seq = 0;
  return {
    append: async (drafts: readonly EventDraft[]) =>
      drafts.map((draft) => {
        seq += 1;
        return { ...draft, seq } as unknown as StoredEvent;
      }),
    info: async () => null,
  };
}
