import { randomFillSync } from 'node:crypto';
import type { IdSource } from '../event/ids.ts';

const RANDOM_BYTES = 8;

/**
 * An id source whose ids sort by when they were made (UUID version 7, RFC 9562: 48 bits of milliseconds, a counter that
 * keeps order within one, then randomness), so that an index over them grows at its end.
 */
export function timeOrderedIds(clock: () => number): IdSource {
  let lastMillisecond = 0;
  let counter = 0;
  const pool = Buffer.alloc(RANDOM_BYTES * 512);
  let used = pool.length;
  return () => {
    const now = Math.floor(clock());
    if (now > lastMillisecond) {
      lastMillisecond = now;
      counter = 0;
    } else {
      // The clock stood still or went back: order comes from the counter, and on overflow from the next millisecond.
      counter += 1;
      if (counter > 0xfff) {
        lastMillisecond += 1;
        counter = 0;
      }
    }
    const time = lastMillisecond.toString(16).padStart(12, '0');
    const sequence = counter.toString(16).padStart(3, '0');
    // Asking for randomness once an id costs more than all the rest of it.
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    pool[used] = ((pool[used] as number) & 0x3f) | 0x80;
    const tail = pool.toString('hex', used, used + RANDOM_BYTES);
    used += RANDOM_BYTES;
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
