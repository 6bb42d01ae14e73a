/** What a summary is asked and given for: the state it was planned from, by whom, and how. */
export interface RequestIdentity {
  readonly basis: {
    /** Of the lane: 1 to 2^64 - 1; a `bigint` where a number cannot say it. */
    readonly revision: number | bigint;
    readonly throughEventId: string;
  };
  readonly model: { readonly provider: string; readonly model: string };
  /** 32 bytes as 64 lower-case hexadecimal digits, not all zero; see `requestFingerprint`. */
  readonly requestFingerprint: string;
}

/** The parts of an identity, in the order in which they are checked. */
export type IdentityField = 'basis' | 'model' | 'request_fingerprint';

const MOST = 2n ** 64n - 1n;
const FINGERPRINT = /^[0-9a-f]{64}$/u;
const ZERO = '0'.repeat(64);

/** A frozen copy of an identity's fields, each read once. `fail` is called with the first that is wrong, and throws. */
export function copyIdentity(
  value: unknown,
  fail: (field: IdentityField, cause?: unknown) => never,
): RequestIdentity {
  const read = <T>(field: IdentityField, copy: () => T | undefined): T => {
    let copied: T | undefined;
    try {
      copied = copy();
    } catch (cause) {
      return fail(field, cause);
    }
    return copied ?? fail(field);
  };
  return Object.freeze({
    basis: read('basis', () => copyBasis(fieldOf(value, 'basis'))),
    model: read('model', () => copyModel(fieldOf(value, 'model'))),
    requestFingerprint: read('request_fingerprint', () =>
      copyFingerprint(fieldOf(value, 'requestFingerprint')),
    ),
  });
}

/** Whether two identities are one. Revisions are compared as whole numbers, whatever holds them. */
export function sameIdentity(a: RequestIdentity, b: RequestIdentity): boolean {
  return (
    BigInt(a.basis.revision) === BigInt(b.basis.revision) &&
    a.basis.throughEventId === b.basis.throughEventId &&
    a.model.provider === b.model.provider &&
    a.model.model === b.model.model &&
    a.requestFingerprint === b.requestFingerprint
  );
}

/** A field of what may be no object at all; may throw where the object does. */
export function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
}

/** A text that says something; undefined for anything else. */
export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A revision from 1 up, exact; undefined for anything else. */
export function copyRevision(value: unknown): number | bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  return typeof value === 'bigint' && value > 0n && value <= MOST ? value : undefined;
}

function copyBasis(value: unknown): RequestIdentity['basis'] | undefined {
  const revision = copyRevision(fieldOf(value, 'revision'));
  const throughEventId = nonEmpty(fieldOf(value, 'throughEventId'));
  if (revision === undefined || throughEventId === undefined) return undefined;
  return Object.freeze({ revision, throughEventId });
}

function copyModel(value: unknown): RequestIdentity['model'] | undefined {
  const provider = nonEmpty(fieldOf(value, 'provider'));
  const model = nonEmpty(fieldOf(value, 'model'));
  return provider === undefined || model === undefined ? undefined : Object.freeze({ provider, model });
}

function copyFingerprint(value: unknown): string | undefined {
  return typeof value === 'string' && FINGERPRINT.test(value) && value !== ZERO ? value : undefined;
}
