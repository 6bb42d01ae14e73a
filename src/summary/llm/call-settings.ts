import { copyJson } from '../../event/copy-json.ts';
import { ConfigError } from '../../event/errors.ts';
import type { JsonObject, JsonValue } from '../../event/json.ts';

/** Settings of the application that a summarizer's calls may share. No other ever reaches them. */
export interface CallSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * By provider. Only safety settings, labels and what says whose request it is are taken over: {@link PROVIDER_OPTIONS}.
   * Limits, schemas, caches and thinking stay behind.
   */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
}

/** Settings of one call: nothing in them is shared with another call. */
export interface OwnCallSettings {
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  headers?: Record<string, string>;
  providerOptions?: Record<string, Record<string, JsonValue>>;
}

const SAMPLING = ['temperature', 'topP', 'topK', 'seed'] as const;

/** The provider options that go along, by their names in the AI SDK's providers. */
export const PROVIDER_OPTIONS: ReadonlySet<string> = new Set([
  'safetySettings',
  'threshold',
  'guardrailConfig',
  'safetyIdentifier',
  'safePrompt',
  'labels',
  'metadata',
  'user',
  'store',
]);

/**
 * Takes from an application's settings what a summarizer's calls may share, and leaves the rest: output limit, stop
 * sequences, schema, tools, candidate count, cache, thinking. What is returned makes settings for one call each, so that
 * calls under way at once share nothing, and nothing the application does later changes them. Throws `ConfigError`.
 */
export function callSettings(settings: CallSettings = {}): () => OwnCallSettings {
  const sampling: OwnCallSettings = {};
  for (const name of SAMPLING) {
    const value = settings[name];
    if (value === undefined) continue;
    if (!Number.isFinite(value)) throw new ConfigError(`settings.${name}`, 'must be a number');
    sampling[name] = value;
  }
  const headers = settings.headers === undefined ? undefined : ownHeaders(settings.headers);
  const providers = settings.providerOptions === undefined ? undefined : allowed(settings.providerOptions);
  return () => ({
    ...sampling,
    ...(headers === undefined ? {} : { headers: Object.fromEntries(headers) }),
    ...(providers === undefined ? {} : { providerOptions: structuredClone(providers) }),
  });
}

function ownHeaders(headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(headers).map(([name, value]) => {
    if (typeof value !== 'string') throw new ConfigError('settings.headers', 'must hold strings');
    return [name, value] as const;
  });
}

function allowed(options: Readonly<Record<string, JsonObject>>): Record<string, Record<string, JsonValue>> {
  const providers: [string, Record<string, JsonValue>][] = [];
  for (const [provider, values] of Object.entries(options)) {
    const kept = Object.entries(values).filter(
      ([name, value]) => PROVIDER_OPTIONS.has(name) && value !== undefined,
    );
    if (kept.length === 0) continue;
    providers.push([
      provider,
      Object.fromEntries(
        kept.map(([name, value]) => [name, copyJson(value, `settings.providerOptions.${name}`)]),
      ),
    ]);
  }
  return Object.fromEntries(providers);
}
