import type { DraftPart, Role } from '../event/event.ts';
import type { Said } from './import-run.ts';

/**
 * What a message says, tools' results apart from the rest: runs of results are said by tools, runs of anything else by
 * `role`. In Anthropic's form results stand in user messages, before what the user adds to them; such a message opens no
 * turn.
 */
export function sayByRole(
  role: Role,
  parts: readonly DraftPart[],
  common: Omit<Said, 'role' | 'content'>,
): Said[] {
  const said: Said[] = [];
  let from = 0;
  const hasResult = parts.some((part) => part.type === 'toolResult');
  if (!hasResult) return parts.length === 0 ? [] : [{ ...common, role, content: parts }];
  const { opens: _opens, author: _author, ...rest } = common;
  while (from < parts.length) {
    const results = parts[from]?.type === 'toolResult';
    let to = from + 1;
    while (to < parts.length && (parts[to]?.type === 'toolResult') === results) to += 1;
    said.push({ ...rest, role: results ? 'tool' : role, content: parts.slice(from, to) });
    from = to;
  }
  return said;
}
