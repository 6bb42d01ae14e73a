import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportError } from '../event/errors.ts';

/** Bytes read from a file at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Where a log's bytes come from. */
export interface LogSource {
  /** Names the log in messages. */
  readonly name: string;
  /** How many bytes there are, when known: for progress only. */
  readonly size?: number;
  /**
   * Starts reading from the first byte. Called more than once: recognising a log reads its head, and formats whose
   * lines form a tree are read twice. A chunk may be reused by the source once the next one is asked for.
   */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * A file as a source; its memory is one buffer. `ImportError` when it cannot be read, or not more than once: a pipe opened
 * again waits for a writer for ever.
 */
export async function fileSource(path: string): Promise<LogSource> {
  const name = basename(path);
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (!stats.isFile())
    throw new ImportError(name, 0, 'is no regular file; write what a pipe gives to a file first');
  return { name, size: stats.size, open: () => readFile(path, name) };
}

async function* readFile(path: string, name: string): AsyncIterable<Uint8Array> {
  try {
    const file = await open(path, 'r');
    let next: ReturnType<typeof read> | undefined;
    try {
      // Two buffers: the next chunk is read while the last one is worked on.
      let current = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      let other = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      next = read(file, current);
      for (;;) {
        const bytesRead = await next;
        next = undefined;
        if (bytesRead === 0) return;
        next = read(file, other);
        yield current.subarray(0, bytesRead);
        [current, other] = [other, current];
      }
    } finally {
      await next?.catch(() => 0);
      await file.close();
    }
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

async function read(file: FileHandle, buffer: Buffer): Promise<number> {
  return (await file.read(buffer, 0, buffer.length, null)).bytesRead;
}

function unreadable(name: string, cause: unknown): ImportError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return new ImportError(name, 0, code === '' ? 'cannot be read' : `cannot be read (${code})`, { cause });
}
