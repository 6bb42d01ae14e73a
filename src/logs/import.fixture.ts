import type { EventDraft, StoredEvent } from '../event/event.ts';
import type { SessionKey } from '../event/ids.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { type ImportOptions, importLog } from './import-log.ts';
import type { ImportReport, ImportSink } from './import-report.ts';
import type { LogSource } from './log-source.ts';

/** A log out of lines: objects are written as JSON. It ends with a line break unless told otherwise. */
export function linesOf(lines: readonly unknown[], end = '\n'): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + end;
}

/** A source of these bytes in chunks of `chunk` bytes, all of which reuse one buffer, as a file's do. */
export function sourceOf(content: string | Uint8Array, chunk = 1000): LogSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const buffer = Buffer.alloc(chunk);
  return {
    name: 'log.jsonl',
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += chunk) {
        const piece = bytes.subarray(at, at + chunk);
        buffer.set(piece);
        yield buffer.subarray(0, piece.length);
      }
    },
  };
}

/** A session in memory to import into. */
export interface TestSession extends ImportSink {
  import(
    content: string | Uint8Array,
    options?: ImportOptions & { readonly chunk?: number },
  ): Promise<ImportReport>;
  events(): Promise<readonly StoredEvent[]>;
  readonly store: MemoryStore;
  readonly key: SessionKey;
}

/** An empty session. */
export function testSession(): TestSession {
  const store = new MemoryStore({ clock: () => 0 });
  const key: SessionKey = { app: 'test', user: 'user', session: 'session' };
  const session: TestSession = {
    store,
    key,
    append: (drafts: readonly EventDraft[], options) => store.append(key, drafts, options),
    info: () => store.info(key),
    import: (content, options = {}) => importLog(sourceOf(content, options.chunk), session, options),
    events: async () => (await store.page(key, 0, Number.MAX_SAFE_INTEGER)).map((row) => row.event),
  };
  return session;
}

/** The log imported into an empty session: the report and the events. */
export async function imported(
  content: string | Uint8Array | readonly unknown[],
  options?: ImportOptions,
): Promise<{ readonly report: ImportReport; readonly events: readonly StoredEvent[] }> {
  const session = testSession();
  const text = typeof content === 'string' || content instanceof Uint8Array ? content : linesOf(content);
  const report = await session.import(text, options);
  return { report, events: await session.events() };
}

/** The text parts of an event, joined. */
export function textOfEvent(event: StoredEvent): string {
  return event.content.map((part) => ('text' in part ? part.text : '')).join('');
}
