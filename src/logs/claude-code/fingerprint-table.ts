/** Stands for "no id". */
export const NO_ID = 0;

/**
 * A 53-bit fingerprint of an id's bytes. Ids are told apart by it alone: among a million ids two are alike with a chance
 * of one in ten thousand, and all that hangs on it is which lane a line is shown in.
 */
export function fingerprint(bytes: Uint8Array, start: number, end: number): number {
  let high = 0x811c9dc5;
  let low = 0x9e3779b1;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    high = Math.imul(high ^ byte, 0x01000193);
    low = Math.imul(((low << 5) | (low >>> 27)) ^ byte, 0x9e3779b1);
  }
  return (high >>> 0) * 0x200000 + (low >>> 11) || 1;
}

/** Finds the first line of a fingerprint: open addressing over numbers, because a `Map` of them takes five times the memory. */
export class FingerprintTable {
  #slots = new Int32Array(1 << 12).fill(-1);
  #size = 0;
  readonly #fingerprintOf: (line: number) => number;

  /** `fingerprintOf` gives the fingerprint of a line that was added. */
  constructor(fingerprintOf: (line: number) => number) {
    this.#fingerprintOf = fingerprintOf;
  }

  /** Adds a line, or returns the line that has its fingerprint already. */
  add(id: number, line: number): number | null {
    const slot = this.#slotOf(id);
    const known = this.#slots[slot] as number;
    if (known !== -1) return known;
    this.#slots[slot] = line;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return null;
  }

  /** The first line with this fingerprint, or -1. */
  find(id: number): number {
    return this.#slots[this.#slotOf(id)] as number;
  }

  #slotOf(id: number): number {
    const mask = this.#slots.length - 1;
    let slot = (id ^ (id / 0x200000)) & mask;
    for (;;) {
      const line = this.#slots[slot] as number;
      if (line === -1 || this.#fingerprintOf(line) === id) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    for (const line of old) {
      if (line !== -1) this.#slots[this.#slotOf(this.#fingerprintOf(line))] = line;
    }
  }
}
