import { createHash } from 'node:crypto';

/** Longest name taken as it is; a store keeps 512 code units, and an importer appends a little. */
const MAX_LENGTH = 400;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A name out of a log (an event's id, a call's id, an agent) as one a store takes: the name itself, or a digest of it
 * where it is too long, holds U+0000 or a lone surrogate. Equal names stay equal, so calls and results still pair.
 */
export function safeName(name: string): string {
  if (name.length <= MAX_LENGTH && !name.includes('\u0000') && name.isWellFormed()) return name;
  return `sha256:${createHash('sha256').update(name, 'utf16le').digest('hex')}`;
}

/** A time out of a log when it is ISO 8601, else nothing. */
export function isoTime(value: unknown): { readonly createdAt?: string } {
  return typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
    ? { createdAt: value }
    : {};
}
