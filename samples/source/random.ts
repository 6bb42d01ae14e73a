/** Seeded pseudo-random numbers: everything in the sample that looks random comes from here, so it is the same on every run. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** mulberry32: a number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(from: readonly T[]): T {
    const value = from[this.between(0, from.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  private letters(alphabet: string, length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += alphabet.charAt(this.between(0, alphabet.length - 1));
    return text;
  }

  hex(length: number): string {
    return this.letters('0123456789abcdef', length);
  }

  base58(length: number): string {
    return this.letters('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', length);
  }

  base64(length: number): string {
    return this.letters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length);
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`;
  }
}
