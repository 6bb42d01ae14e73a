import type { Lane } from '../../src/event/lane.ts';
import { ROOT_LANE } from '../../src/event/lane.ts';
import type { Measured } from '../../src/plan/attempt.ts';
import { type PromptSignal, promptSignal } from '../../src/plan/signal.ts';
import { assemblePrompt } from '../../src/prompt/assemble.ts';
import type { Scene } from './scene.ts';

/** Whose prompt is measured, and what is known beside it. */
export interface Measuring {
  readonly agent?: string;
  readonly lane?: Lane;
  readonly overheadTokens?: number;
  readonly learned?: Measured | null;
}

/** The signal of a reader's next prompt, from the store's own view and the prompt's own accounting. */
export async function measure(
  scene: Scene,
  { agent = 'a', lane = ROOT_LANE, overheadTokens = 0, learned = null }: Measuring = {},
): Promise<PromptSignal> {
  const view = await scene.store.view(scene.key, lane, 'reader');
  const { promptTokens } = assemblePrompt(view, { agent, lane }, scene.store.counter).accounting;
  return promptSignal({ view, agent, storedTokens: promptTokens, overheadTokens, learned });
}
