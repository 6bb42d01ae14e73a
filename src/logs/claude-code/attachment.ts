import type { DraftPart } from '../../event/event.ts';
import type { JsonValue } from '../../event/json.ts';
import { partsOfContent } from '../anthropic-blocks.ts';
import type { Said } from '../import-run.ts';
import { fieldsOf, type JsonFields, listOf, textOf } from '../json-fields.ts';
import { reasonName } from '../line-tally.ts';
import { safeName } from '../names.ts';

/** Attachments that are notices of the user interface and never reach the model. */
const SILENT: ReadonlySet<string> = new Set([
  'already_read_file',
  'autocheckpointing',
  'background_task_status',
  'command_permissions',
  'current_session_memory',
  'dynamic_skill',
  'edited_image_file',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_permission_decision',
  'hook_system_message',
  'max_turns_reached',
  'structured_output',
  'teammate_shutdown_batch',
]);
/** Events after which a hook's output is shown to the model. */
const SHOWN_HOOKS: ReadonlySet<JsonValue | undefined> = new Set(['SessionStart', 'UserPromptSubmit']);

/**
 * An attachment line as what the model was shown: its text where it has one, after the name of the file it is of, else
 * the attachment whole. A prompt typed while the agent was working is an attachment too, and a person's. Or why it is
 * skipped.
 */
export function sayAttachment(line: JsonFields): Said | string {
  const attachment = fieldsOf(line['attachment']);
  const type = textOf(attachment?.['type']);
  if (attachment === null || type === null) return 'type:attachment';
  const hidden = type === 'hook_success' && !SHOWN_HOOKS.has(attachment['hookEvent']);
  if (hidden || SILENT.has(type)) return `attachment:${reasonName(type)}`;
  if (type === 'queued_command') {
    const content = partsOfContent(attachment['prompt'], null);
    if (content.length > 0) return { role: 'user', content };
  }
  return {
    role: 'user',
    author: safeName(type === '' ? 'attachment' : type),
    content: textParts(attachment) ?? [
      { type: 'opaque', provider: 'claude-code', kind: type, json: line['attachment'] as JsonValue },
    ],
  };
}

function textParts(attachment: JsonFields): readonly DraftPart[] | null {
  const text = ownText(attachment);
  if (text === null || text === '') return null;
  const name =
    textOf(attachment['filename']) ?? textOf(attachment['path']) ?? textOf(attachment['planFilePath']);
  const parts: DraftPart[] = [{ type: 'text', text }];
  if (name !== null) parts.unshift({ type: 'text', text: name });
  return parts;
}

function ownText(attachment: JsonFields): string | null {
  for (const field of ['content', 'snippet', 'text', 'planContent']) {
    const value = attachment[field];
    if (typeof value === 'string') return value;
    const lines = listOf(value);
    if (lines?.every((line) => typeof line === 'string')) return lines.join('\n');
    const inner = fieldsOf(value);
    const text = textOf(inner?.['content']) ?? textOf(fieldsOf(inner?.['file'])?.['content']);
    if (text !== null) return text;
  }
  return null;
}
