import type { Prepared } from '../../src/engine/session.ts';
import { ContextLimitError } from '../../src/event/errors.ts';
import type { Lane } from '../../src/event/lane.ts';
import { exchangesOf } from '../model/exchanges.ts';
import { Standing } from '../model/standing.ts';
import type { BoundedSession, Preparation } from './bounded-session.ts';

/** An event that is cut shows at most so many tokens, its marker included. */
const CUT_TO = 300;
/** Of the limit, the most that summaries take: the bounded policy's share. A reader on a branch sees those of each lane above it. */
const SUMMARIES_SHARE = 0.25;

/**
 * What is wrong with one preparation: a request over the limit; an error although what cannot be covered, its giants cut,
 * and all that summaries may take, would fit; or an error that names another reason than there is.
 */
export async function preparationFaults(
  world: BoundedSession,
  { reader, result }: Preparation,
): Promise<readonly string[]> {
  return result instanceof ContextLimitError
    ? refusalFaults(world, reader, result)
    : requestFaults(world, result);
}

function requestFaults({ settings }: BoundedSession, { prompt, size }: Prepared): readonly string[] {
  const { inputLimit, overheadTokens } = settings;
  const tokens = prompt.accounting.promptTokens + overheadTokens;
  const faults: string[] = [];
  if (tokens > inputLimit) faults.push(`a request of ${tokens} tokens, limit ${inputLimit}`);
  if (size.promptTokens !== tokens)
    faults.push(`a request of ${tokens} tokens is said to have ${size.promptTokens}`);
  return faults;
}

async function refusalFaults(
  world: BoundedSession,
  reader: Lane,
  error: ContextLimitError,
): Promise<readonly string[]> {
  const { inputLimit, overheadTokens } = world.settings;
  const { entries } = await world.session.prompt({ reader: { agent: 'agent', lane: reader } });
  const raw = new Set(
    entries.flatMap((entry) => (entry.kind === 'event' && entry.state === 'raw' ? [entry.event.seq] : [])),
  );
  const exchanges = exchangesOf(world.events);
  const standing = new Standing(world.events, exchanges, world.turns, world.pinned);
  const newest = exchanges.members(Math.max(0, ...raw));
  const why = (seq: number): string | null =>
    exchanges
      .members(seq)
      .map((member) => standing.heldBack(member, raw, true))
      .find((held) => held !== null) ?? (newest.includes(seq) ? 'newest' : null);
  const lanes = reader.branch === '' ? 1 : reader.branch.split('.').length + 1;
  let least = overheadTokens + inputLimit * SUMMARIES_SHARE * lanes;
  let small = 0;
  for (const entry of entries) {
    if (entry.kind === 'parked') least += entry.tokens;
    if (entry.kind !== 'event') continue;
    const { tokens, seq } = entry.event;
    if (why(seq) !== null) least += Math.min(tokens, CUT_TO);
    else small += tokens;
  }
  // What is not worth a summary stays.
  least += Math.min(small, world.minimumTokens);
  const faults: string[] = [];
  if (least <= inputLimit)
    faults.push(`refused, though no more than ${least} tokens must be shown of ${inputLimit}`);
  for (const { seq, why: said } of error.uncoverable) {
    const reason = why(seq);
    const fits = reason === null ? said === 'too_small' || said === 'failed' : said === reason;
    if (!fits) faults.push(`event ${seq} is said to be ${said}, is ${reason ?? 'coverable'}`);
  }
  return faults;
}
