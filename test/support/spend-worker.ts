/**
 * One of two processes that spend one allowance on one SQLite file, each on a session of its own: attempts until it is
 * declined ten times. Begins when it is told to, and says over IPC what it spent.
 */
import { once } from 'node:events';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

const [, , path = '', session = '', tokens = '0', cost = '0'] = process.argv;
const key = { app: 'processes', user: 'u', session };
const lane = { branch: '', isolation: '' };
const window = { spans: [], events: 0, tokens: 0, invocations: 0 };
const allowance = { tokens: Number(tokens), period: 'month' } as const;

// The same moment in both: no month may turn in between.
const store = await openSqliteStore(path, { clock: () => Date.UTC(2030, 0, 15), synchronous: 'normal' });
await store.append(key, []);
process.send?.('ready');
await once(process, 'message');
let spent = 0;
let declined = 0;
while (declined < 10) {
  const request = { lane, rootView: false, trigger: 'manual', window, revision: 1, holder: session } as const;
  const outcome = await store.takeLease(key, { ...request, milliseconds: 60_000, allowance });
  if (outcome.taken) {
    const spend = { inputTokens: Number(cost) - 1, outputTokens: 1, calls: 1 };
    await store.endAttempt(key, outcome.attempt.id, { state: 'failed', reason: 'spent', spend });
    spent += Number(cost);
  } else if ('declined' in outcome) declined += 1;
  else throw new Error(`the lease is held by ${outcome.heldBy}`);
}
await store.close();
process.send?.({ session, spent });
process.disconnect();
