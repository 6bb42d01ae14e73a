import { createHash } from 'node:crypto';
import type { JsonValue } from '../../event/json.ts';
import type { Lane } from '../../event/lane.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import { parseWithSources } from '../exact-numbers.ts';
import type { LogFormatReader, LogHead } from '../format.ts';
import type { ImportRun, Said } from '../import-run.ts';
import { fieldsOf, type JsonFields, textOf } from '../json-fields.ts';
import { safeName } from '../names.ts';
import { type JsonLine, parseLine, type RawLine, readLines } from '../read-lines.ts';
import { areStorable } from '../storable.ts';
import { LineIndex, LineKind } from './line-index.ts';
import { type LinePlaces, placeLines } from './place-lines.ts';
import { sayLine } from './say-line.ts';

const TYPES: ReadonlySet<string | null> = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'progress',
  'attachment',
  'file-history-snapshot',
  'queue-operation',
]);

/** Claude Code's session logs: one JSON object a line, which form a tree. Read twice; see docs/importing.md. */
export const claudeCode: LogFormatReader = {
  format: 'claude-code',
  sniff: ({ lines }: LogHead): boolean => lines.some(isLine),
  async read(run: ImportRun): Promise<void> {
    run.passes = 2;
    const index = new LineIndex();
    const bytes = await readLines(run, index);
    const second = new SecondPass(run, index, placeLines(index));
    await readLines(run, second, bytes);
  },
};

function isLine(value: JsonValue): boolean {
  const fields = fieldsOf(value);
  if (fields === null || !TYPES.has(textOf(fields['type']))) return false;
  const message = fieldsOf(fields['message']);
  // Qwen Code writes the same envelope around Gemini's messages.
  if (message !== null) return !('parts' in message);
  return ['uuid', 'sessionId', 'leafUuid', 'messageId', 'snapshot'].some((field) => field in fields);
}

/** Emits the events in the order of the file, placed by what the first pass found. */
class SecondPass {
  readonly #run: ImportRun;
  readonly #index: LineIndex;
  readonly #places: LinePlaces;
  /** What the lines of an id said so far, by the first line of that id: only ids that occur more than once. */
  readonly #sayings = new Map<number, string[]>();
  readonly #laneNames = new Map<number, Lane>();

  constructor(run: ImportRun, index: LineIndex, places: LinePlaces) {
    this.#run = run;
    this.#index = index;
    this.#places = places;
    for (const first of index.repeats.values()) this.#sayings.set(first, []);
  }

  tooLong(number: number): void {
    this.#run.tally.skip(this.#index.reason(number - 1));
  }

  line(raw: RawLine): void {
    const line = raw.number - 1;
    if (this.#index.kind[line] === LineKind.skipped) {
      this.#run.tally.skip(this.#index.reason(line));
      return;
    }
    const parsed = parseLine(raw, this.#run, this.#index.display(line));
    if (parsed === null) return;
    const fields = fieldsOf(parsed.value);
    if (fields === null) {
      this.#run.tally.skip('not_an_object');
      return;
    }
    const said = this.#say(parsed, fields, this.#index.kind[line] === LineKind.assistant);
    if (typeof said === 'string') {
      this.#run.tally.skip(said);
      return;
    }
    this.#run.named(textOf(fields['sessionId']));
    const uuid = textOf(fields['uuid']);
    const lane = this.#laneFor(line, fields, uuid);
    const id = this.#idFor(line, uuid, said);
    if (id === null) this.#run.tally.merged();
    else this.#run.events(said, { line: raw.number, id, lane, bytes: raw.end - raw.start });
  }

  #say(parsed: JsonLine, fields: JsonFields, mayCall: boolean): readonly Said[] | string {
    // Only arguments of calls are kept as JSON values; texts carry numbers as they came anyway.
    const exact = mayCall ? parseWithSources(parsed.text) : null;
    if (exact === null) return sayLine(fields, null);
    return sayLine(fieldsOf(exact.revived) ?? fields, exact.numbers);
  }

  /** The event's id, or null when an earlier line of this id said the same. */
  #idFor(line: number, uuid: string | null, said: readonly Said[]): string | null {
    if (uuid === null || uuid === '') return `claude-code:${line + 1}`;
    const id = safeName(uuid);
    const sayings = this.#sayings.get(this.#index.repeats.get(line) ?? line);
    if (sayings === undefined || said.length === 0 || !areStorable(said)) return id;
    const saying = createHash('sha256')
      .update(JSON.stringify(said.map(({ role, content }) => [role, content])))
      .digest('base64');
    if (sayings.includes(saying)) return null;
    if (sayings.push(saying) === 1) return id;
    this.#run.note("lines with an earlier line's id that say something else, kept beside it");
    return `${id}#${sayings.length}`;
  }

  #laneFor(line: number, fields: JsonFields, uuid: string | null): Lane {
    const place = this.#places.laneOf[line] ?? 0;
    if (place === 0) return ROOT_LANE;
    if (place < 0) {
      const agent = textOf(fields['agentId']);
      if (agent !== null && agent !== '') return { branch: '', isolation: `sidechain:${safeName(agent)}` };
    }
    return this.#named(place, line, uuid);
  }

  /** Lanes are named after their first line's id. */
  #named(place: number, line: number, uuid: string | null): Lane {
    const known = this.#laneNames.get(place);
    if (known !== undefined) return known;
    const first = place > 0 ? (this.#places.forks[place] as number) : -place - 1;
    const name = line === first && uuid !== null && uuid !== '' ? safeName(uuid) : `line-${first + 1}`;
    const lane: Lane = { branch: '', isolation: `${place > 0 ? 'fork' : 'sidechain'}:${name}` };
    this.#laneNames.set(place, lane);
    if (place > 0) this.#run.note('abandoned branches, each a lane of its own');
    return lane;
  }
}
