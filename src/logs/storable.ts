import type { DraftPart } from '../event/event.ts';
import type { JsonValue } from '../event/json.ts';

/** A store takes 512 levels of payload and 128 of results in results; an importer stays a little under. */
const MAX_DEPTH = 500;
const MAX_RESULT_DEPTH = 100;

function isStorableJson(value: JsonValue | undefined, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  for (const inner of Object.values(value)) {
    if (!isStorableJson(inner, depth + 1)) return false;
  }
  return true;
}

/**
 * Whether a store takes this part: payloads nest no deeper than it allows and hold finite numbers only. A line whose
 * parts do not fit is counted as skipped, so that it cannot make the import of all others fail.
 */
function isStorable(part: DraftPart, depth = 0): boolean {
  if ('providerState' in part && !isStorableJson(part.providerState?.json, 0)) return false;
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'media':
    case 'refusal':
    case 'code':
    case 'codeResult':
      return true;
    case 'opaque':
      return isStorableJson(part.json, 0);
    case 'toolCall':
      return 'raw' in part.input || isStorableJson(part.input.json, 0);
    case 'toolResult':
      if ('json' in part.output) return isStorableJson(part.output.json, 0);
      return depth < MAX_RESULT_DEPTH && part.output.parts.every((inner) => isStorable(inner, depth + 1));
    default: {
      const never: never = part;
      return never;
    }
  }
}

/** Whether a store takes all of it. */
export function areStorable(all: readonly { readonly content: readonly DraftPart[] }[]): boolean {
  return all.every(({ content }) => content.every((part) => isStorable(part)));
}
