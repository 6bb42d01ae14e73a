import type { RecallOptions } from '../../src/engine/recall/recall.ts';
import type { Session } from '../../src/engine/session.ts';
import type { Lane } from '../../src/event/lane.ts';

/** What a reader in a lane is told. */
export async function recalled(
  session: Session,
  request: Parameters<Session['recall']>[0],
  lane: Lane = { branch: '', isolation: '' },
  options: RecallOptions = {},
): Promise<string> {
  return (await session.recall(request, { ...options, reader: { agent: '', lane } })).text;
}

/** The seqs it is shown, in their order. */
export async function recalledSeqs(
  session: Session,
  request: Parameters<Session['recall']>[0],
  lane?: Lane,
): Promise<readonly number[]> {
  const options = lane === undefined ? {} : { reader: { agent: '', lane } };
  return (await session.recall(request, options)).seqs;
}
