import type { Ask, DraftPart, EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import type { Owed } from '../model/exchanges.ts';
import type { IdMode, Operation } from './operations.ts';

type Of<Kind extends Operation['kind']> = Extract<Operation, { readonly kind: Kind }>;

/** A text of about that many words that says its mark. */
export function marked(mark: string, size: number): string {
  return `${mark} ${'lorem '.repeat(size)}`;
}

/** What is said without calls: texts, instructions (some of them said again and again), media, code, reasoning. */
export function sayDraft(role: number, mark: string, size: number): Pick<EventDraft, 'role' | 'content'> {
  const text = marked(mark, size);
  switch (role) {
    case 0:
    case 1:
      return { role: 'assistant', content: text };
    case 2:
      return {
        role: 'assistant',
        content: [
          { type: 'reasoning', text, providerState: { provider: 'anthropic', json: { signature: 'sig' } } },
          { type: 'text', text: 'so' },
        ],
      };
    case 3:
      return { role: 'system', content: text };
    case 4:
      return { role: 'system', content: 'Be brief, and say when you do not know.' };
    case 5:
      return {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'media', kind: 'image', mimeType: 'image/png', data: 'aGVsbG8=' },
        ],
      };
    case 6:
      return {
        role: 'assistant',
        content: [
          { type: 'code', language: 'python', code: text },
          { type: 'codeResult', outcome: 'ok', output: '1' },
          { type: 'opaque', provider: 'openai', kind: 'web_search_call', json: { q: [1, null, { a: 'b' }] } },
        ],
      };
    default:
      return { role: 'user', content: text };
  }
}

/** A reply that asks for tools: with ids, without, with one known already, or with one twice. */
export function callDraft(
  op: Pick<Of<'call'>, 'count' | 'ids' | 'longRunning'>,
  mark: string,
  known: readonly Owed[],
): Pick<EventDraft, 'role' | 'content' | 'longRunning'> {
  const given: string[] = [];
  const parts: DraftPart[] = [{ type: 'text', text: `${mark} let me see` }];
  for (let index = 0; index <= op.count; index += 1) {
    const id = callId(op.ids, index, mark, known);
    if (id !== undefined) given.push(id);
    parts.push({
      type: 'toolCall',
      ...(id === undefined ? {} : { id }),
      name: `tool${index}`,
      input: index === 1 ? { raw: `{"${mark}":` } : { json: { for: mark } },
    });
  }
  return { role: 'assistant', content: parts, ...(op.longRunning ? { longRunning: given.slice(0, 1) } : {}) };
}

function callId(mode: IdMode, index: number, mark: string, known: readonly Owed[]): string | undefined {
  switch (mode) {
    case 'given':
      return `call-${mark}-${index}`;
    case 'missing':
      return undefined;
    case 'reused':
      return known.findLast((entry) => entry.kind === 'call')?.id ?? 'call';
    case 'unknown':
      return `call-${mark}`;
    default:
      return mode satisfies never;
  }
}

/** A result for a call: by its id, by its name, by neither, or for a call nobody made. */
export function resultDraft(
  op: Pick<Of<'result'>, 'ids' | 'size' | 'twice'>,
  mark: string,
  call: Owed | undefined,
  another?: Owed,
): Pick<EventDraft, 'role' | 'content'> {
  const text = marked(mark, op.size);
  const named: Record<IdMode, { readonly id?: string; readonly name?: string }> = {
    given: call === undefined ? { id: `nobody-${mark}` } : { id: call.id },
    missing: call === undefined ? {} : { name: call.name },
    reused: {},
    unknown: { id: `nobody-${mark}`, name: 'tool0' },
  };
  const result: DraftPart = {
    type: 'toolResult',
    ...named[op.ids],
    output: op.size % 2 === 0 ? { json: { text } } : { parts: [{ type: 'text', text }] },
  };
  const more: DraftPart[] =
    another === undefined ? [] : [{ type: 'toolResult', id: another.id, output: { json: mark } }];
  const results = op.twice ? [result, result] : [result];
  return { role: op.size % 3 === 0 ? 'user' : 'tool', content: [...results, ...more] };
}

/** A question to a person, about a call or about none. */
export function askDraft(
  mark: string,
  about: Owed | undefined,
): Pick<EventDraft, 'role' | 'content' | 'asks'> {
  const ask: Ask = {
    kind: about === undefined ? 'authorization' : 'confirmation',
    id: `ask-${mark}`,
    call: about?.id ?? '',
  };
  return { role: 'assistant', content: `${mark} may I?`, asks: [ask] };
}

/** The lanes a number names; the last two are new every time. */
export function laneNamed(index: number, fresh: () => string): Lane {
  const lanes: readonly Lane[] = [
    { branch: '', isolation: '' },
    { branch: 'a', isolation: '' },
    { branch: 'b', isolation: '' },
    { branch: 'a.deep', isolation: '' },
    { branch: '', isolation: 'task' },
    { branch: 'worker', isolation: 'task' },
  ];
  const known = lanes[index];
  if (known !== undefined) return known;
  return index === 6
    ? { branch: `fresh${fresh()}`, isolation: '' }
    : { branch: '', isolation: `task${fresh()}` };
}
