import { canonicalJson } from '../../event/canonical-json.ts';
import { copyJson } from '../../event/copy-json.ts';
import { ConfigError } from '../../event/errors.ts';
import { sha256 } from '../../event/hash-event.ts';
import type { JsonObject } from '../../event/json.ts';
import type { CounterQuality, TokenCounter } from '../../tokens/token-counter.ts';
import type { Summarizer } from '../summarizer.ts';
import { copyIdentity, type RequestIdentity } from './identity.ts';

/** All that shapes a request but its messages: they enter through the basis. */
export interface FingerprintParts {
  /** SHA-256 of the system prompt, hex. */
  readonly systemHash: string;
  /** SHA-256 of the tools and the sampling settings, hex. */
  readonly toolsHash: string;
  /** SHA-256 of what else the request says that may change from call to call, hex; of the empty text when it says nothing. */
  readonly contextHash: string;
  readonly model: RequestIdentity['model'];
  readonly basis: RequestIdentity['basis'];
  /** What counted its tokens, and how well. */
  readonly counter: { readonly name: string; readonly quality: CounterQuality };
}

const HASH = /^[0-9a-f]{64}$/u;

/**
 * SHA-256, hex, over the canonical JSON of these parts: one fingerprint for one request, another when any part is
 * another. Throws `ConfigError` naming a part that is none.
 */
export function requestFingerprint(parts: FingerprintParts): string {
  const { systemHash, toolsHash, contextHash, counter } = parts;
  for (const [name, hash] of Object.entries({ systemHash, toolsHash, contextHash })) {
    if (typeof hash !== 'string' || !HASH.test(hash)) fail(name);
  }
  const { basis, model } = copyIdentity({ ...parts, requestFingerprint: systemHash }, fail);
  if (typeof counter?.name !== 'string' || counter.name === '') fail('counter');
  if (counter.quality !== 'exact' && counter.quality !== 'estimate') fail('counter');
  return sha256(
    canonicalJson({
      basis: { revision: String(basis.revision), throughEventId: basis.throughEventId },
      contextHash,
      counter: { name: counter.name, quality: counter.quality },
      model: { provider: model.provider, model: model.model },
      systemHash,
      toolsHash,
      version: 1,
    }),
  );
}

function fail(part: string): never {
  throw new ConfigError(`fingerprint.${part}`, 'is missing or of another form');
}

/** What identifies the requests of one attempt. */
export interface IdentityParts {
  readonly basis: RequestIdentity['basis'];
  readonly maxSummaryTokens: number;
  readonly counter: Pick<TokenCounter, 'name' | 'quality'>;
}

/**
 * The identity of what a summarizer is asked in one attempt. A summarizer without a model is its own. Two summarizers that
 * say the same of themselves (`shape`, format, caps and bound) ask alike. Throws `InvalidEventError` for a shape that is
 * no JSON.
 */
export function requestIdentity(summarizer: Summarizer, parts: IdentityParts): RequestIdentity {
  const { maxSummaryTokens, counter } = parts;
  const { name, format, maxTranscriptCodePoints = null, caps } = summarizer;
  const { prompt = null, ...settings } = shapeOf(summarizer);
  // Well-formed, so that whoever is asked to repeat it can.
  const basis = Object.freeze({
    revision: parts.basis.revision,
    throughEventId: parts.basis.throughEventId.toWellFormed(),
  });
  const model = Object.freeze({
    provider: (summarizer.model?.provider || 'palimpsest').toWellFormed(),
    model: (summarizer.model?.model || name || 'summarizer').toWellFormed(),
  });
  const limits = {
    format,
    maxSummaryTokens,
    maxTranscriptCodePoints,
    caps: caps === undefined ? null : { ...caps },
  };
  const fingerprint = requestFingerprint({
    systemHash: sha256(canonicalJson(prompt)),
    toolsHash: sha256(canonicalJson({ tools: [], settings })),
    contextHash: sha256(canonicalJson(limits)),
    model,
    basis,
    counter,
  });
  return Object.freeze({ basis, model, requestFingerprint: fingerprint });
}

function shapeOf(summarizer: Summarizer): JsonObject {
  const shape = copyJson(summarizer.shape ?? {}, 'shape');
  return typeof shape === 'object' && shape !== null && !Array.isArray(shape) ? (shape as JsonObject) : {};
}
