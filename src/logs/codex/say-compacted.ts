import type { DraftPart } from '../../event/event.ts';
import type { JsonObject } from '../../event/json.ts';
import type { Said } from '../import-run.ts';
import { countOf, fieldsOf, type JsonFields, listOf, textOf } from '../json-fields.ts';

/**
 * Codex's own compaction as an event that holds its summary: the text, and the items that hold it in the provider's
 * encrypted form. The rest of the history it puts in place of the old one repeats items that stand earlier in the log;
 * of those only the number is kept.
 */
export function sayCompacted(payload: JsonFields): Said {
  const text = textOf(payload['message']) ?? '';
  const content: DraftPart[] = text === '' ? [] : [{ type: 'text', text }];
  let repeated = 0;
  for (const value of listOf(payload['replacement_history']) ?? []) {
    const item = fieldsOf(value);
    if (item !== null && textOf(item['encrypted_content']) !== null) {
      const kind = textOf(item['type']) ?? 'unknown';
      content.push({ type: 'opaque', provider: 'openai', kind, json: item as JsonObject });
    } else {
      repeated += 1;
    }
  }
  if (content.length === 0) {
    // Nothing says what was summarized: the event marks the place.
    content.push({ type: 'opaque', provider: 'codex', kind: 'compacted', json: { message: text } });
  }
  const window = countOf(payload['window_number']);
  return {
    role: 'user',
    author: 'codex',
    content,
    metadata: {
      kind: 'log_compaction',
      is: 'summary',
      repeatedItems: repeated,
      ...(window === undefined ? {} : { window }),
    },
  };
}
