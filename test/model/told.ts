import type { EventDraft, StoredEvent } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';

/**
 * An oracle for sessions, written from docs and not from `src`: quadratic, recomputed from scratch from the list of all
 * that was appended and all records there are. It imports types and nothing else of `src`.
 */

/** One appended event: the draft as it was handed in (what it says of ids may be nothing) and what came back. */
export interface Told {
  readonly seq: number;
  readonly draft: EventDraft;
  readonly stored: StoredEvent;
}

/** Whether a reader in lane `reader` may see what was said in lane `said`. */
export function maySee(reader: Lane, said: Lane): boolean {
  if (reader.isolation !== said.isolation) return false;
  if (reader.branch === '' || said.branch === '') return true;
  const mine = reader.branch.split('.');
  return said.branch.split('.').every((name, depth) => mine[depth] === name);
}

/** Whether two lanes are one. */
export function oneLane(a: Lane, b: Lane): boolean {
  return a.branch === b.branch && a.isolation === b.isolation;
}

/** A lane as text, for messages and maps of tests. */
export function laneName(lane: Lane): string {
  return `${lane.isolation}|${lane.branch}`;
}

/** All lanes something was said in, the root of each isolation, and lanes nobody spoke in: below and beside those. */
export function readersOf(events: readonly Told[]): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  const add = (lane: Lane): void => {
    lanes.set(laneName(lane), lane);
  };
  add({ branch: '', isolation: '' });
  for (const { stored } of events) {
    const { branch, isolation } = stored.lane;
    add(stored.lane);
    add({ branch: '', isolation });
    add({ branch: branch === '' ? 'nobody' : `${branch}.nobody`, isolation });
  }
  return [...lanes.values()];
}

/** Whether an event is a question that opens a turn: a user's, and no answer to anything. */
export function opensTurn({ role, answers = [], content }: StoredEvent): boolean {
  return role === 'user' && answers.length === 0 && content.every(({ type }) => type !== 'toolResult');
}
