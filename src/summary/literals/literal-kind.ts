import type { Literal } from '../../coverage/record.ts';

/** What a literal is, by its shape. */
export type LiteralKind =
  /** A user's rule that is to hold. */
  | 'instruction'
  | 'path'
  /** Also a host with its port. */
  | 'url'
  | 'email'
  /** UUIDs, hashes, ticket and order numbers. */
  | 'id'
  /** With a unit, a currency or enough digits to be no count: amounts, versions, ports. */
  | 'number'
  | 'date'
  | 'command'
  /** Identifiers, variables, flags and what stands in backticks. */
  | 'code'
  /** Proper names and what stands in quotation marks. */
  | 'name';

/** All kinds, the weightiest first. */
export const LITERAL_KINDS: readonly LiteralKind[] = [
  'instruction',
  'path',
  'url',
  'email',
  'id',
  'number',
  'date',
  'command',
  'code',
  'name',
];

/** A concrete value of a window, one line of at most {@link LONGEST_LITERAL} code points. */
export interface FoundLiteral extends Literal {
  readonly kind: LiteralKind;
}

/** A longer value is not carried: cut, it would be another one. */
export const LONGEST_LITERAL = 200;
