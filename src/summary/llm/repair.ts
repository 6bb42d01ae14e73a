import type { SummaryReason } from '../../event/errors.ts';

/** What a model can write otherwise, and what it is told then. Constant words: nothing of its answer or the transcript. */
const REPAIRS: ReadonlyMap<SummaryReason, string> = new Map([
  ['wire', 'it was not exactly the one JSON object asked for'],
  ['identity', 'basis, model and request_fingerprint were not those of the request'],
  ['output_shape', 'it held no text, or several'],
  ['byte_limit', 'it was too long'],
  ['token_limit', 'it was too long'],
  [
    'xml_syntax',
    'the document was not well-formed: a tag or a reference is broken, or &, < or ]]> stands as it is',
  ],
  ['xml_root', 'the document did not begin with <conversation_summary>'],
  [
    'xml_structure',
    'the document held something beside its five elements: text, code fences, attributes, comments, elements inside or in another order, or one is missing',
  ],
  ['xml_content', 'goal or state was empty'],
]);

/**
 * What a model is told of an answer that was refused, to be added to the same question; undefined where asking again
 * would only cost as much again: it was cut, filtered or refused, or its cost is not known.
 */
export function repairNote(reason: SummaryReason): string | undefined {
  const words = REPAIRS.get(reason);
  if (words === undefined) return undefined;
  return `An answer to this was refused: ${reason} (${words}). Write it anew, whole, as your instructions say.`;
}
