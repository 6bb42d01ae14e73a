import type { JsonValue } from '../../event/json.ts';
import type { NumberSources } from '../exact-numbers.ts';
import type { Said } from '../import-run.ts';
import { fieldsOf, type JsonFields, listOf, textOf } from '../json-fields.ts';
import { reasonName } from '../line-tally.ts';
import { isoTime, safeName } from '../names.ts';
import { isItem, itemTexts, sayItem } from '../openai-items.ts';
import { ReplyRuns } from '../reply-runs.ts';
import { Echoes } from './echoes.ts';
import { sayCompacted } from './say-compacted.ts';

/** Beginnings of user messages that Codex itself writes: context, not prompts. */
const CONTEXT = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<permissions instructions>',
  '<skills_instructions>',
  '<skill>',
  '<apps_instructions>',
  '<collaboration_mode>',
  '<personality_spec>',
  '<turn_aborted>',
  '<subagent_notification>',
  '<user_shell_command>',
  '<recommended_plugins>',
  '<hook_prompt',
];

/** Where what a rollout says goes. */
export interface RolloutTarget {
  event(said: Said, line: number, id: string, bytes: number): void;
  merged(line: number): void;
  skip(line: number, reason: string): void;
  /** The newest turns are taken back. */
  rollBack(turns: number): void;
}

/** A record and where it stands. */
interface RecordLine {
  readonly record: JsonFields;
  readonly line: number;
  readonly bytes: number;
}

/**
 * Reads a rollout's lines one after the other, in either of its forms: records with a payload, or (2025) bare items. What
 * it says of a line depends on that line and the ones before it only.
 */
export class Rollout {
  session: string | null = null;
  readonly #target: RolloutTarget;
  readonly #echoes = new Echoes();
  #prefix: string | null = null;
  readonly #replies = new ReplyRuns();
  #hasItems = false;

  constructor(target: RolloutTarget) {
    this.#target = target;
  }

  line(value: JsonValue, numbers: NumberSources | null, line: number, bytes: number): void {
    const record = fieldsOf(value);
    const reason = record === null ? 'not_an_object' : this.#record(numbers, { record, line, bytes });
    if (reason !== null) this.#target.skip(line, reason);
  }

  /** The log is over. Where it has no items at all, an agent's message that is still held is all there is. */
  end(): void {
    this.#echoes.release(this.#hasItems ? 'open' : 'alone');
  }

  /** Each of these returns why the line is skipped, or null when it is dealt with. */
  #record(numbers: NumberSources | null, at: RecordLine): string | null {
    const { record } = at;
    const type = textOf(record['type']);
    const payload = fieldsOf(record['payload']);
    if (type === null) return this.#untyped(record);
    // Legacy: the record is the item itself.
    const item = payload ?? record;
    switch (payload === null ? 'bare' : type) {
      case 'response_item':
        return this.#item(item, numbers, at);
      case 'compacted':
        this.#emit(sayCompacted(item), at);
        return null;
      case 'event_msg':
        return this.#message(item, at);
      case 'session_meta':
        this.session ??= textOf(item['id']) ?? textOf(item['session_id']);
        break;
      case 'turn_context':
        this.#replies.end();
        break;
      default:
        if (isItem(item as JsonValue)) return this.#item(item, numbers, at);
    }
    return `type:${reasonName(type)}`;
  }

  #untyped(record: JsonFields): string {
    const state = textOf(record['record_type']);
    if (state !== null) return `record_type:${reasonName(state)}`;
    if (!('timestamp' in record && 'id' in record)) return 'no_type';
    this.session ??= textOf(record['id']);
    return 'type:session_meta';
  }

  #item(item: JsonFields, numbers: NumberSources | null, at: RecordLine): string | null {
    this.#hasItems = true;
    const said = sayItem(item, numbers);
    if (typeof said === 'string') return said === 'empty' ? said : `response_${said}`;
    if (item['type'] === 'message') return this.#itemMessage(said, itemTexts(item), at);
    this.#emit(said, at);
    return null;
  }

  #itemMessage(said: Said, texts: readonly string[], at: RecordLine): null {
    if (said.role === 'assistant') this.#echoes.agentItem(texts);
    const isContext = CONTEXT.some((start) => texts[0]?.trimStart().startsWith(start));
    if (said.role !== 'user' || isContext) {
      this.#emit(said, at);
      return null;
    }
    this.#endTurn();
    const textOnly = said.content.every((part) => part.type === 'text');
    if (this.#echoes.userItem(texts, textOnly)) this.#target.merged(at.line);
    else this.#emit({ ...said, opens: true }, at);
    return null;
  }

  /** A message to the user interface. */
  #message(payload: JsonFields, at: RecordLine): string | null {
    const type = textOf(payload['type']) ?? 'unknown';
    const reason = `event_msg:${reasonName(type)}`;
    const text = textOf(payload['message']);
    switch (type) {
      case 'user_message':
        if (text === null) return reason;
        this.#endTurn();
        if (this.#echoes.user(text)) this.#target.merged(at.line);
        else this.#emit({ ...saying('user', text), opens: true }, at);
        return null;
      case 'agent_message':
        if (text === null) return reason;
        this.#echoes.agent(text, (fate) => {
          if (fate === 'repeated') this.#target.merged(at.line);
          else if (fate === 'open') this.#target.skip(at.line, reason);
          else this.#emit(saying('assistant', text), at);
        });
        return null;
      case 'task_started':
      case 'turn_started':
      case 'task_complete':
      case 'turn_complete':
      case 'turn_aborted':
        this.#endTurn();
        return reason;
      case 'thread_rolled_back': {
        this.#endTurn();
        const turns = payload['num_turns'];
        if (typeof turns === 'number' && turns > 0) this.#target.rollBack(turns);
        return reason;
      }
      default:
        return reason;
    }
  }

  #endTurn(): void {
    this.#echoes.release('alone');
    this.#replies.end();
  }

  #emit(said: Said, { record, line, bytes }: RecordLine): void {
    this.#prefix ??= this.session === null || this.session === '' ? 'codex' : safeName(this.session);
    const id = `${this.#prefix}:${line}`;
    const placed = { ...said, ...this.#replies.of(said.role, id), ...isoTime(record['timestamp']) };
    this.#target.event(placed, line, id, bytes);
  }
}

function saying(role: 'user' | 'assistant', text: string): Said {
  return { role, content: [{ type: 'text', text }] };
}

/** Whether a value is a line of a rollout. */
export function isRolloutLine(value: JsonValue): boolean {
  const record = fieldsOf(value);
  if (record === null) return false;
  if (fieldsOf(record['payload']) !== null) {
    return [
      'session_meta',
      'response_item',
      'event_msg',
      'turn_context',
      'compacted',
      'world_state',
    ].includes(textOf(record['type']) ?? '');
  }
  if (textOf(record['record_type']) !== null) return true;
  if (isItem(value)) return record['type'] !== 'message' || holdsItemText(record['content']);
  return (
    !('type' in record) &&
    'timestamp' in record &&
    'id' in record &&
    ('instructions' in record || 'git' in record)
  );
}

/** Items name the direction of their text, which other providers' messages do not. */
function holdsItemText(content: JsonValue | undefined): boolean {
  return (listOf(content) ?? []).some((part) => {
    const type = fieldsOf(part)?.['type'];
    return type === 'input_text' || type === 'output_text' || type === 'input_image';
  });
}
