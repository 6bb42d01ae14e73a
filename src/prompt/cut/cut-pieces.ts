import { fairShare } from './fair-share.ts';
import type { CountedParts, Piece } from './piece.ts';

/**
 * Pieces within a room, or as near as they go: who is small stays whole, and the larger ones keep equal shares. Media that
 * are larger than a share become labels, the largest first and no more than must.
 */
export function cutPieces(pieces: readonly Piece[], room: number): CountedParts {
  const labelled = withLabels(pieces, room);
  const texts = labelled.filter((piece) => piece.kind === 'text');
  const rest = labelled.reduce((sum, { kind, tokens }) => (kind === 'text' ? sum : sum + tokens), 0);
  const cut = cutToShares(texts, room - rest);
  const shown = labelled.map((piece) => cut.get(piece) ?? piece);
  return {
    parts: Object.freeze(shown.flatMap(({ parts }) => parts)),
    tokens: shown.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

type TextPiece = Extract<Piece, { readonly kind: 'text' }>;
type MediaPiece = Extract<Piece, { readonly kind: 'media' }>;

function withLabels(pieces: readonly Piece[], room: number): readonly Piece[] {
  const media = pieces
    .filter((piece) => piece.kind === 'media' && piece.label.tokens < piece.tokens)
    .toSorted((a, b) => b.tokens - a.tokens) as readonly MediaPiece[];
  const label = (count: number): readonly Piece[] => {
    const chosen = new Set<Piece>(media.slice(0, count));
    return pieces.map((piece) =>
      piece.kind === 'media' && chosen.has(piece) ? { kind: 'whole', ...piece.label } : piece,
    );
  };
  let enough = media.length;
  for (let least = 0; least < enough; ) {
    const middle = Math.floor((least + enough) / 2);
    const largest = media[middle]?.tokens ?? 0;
    if (largest <= shareOf(label(middle), room)) enough = middle;
    else least = middle + 1;
  }
  return label(enough);
}

/** What each piece that may be shown smaller may keep. */
function shareOf(pieces: readonly Piece[], room: number): number {
  const whole = pieces.reduce((sum, { kind, tokens }) => (kind === 'whole' ? sum + tokens : sum), 0);
  return fairShare(
    pieces.filter(({ kind }) => kind !== 'whole').map(({ tokens }) => tokens),
    room - whole,
  );
}

/** Rounds of sharing: who goes no further than over its share is known after one or two. */
const ROUNDS = 4;

/** Those that are larger than their share, cut to it. What one takes over its share, since it goes no further, the others lack. */
function cutToShares(pieces: readonly TextPiece[], room: number): ReadonlyMap<Piece, CountedParts> {
  const cut = new Map<Piece, CountedParts>();
  let open = pieces;
  let left = room;
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const share = fairShare(
      open.map(({ tokens }) => tokens),
      left,
    );
    for (const piece of open) {
      const shown = piece.tokens > share ? piece.cut(share) : piece;
      cut.set(piece, shown.tokens < piece.tokens ? shown : piece);
    }
    const over = (piece: Piece): boolean => (cut.get(piece)?.tokens ?? 0) > share;
    const stuck = open.filter(over);
    if (stuck.length === 0 || stuck.length === open.length) break;
    left -= stuck.reduce((sum, piece) => sum + (cut.get(piece)?.tokens ?? 0), 0);
    open = open.filter((piece) => !over(piece));
  }
  return cut;
}
