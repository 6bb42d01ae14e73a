import { Readable } from 'node:stream';
import { Palimpsest } from '../../engine/palimpsest.ts';
import type { EventDraft } from '../../event/event.ts';
import type { ImportReport } from '../../logs/import-report.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import type { Summarizer } from '../../summary/summarizer.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { compactSession } from '../compact-session.ts';
import type { Io, Output } from '../io.ts';
import { lookFor } from '../look.ts';
import { Progress } from '../progress.ts';
import type { CompactFacts } from './compact-facts.ts';

/** A token is four UTF-16 units, so that the numbers in expected reports follow from the texts alone. */
const counter: TokenCounter = {
  name: 'quarter',
  quality: 'estimate',
  count: (text) => Math.ceil(text.length / 4),
};

const SUMMARY = `<conversation_summary>
<goal>- 予約フォームのバグを直す 🚢
- keep the &lt;form&gt; tag</goal>
<constraints></constraints>
<decisions>- first\u009b31m
- second
- third</decisions>
<state>- edited: src/form.ts</state>
<open_items>- asked last: run the tests</open_items>
</conversation_summary>`;

/** Says always the same. */
export const fixedSummarizer: Summarizer = {
  name: 'fixed',
  format: 'prose',
  summarize: async () => ({ kind: 'summary', content: SUMMARY, finish: 'stop' }),
};

/** Throws, as a provider does that is down. */
export const failingSummarizer: Summarizer = {
  name: 'failing',
  format: 'prose',
  summarize: async () => {
    throw new Error('text of the conversation');
  },
};

/** What goes nowhere; the look of a pipe. */
export function silentIo(): Io {
  const output: Output = { isTerminal: false, look: lookFor({}, {}), write: () => undefined };
  const progress = new Progress({ isTerminal: false, width: 80, write: () => undefined, now: () => 0 });
  return {
    env: {},
    program: 'palimpsest',
    input: Readable.from([]),
    out: output,
    err: output,
    progress,
    signal: new AbortController().signal,
  };
}

const IMPORTED: ImportReport = {
  format: 'claude-code',
  nativeSession: 'a-session',
  lines: {
    total: 60,
    asEvents: 50,
    merged: 2,
    skipped: { 'type:progress': 4, 'type:summary': 1, 'a\u001b[2J': 1, not_json: 1, empty: 1 },
  },
  stored: 50,
  known: 0,
  notes: ['3 lines were cut'],
};

/** A session of instructions, 20 turns, calls of which one runs on, and a side lane; compacted. */
export async function compactedFacts(summarizer: Summarizer): Promise<CompactFacts> {
  const store = new MemoryStore({ counter, clock: () => 0 });
  const palimpsest = new Palimpsest({ store, summarizer, nonce: () => '0123456789abcdef' });
  const session = palimpsest.session({ app: 'palimpsest', user: 'local', session: 'a-session' });
  await session.append(drafts());
  const compacted = await compactSession(silentIo(), palimpsest, session, { keep: { events: 4 } });
  await palimpsest.close();
  return { source: 'log\u001b[2J.jsonl', imported: IMPORTED, interval: null, store: null, ...compacted };
}

function* conversation(): Generator<EventDraft> {
  yield { role: 'system', content: 'You are careful.' };
  for (let turn = 1; turn <= 20; turn += 1) {
    yield { invocation: `t${turn}`, role: 'user', content: `question ${turn} ${'なぜ? '.repeat(20)}` };
    yield { invocation: `t${turn}`, role: 'assistant', content: `answer ${turn} ${'because '.repeat(20)}` };
    if (turn % 5 === 0 && turn < 20) yield* call(turn);
  }
}

function* call(turn: number): Generator<EventDraft> {
  const invocation = `t${turn}`;
  const id = `call-${turn}`;
  const runsOn = turn === 15;
  yield {
    invocation,
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: 'Bash\u001b[2J', input: { json: { command: 'npm test' } } }],
    ...(runsOn ? { longRunning: [id] } : {}),
  };
  if (runsOn) return;
  yield {
    invocation,
    role: 'tool',
    content: [{ type: 'toolResult', id, output: { json: 'exit 1' }, isError: true }],
  };
}

function drafts(): EventDraft[] {
  const side = { branch: '', isolation: 'side' };
  return [
    ...conversation(),
    { role: 'user', content: 'look around', lane: side, invocation: 'side' },
    { role: 'assistant', content: 'nothing here', lane: side, invocation: 'side' },
  ];
}
