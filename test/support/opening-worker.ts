/**
 * One of several processes that open one SQLite file, started by `opening-workers.ts`. Reads orders, one JSON object a
 * line, and prints what became of each. Told to, it stops before a statement, says so, and goes on when a line comes:
 * what another process does meanwhile happens in the midst of its opening.
 */
import { readSync, writeSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { StoreError } from '../../src/event/errors.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/index.ts';
import type { OpeningOrder, OpeningReport } from './opening-workers.ts';

let statements = 0;
let pauseBefore = Number.POSITIVE_INFINITY;

countCalls(DatabaseSync.prototype, 'exec');
for (const name of ['run', 'get', 'all']) countCalls(StatementSync.prototype, name);

for (let line = readLine(); line !== null; line = readLine()) {
  const order: OpeningOrder = JSON.parse(line);
  statements = 0;
  pauseBefore = order.pauseBefore ?? Number.POSITIVE_INFINITY;
  const outcomes = await Promise.all(Array.from({ length: order.handles }, () => open(order)));
  pauseBefore = Number.POSITIVE_INFINITY;
  say({ type: 'done', outcomes, statements });
}

async function open({ path, readOnly, busyLimitMilliseconds }: OpeningOrder): Promise<string> {
  let store: SqliteStore | undefined;
  try {
    store = await openSqliteStore(path, { readOnly, busyLimitMilliseconds, synchronous: 'normal' });
    await store.sessions();
    return 'opened';
  } catch (error) {
    if (error instanceof StoreError) return error.message.replace(path, 'FILE');
    throw error;
  } finally {
    await store?.close();
  }
}

function countCalls(prototype: object, name: string): void {
  const call: unknown = Reflect.get(prototype, name);
  if (typeof call !== 'function') throw new Error(`no method ${name}`);
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]): unknown {
    statements += 1;
    if (statements === pauseBefore) {
      say({ type: 'paused' });
      readLine();
    }
    return Reflect.apply(call, this, values);
  });
}

function say(report: OpeningReport): void {
  writeSync(1, `${JSON.stringify(report)}\n`);
}

/** The next line, waited for without giving way; null at the end. */
function readLine(): string | null {
  const bytes: number[] = [];
  const byte = Buffer.alloc(1);
  for (;;) {
    if (readSync(0, byte) === 0) return null;
    if (byte[0] === 10) return Buffer.from(bytes).toString();
    bytes.push(byte[0] as number);
  }
}
