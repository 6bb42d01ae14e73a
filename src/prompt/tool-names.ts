import { createHash } from 'node:crypto';
import type { Call } from './turn.ts';

/** What a provider takes as the name of a tool and the id of a call. */
export interface ToolNaming {
  /** Matches a name the provider takes. */
  readonly name: RegExp;
  readonly maxNameLength: number;
  readonly maxIdLength: number;
}

/** Ids every provider takes, up to its length. */
export const CALL_ID: RegExp = /^[a-zA-Z0-9_-]+$/;

const OTHER = /[^a-zA-Z0-9_-]/g;
/** Longest stored name or id that is looked at. */
const READ = 512;

/** The name itself where the provider takes it, else the nearest it takes; the same for the same name. */
export function legalToolName(name: string, naming: ToolNaming): string {
  if (name.length <= naming.maxNameLength && naming.name.test(name)) return name;
  const clean = name.slice(0, READ).replace(OTHER, '_').slice(0, naming.maxNameLength);
  if (naming.name.test(clean)) return clean;
  return clean === '' ? 'tool' : `_${clean}`.slice(0, naming.maxNameLength);
}

/**
 * Gives each call of one request an id the provider takes, unlike all others: its own where it can, and the same for the
 * same calls before it, so that a request's beginning never changes.
 */
export class CallIds {
  readonly #max: number;
  readonly #used = new Set<string>();
  readonly #byCall = new Map<string, string>();
  readonly #repeats = new Map<string, number>();

  constructor(naming: ToolNaming) {
    this.#max = naming.maxIdLength;
  }

  of(call: Call): string {
    const known = this.#byCall.get(call.key);
    if (known !== undefined) return known;
    const base = this.#legal(call.id);
    let id = base;
    let nth = this.#repeats.get(base) ?? 1;
    while (this.#used.has(id)) {
      nth += 1;
      const suffix = `_${nth}`;
      id = base.slice(0, this.#max - suffix.length) + suffix;
    }
    this.#repeats.set(base, nth);
    this.#used.add(id);
    this.#byCall.set(call.key, id);
    return id;
  }

  #legal(id: string): string {
    if (id.length <= this.#max && CALL_ID.test(id)) return id;
    const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
    return `${id
      .slice(0, READ)
      .replace(OTHER, '_')
      .slice(0, this.#max - hash.length - 1)}_${hash}`;
  }
}
