import type { Seq } from '../../event/ids.ts';

/** Seqs of one session per file: 2^32, over two million sessions, all of it below 2^53. */
const SEQS = 2 ** 32;

/** Where an event stands in the file: sessions one after the other, each in seq order. */
export function placeOf(session: number, seq: Seq): number {
  return session * SEQS + seq;
}

/** The seq of a place. */
export function seqOf(place: number): Seq {
  return place % SEQS;
}
