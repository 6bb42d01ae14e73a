import { PalimpsestError } from '../event/errors.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { usageFailure } from './failure.ts';

/** What `--summarizer` names; undefined for the default, which extracts. A model's package is loaded here, before any store is touched. */
export async function summarizerNamed(name: string): Promise<Summarizer | undefined> {
  if (name === 'extractive') return undefined;
  const { llmSummarizer, modelFromSpec } = await import('../summary/index.ts');
  try {
    return llmSummarizer({ model: await modelFromSpec(name) });
  } catch (error) {
    if (!PalimpsestError.isInstance(error, 'config')) throw error;
    throw usageFailure(`--summarizer: ${error.message}; or give extractive, which needs no model`);
  }
}
