import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('spend-worker.ts', import.meta.url));

/** What a process says it spent on its session. */
interface Told {
  readonly session: string;
  readonly spent: number;
}

/** Lets processes spend one allowance at once, in attempts that cost so much each; what each of them says. */
export async function spendTogether(
  path: string,
  sessions: readonly string[],
  { tokens, cost }: { readonly tokens: number; readonly cost: number },
): Promise<readonly Told[]> {
  const workers = sessions.map((session) =>
    fork(WORKER, [path, session, String(tokens), String(cost)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(workers.map(nextMessage));
  const told = workers.map(nextMessage);
  for (const worker of workers) worker.send('go');
  return (await Promise.all(told)) as readonly Told[];
}

/** What a worker says next; rejects when it ends instead. */
function nextMessage(worker: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
  });
}
