import type { CompactionOutcome } from '../../src/engine/outcome.ts';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Policy } from '../../src/engine/policy.ts';
import type { Session, Turn } from '../../src/engine/session.ts';
import { PalimpsestError } from '../../src/event/errors.ts';
import type { Usage } from '../../src/event/event.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { quarterCounter } from '../../test/world/characters.ts';
import { type Answer, FixedSummarizer, textOfLength } from '../bounded/fixed-summarizer.ts';

/** A session in which compaction can do little, or nothing. */
export interface Scene {
  readonly name: string;
  readonly policy: Policy;
  readonly turns: number;
  /** What a prompt is to take at most, in tokens; null where the scene has no such thing. */
  readonly budgetTokens: number | null;
  /** What the summarizer does; missing: it writes 520 characters. */
  readonly answer?: Answer;
  /** The most code points a call of the summarizer takes. */
  readonly maxTranscriptCodePoints?: number;
  /** Tokens of a system prompt and tools that nobody configured: usage tells of them. */
  readonly unknownOverhead?: number;
  /** Before the first turn. */
  readonly before?: (session: Session) => Promise<unknown>;
  /** Within a turn, between question and answer; `prepare` is what precedes a call of the model. */
  readonly middle?: (turn: Turn, number: number, prepare: () => Promise<void>) => Promise<void>;
}

/** What came of a scene. */
export interface SceneRow {
  readonly scene: string;
  readonly turns: number;
  readonly modelCalls: number;
  readonly summarizerCalls: number;
  readonly callsPer100Turns: number;
  readonly records: number;
  /** Why nothing more was done: the reason a caller saw last, and how often it saw it. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Turns that were not answered for want of a prompt, the error said so. */
  readonly refusedTurns: number;
  /** The last prompt, as it is shown. */
  readonly promptTokens: number;
  readonly mostPromptTokens: number;
  readonly budgetTokens: number | null;
  readonly problems: number;
}

/** The agent whose prompts are prepared. */
export const READER = { agent: 'agent', lane: ROOT_LANE };
/** Tokens of a question and an answer, each. */
export const SAID = 200;

/** Plays a scene to its end, and proves the session after it. */
export async function playScene(scene: Scene, progress: (text: string) => void): Promise<SceneRow> {
  const store = new MemoryStore({ counter: quarterCounter });
  const summarizer = new FixedSummarizer(
    quarterCounter,
    scene.answer ?? (() => SUMMARY),
    scene.maxTranscriptCodePoints,
  );
  let palimpsest: Palimpsest;
  try {
    palimpsest = new Palimpsest({ literals: false, ...scene.policy, store, summarizer, nonce: () => NONCE });
  } catch (error) {
    if (!PalimpsestError.isInstance(error, 'config')) throw error;
    return refusedAtStart(scene, error.message);
  }
  const session = palimpsest.session({ app: 'bench', user: 'bench', session: scene.name });
  await scene.before?.(session);
  const reasons = new Map<string, number>();
  let refusedTurns = 0;
  let modelCalls = 0;
  let promptTokens = 0;
  let mostPromptTokens = 0;
  const note = (outcomes: readonly CompactionOutcome[]): void => {
    for (const outcome of outcomes) {
      const reason = 'reason' in outcome ? `${outcome.kind} ${outcome.reason}` : outcome.kind;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  };
  for (let number = 1; number <= scene.turns; number += 1) {
    const turn = await session.begin();
    let refused = false;
    let usage: Usage = {};
    const prepare = async (): Promise<void> => {
      modelCalls += 1;
      try {
        const { prompt, outcomes } = await session.prepare({ reader: READER, cacheIsCold: false });
        note(outcomes);
        promptTokens = prompt.accounting.promptTokens;
        mostPromptTokens = Math.max(mostPromptTokens, promptTokens);
        const inputTokens = promptTokens + (scene.unknownOverhead ?? 0);
        usage = { inputTokens, promptRevision: prompt.revision };
      } catch (error) {
        if (!PalimpsestError.isInstance(error)) throw error;
        refused = true;
        reasons.set(error.code, (reasons.get(error.code) ?? 0) + 1);
      }
    };
    await turn.append({ role: 'user', content: textOfTokens(SAID) });
    await scene.middle?.(turn, number, prepare);
    await prepare();
    await turn.append({ role: 'assistant', author: READER.agent, content: textOfTokens(SAID), usage });
    await turn.end();
    note(await session.idle());
    if (refused) refusedTurns += 1;
    progress(`${scene.name}: turn ${number} of ${scene.turns}`);
  }
  const { problems } = await session.verify();
  return {
    scene: scene.name,
    turns: scene.turns,
    modelCalls,
    summarizerCalls: summarizer.spend.calls,
    callsPer100Turns: Math.round((100 * summarizer.spend.calls) / scene.turns),
    records: (await session.records()).length,
    reasons: Object.fromEntries(reasons),
    refusedTurns,
    promptTokens,
    mostPromptTokens,
    budgetTokens: scene.budgetTokens,
    problems: problems.length,
  };
}

const texts = new Map<number, string>();

/** A text of so many tokens; the same string each time, so that long sessions take no more room than they must. */
export function textOfTokens(tokens: number): string {
  const text = texts.get(tokens) ?? textOfLength(tokens * 4);
  texts.set(tokens, text);
  return text;
}

/** A policy that cannot work is not begun with. */
function refusedAtStart({ name, budgetTokens }: Scene, why: string): SceneRow {
  return {
    scene: name,
    turns: 0,
    modelCalls: 0,
    summarizerCalls: 0,
    callsPer100Turns: 0,
    records: 0,
    reasons: { [`refused: ${why}`]: 1 },
    refusedTurns: 0,
    promptTokens: 0,
    mostPromptTokens: 0,
    budgetTokens,
    problems: 0,
  };
}

const SUMMARY = textOfLength(520);
const NONCE = '0123456789abcdef';
