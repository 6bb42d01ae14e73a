import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session } from '../../src/engine/session.ts';
import type { EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { branch, ROOT } from './plain-session.ts';
import { ScriptedSummarizer } from './scripted-summarizer.ts';

const key = { app: 'app', user: 'user', session: 'played' };

/** The session of {@link playStory} in a store. */
export function openStory(store: SessionStore): Session {
  return new Palimpsest({ store, summarizer: new ScriptedSummarizer(), minimumTokens: 1 }).session(key);
}

/**
 * Plays the same story into any store: eight turns of four events, each fourth in a branch; records over the root's turns,
 * one of them undone; a pinned exchange; raw events at the end. Events 1 to 8 are covered by the first record, event 1 but
 * for its pin; 9 to 20 of the root by the second, which is undone; 21 to 27 by the third; 28 to 32 are raw.
 */
export async function playStory(store: SessionStore): Promise<Session> {
  const session = openStory(store);
  for (let number = 1; number <= 8; number += 1) {
    const lane: Lane = number % 4 === 0 ? branch('b') : ROOT;
    const turn = await session.begin({ lane });
    const say = (role: EventDraft['role'], mark: string): EventDraft => ({
      role,
      content: `k${number}k ${mark} ${'lorem '.repeat(40)}`,
    });
    await turn.append(say('user', 'question'));
    await turn.append({
      role: 'assistant',
      content: [{ type: 'toolCall', id: `call${number}`, name: 'look', input: { json: { number } } }],
    });
    await turn.append({
      role: 'tool',
      content: [{ type: 'toolResult', id: `call${number}`, output: { json: `k${number}k found` } }],
    });
    await turn.append(say('assistant', 'answer'));
    await turn.end();
  }
  await session.compact({ sliding: { interval: 2 }, keep: { events: 5 } });
  await session.pin(1);
  const records = await session.records();
  const second = records[1];
  if (second === undefined) throw new Error('the story has no second record');
  await session.undo(second.record.id);
  return session;
}
