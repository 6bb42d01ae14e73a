import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashEvent } from '../src/event/hash-event.ts';
import type { EventId, InvocationId } from '../src/event/ids.ts';
import { ROOT_LANE } from '../src/event/lane.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { openPeerFile } from './peer-writer.ts';
import { draftAt } from './session-fixture.ts';

/** One of several writers: appends for a while and prints how many it got in and how long its event loop was held. */
const [, , mode = '', path = '', name = '', startAt = '0', length = '0'] = process.argv;

const writer = await writerOf(mode);
await sleep(Math.max(0, Number(startAt) - Date.now()));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const until = performance.now() + Number(length);
let appended = 0;
let longest = 0;
while (performance.now() < until) {
  const start = performance.now();
  await writer.append(appended);
  longest = Math.max(longest, performance.now() - start);
  appended += 1;
}
delay.disable();
await writer.close();
console.log(
  JSON.stringify({
    appended,
    delayP999: delay.percentile(99.9) / 1e6,
    delayMax: delay.max / 1e6,
    longestAppend: longest,
  }),
);

interface Writer {
  append(at: number): Promise<unknown>;
  close(): Promise<void>;
}

async function writerOf(kind: string): Promise<Writer> {
  if (kind === 'store') {
    const store = await openSqliteStore(path);
    const key = { app: 'bench', user: 'u', session: name };
    return { append: (at) => store.append(key, [draftAt(at, 1)]), close: () => store.close() };
  }
  if (kind === 'busy-timeout') return busyTimeout();
  return { append: computeOnly, close: async () => undefined };
}

function busyTimeout(): Writer {
  const database = openPeerFile(path);
  const insert = database.prepare('INSERT INTO event (body) VALUES (?)');
  return {
    append: async (at) => {
      insert.run(JSON.stringify(draftAt(at, 1)));
      await Promise.resolve();
      if (at % 8 === 0) await sleep(0);
    },
    close: async () => database.close(),
  };
}

/** As much work without a file: what so many processes on so few cores cost each other anyway. */
async function computeOnly(at: number): Promise<void> {
  const draft = draftAt(at, 1);
  const content = [{ type: 'text' as const, text: JSON.stringify(draft) }];
  const fields = { author: 'user', role: draft.role, lane: ROOT_LANE, content };
  hashEvent({ ...fields, id: `e${at}` as EventId, invocation: 'i' as InvocationId });
  if (at % 8 === 0) await sleep(0);
}
