import type { LineCounts } from './import-report.ts';

/** Distinct reasons that are told apart; the rest are counted as `other`. */
const MAX_REASONS = 50;
/** Names out of a log are cut to this many code points. */
const MAX_NAME_POINTS = 64;

/** A name out of a log as a part of a reason: control characters escaped, cut, so that it stays one short word. */
export function reasonName(name: string): string {
  let out = '';
  let count = 0;
  for (const point of name) {
    if (count === MAX_NAME_POINTS) return `${out}…`;
    const code = point.codePointAt(0) ?? 0;
    const plain =
      code >= 0x20 &&
      !(code >= 0x7f && code <= 0x9f) &&
      code !== 0x2028 &&
      code !== 0x2029 &&
      point.isWellFormed();
    out += plain ? point : `\\u${code.toString(16).padStart(4, '0')}`;
    count += 1;
  }
  return out;
}

/** Counts what became of every line, so that the counts add up to the lines. */
export class LineTally {
  #asEvents = 0;
  #merged = 0;
  readonly #skipped = new Map<string, number>();

  event(): void {
    this.#asEvents += 1;
  }

  merged(): void {
    this.#merged += 1;
  }

  skip(reason: string): void {
    const known = this.#skipped.get(reason);
    if (known !== undefined) {
      this.#skipped.set(reason, known + 1);
    } else if (this.#skipped.size < MAX_REASONS) {
      this.#skipped.set(reason, 1);
    } else {
      this.#skipped.set('other', (this.#skipped.get('other') ?? 0) + 1);
    }
  }

  counts(): LineCounts {
    let skipped = 0;
    for (const count of this.#skipped.values()) skipped += count;
    return {
      total: this.#asEvents + this.#merged + skipped,
      asEvents: this.#asEvents,
      merged: this.#merged,
      skipped: Object.fromEntries(this.#skipped),
    };
  }
}
