import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { CompactionOutcome } from '../../src/engine/outcome.ts';
import type { Session } from '../../src/engine/session.ts';
import type { DraftPart, EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { ROOT } from '../world/plain-session.ts';

/** Seqs of the events a reader is shown, in the order of the prompt; `s` stands for a summary, `p` for what is owed. */
export async function shown(session: Session, lane: Lane = ROOT): Promise<string> {
  const { entries } = await session.prompt({ reader: { agent: '', lane } });
  return entries
    .map((entry) => (entry.kind === 'event' ? String(entry.event.seq) : entry.kind === 'summary' ? 's' : 'p'))
    .join(' ');
}

/** The records that came of a compaction. */
export function committed(outcomes: readonly CompactionOutcome[]): readonly CompactionRecord[] {
  return outcomes.flatMap((outcome) => (outcome.kind === 'committed' ? [outcome.record] : []));
}

/** The seqs in a record's spans, whatever their lane. */
export function spanned(record: CompactionRecord | undefined): string {
  return (record?.spans ?? []).map(({ first, last }) => `${first}-${last}`).join(' ');
}

/** A call of a tool. */
export function callPart(id: string, name = 'look'): DraftPart {
  return { type: 'toolCall', id, name, input: { json: { id } } };
}

/** An event that calls tools. */
export function calls(...ids: readonly string[]): EventDraft {
  return { role: 'assistant', content: ids.map((id) => callPart(id)) };
}

/** The result of a call. */
export function answers(id: string, text = 'done'): EventDraft {
  return { role: 'tool', content: [{ type: 'toolResult', id, output: { json: text } }] };
}
