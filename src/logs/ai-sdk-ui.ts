import type { JsonValue } from '../event/json.ts';
import type { NumberSources } from './exact-numbers.ts';
import type { LogFormatReader } from './format.ts';
import type { ImportRun, Said } from './import-run.ts';
import { fieldsOf, type JsonFields, listOf, textOf } from './json-fields.ts';
import { type Conversation, messageLog, type SaidMessage } from './message-log.ts';
import { safeName } from './names.ts';
import { partsOfUiPart, type SaidPart, sayToolPart, toolNameOf } from './ui-parts.ts';

/** The AI SDK's UI messages: a list, an object with `messages`, one message, or a message a line. */
export const aiSdkUi: LogFormatReader = messageLog({
  format: 'ai-sdk-ui',
  conversation,
  areMessages: (lines) => lines.length > 0 && lines.every(isMessage),
  reader: (run) => ({
    say: (message, ordinal, numbers): SaidMessage => {
      const id = textOf(fieldsOf(message)?.['id']);
      const named = id !== null && id !== '';
      const name = named ? safeName(id) : `ai-sdk-ui:${ordinal}`;
      const said = sayMessage(message, name, run, numbers);
      return named ? { said, id: name } : { said };
    },
  }),
});

function isMessage(value: JsonValue): boolean {
  const message = fieldsOf(value);
  return message !== null && listOf(message['parts']) !== null && roleOf(message) !== null;
}

function roleOf(message: JsonFields): 'system' | 'user' | 'assistant' | null {
  const role = message['role'];
  return role === 'system' || role === 'user' || role === 'assistant' ? role : null;
}

function conversation(document: JsonValue): Conversation | null {
  if (isMessage(document)) return { messages: [document] };
  const fields = fieldsOf(document);
  const messages = listOf(fields === null ? document : fields['messages']);
  if (messages === null || !messages.some(isMessage)) return null;
  const session = textOf(fields?.['id']) ?? textOf(fields?.['chatId']);
  return { messages, session };
}

function sayMessage(
  value: JsonValue,
  name: string,
  run: ImportRun,
  numbers: NumberSources | null,
): readonly SaidPart[] | string {
  const message = fieldsOf(value);
  const parts = listOf(message?.['parts']);
  const role = message === null ? null : roleOf(message);
  if (message === null || parts === null) return 'not_a_message';
  if (role === null) return 'unknown_role';
  if (role !== 'assistant') {
    const content = parts.flatMap((part) => partsOfUiPart(part, run));
    return content.length === 0 ? 'empty' : [{ role, content, opens: role === 'user' }];
  }
  return saySteps(parts, name, run, numbers);
}

/**
 * An agent's message is many model replies, one a step, and holds the results of its calls and what a person answered.
 * Every part becomes an event of its own, named by its place, so that a message that grew, or whose calls have results
 * by now, adds events and changes none. The results of a step follow its parts.
 */
function saySteps(
  parts: readonly JsonValue[],
  name: string,
  run: ImportRun,
  numbers: NumberSources | null,
): readonly SaidPart[] {
  const said: SaidPart[] = [];
  let step: SaidPart[] = [];
  let after: SaidPart[] = [];
  let reply = 0;
  const endStep = (): void => {
    said.push(...step, ...after);
    step = [];
    after = [];
  };
  for (const [index, part] of parts.entries()) {
    const fields = fieldsOf(part);
    if (fields?.['type'] === 'step-start') {
      endStep();
      reply = index;
      continue;
    }
    const common: Pick<Said, 'role' | 'reply'> = { role: 'assistant', reply: `${name}:step:${reply}` };
    const tool = fields === null ? null : toolNameOf(fields);
    if (fields !== null && tool !== null) {
      const { call, later } = sayToolPart(fields, tool, numbers, run);
      if (call !== null) step.push({ ...call, ...common, suffix: `${index}` });
      after.push(...later.map((each) => ({ ...each, suffix: `${index}:${each.suffix}` })));
    } else {
      const content = partsOfUiPart(part, run);
      if (content.length > 0) step.push({ ...common, content, suffix: `${index}` });
    }
  }
  endStep();
  return said;
}
