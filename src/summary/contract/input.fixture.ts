import type { CompactionInput } from './compaction-input.ts';
import type { RequestIdentity } from './identity.ts';

/** An identity that is right. */
export const IDENTITY: RequestIdentity = {
  basis: { revision: 7, throughEventId: 'event-41' },
  model: { provider: 'acme', model: 'm-1' },
  requestFingerprint: 'ab'.repeat(32),
};

/** An input that is right, with what a case changes of it. */
export function inputOf(more: { readonly [field: string]: unknown } = {}): CompactionInput {
  const transcript = [{ kind: 'user', role: 'user', parts: [{ type: 'text', text: 'Ship it.' }] }];
  return { ...IDENTITY, transcript, maxSummaryTokens: 500, ...more } as unknown as CompactionInput;
}

/** A result whose parts nest so many levels deep. */
export function nestedResult(levels: number): unknown {
  let parts: unknown[] = [{ type: 'text', text: 'deep' }];
  for (let level = 1; level < levels; level += 1) parts = [resultOf(parts)];
  return resultOf(parts);
}

function resultOf(parts: readonly unknown[]): unknown {
  return { type: 'toolResult', id: 'c', name: 'look', isError: false, output: { parts } };
}

/** An object whose every use throws. */
export function hostile(): object {
  const thrower = (): never => {
    throw new Error('what the conversation said');
  };
  return new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower });
}
