import type { Usage } from '../event/event.ts';

const COUNTS = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'] as const;

type Counts = { -readonly [Name in (typeof COUNTS)[number]]?: number };

/**
 * The counts in what a summarizer says it used, each read once. Missing ones (`undefined`, `null`, NaN, as providers
 * report them) stay missing; `malformed` when one is no count, or reading threw. The revision of a prompt is not a
 * summarizer's to say.
 */
export function readUsage(value: unknown): Usage | undefined | 'malformed' {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return 'malformed';
  const counts: Counts = {};
  try {
    const fields: { readonly [name: string]: unknown } = { ...pick(value) };
    for (const name of COUNTS) {
      const count = fields[name];
      if (count === undefined || count === null || Number.isNaN(count)) continue;
      if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return 'malformed';
      counts[name] = count;
    }
  } catch {
    return 'malformed';
  }
  return Object.keys(counts).length === 0 ? undefined : Object.freeze(counts);
}

function pick(value: object): { readonly [name: string]: unknown } {
  return Object.fromEntries(COUNTS.map((name) => [name, Reflect.get(value, name)]));
}

/** The sum of what two calls used; a count only one of them reported is that one's. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const sum: Counts = {};
  for (const name of COUNTS) {
    if (a[name] !== undefined || b[name] !== undefined) sum[name] = (a[name] ?? 0) + (b[name] ?? 0);
  }
  return Object.freeze(sum);
}
