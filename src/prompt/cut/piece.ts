import type { Part } from '../../event/part.ts';

/** Parts and what they cost among others: without what their event costs. */
export interface CountedParts {
  readonly parts: readonly Part[];
  readonly tokens: number;
}

/** Parts that are shown whole, or smaller in their own way. */
export type Piece =
  /** Never cut: reasoning, and what is a provider's own. */
  | (CountedParts & { readonly kind: 'whole' })
  /** Nothing lies between all of it and its label. */
  | (CountedParts & { readonly kind: 'media'; readonly label: CountedParts })
  /** Cut to a room, or as near as it goes. */
  | (CountedParts & { readonly kind: 'text'; readonly cut: (room: number) => CountedParts });
