import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Palimpsest } from '../src/engine/palimpsest.ts';
import type { EventDraft, StoredEvent } from '../src/event/event.ts';
import { MemoryStore } from '../src/store/memory/memory-store.ts';
import { comparable } from '../src/summary/literals/comparable.ts';
import { isKept } from '../src/summary/literals/is-kept.ts';
import { sharedData } from '../src/tokens/shared-data.fixture.ts';
import type { Benchmark, Row } from './harness.ts';

/** A talk up to a question, and the strings that answer it: one of each group is enough. */
interface Case {
  readonly talk: Talk;
  readonly answers: readonly (readonly string[])[];
}

type Said = EventDraft & { readonly content: string };
type Talk = readonly Said[];

/** What a method leaves of a talk within a budget of tokens. */
type Method = (talk: Talk, budget: number) => Promise<{ text: string; tokens: number }>;

/** Of a compacted prompt's budget, the newest turns as they are. */
const TAIL_SHARE = 0.25;
/** Tokens the summary's frame takes. */
const FRAME = 90;
const key = { app: 'bench', user: 'bench', session: 'talk' };

const METHODS: Readonly<Record<string, Method>> = {
  extractive: (talk, budget) => compacted(talk, budget, true),
  'extractive, literals off': (talk, budget) => compacted(talk, budget, false),
  'tail only': (talk, budget) => cut(talk, 0, budget),
  'head and tail': (talk, budget) => cut(talk, budget / 2, budget / 2),
};

/**
 * Which share of gold answers of two public memory benchmarks is still in the prompt, at equal token budgets. No model:
 * what is not in the prompt cannot be answered; what is, might.
 */
export const memoryAnswers: Benchmark = {
  name: 'answers',
  async run({ short }) {
    if (sharedData === null) return [skipped('the shared data is absent')];
    const rows: Row[] = [];
    const sets = { BFCL: bfcl(), GoodAI: goodAi().filter((_, at) => !short || at % 5 === 0) };
    for (const [name, cases] of Object.entries(sets)) {
      for (const budget of short ? [2_000] : [1_000, 2_000, 4_000]) {
        for (const [method, keep] of Object.entries(METHODS)) {
          rows.push(await measure(`${name}, ${budget} tokens: ${method}`, cases, budget, keep));
        }
      }
    }
    return rows;
  },
};

async function measure(name: string, cases: readonly Case[], budget: number, keep: Method): Promise<Row> {
  let answers = 0;
  let kept = 0;
  let most = 0;
  const known = new Map<Talk, Promise<{ text: string; tokens: number }>>();
  for (const each of cases) {
    const made = known.get(each.talk) ?? keep(each.talk, budget);
    known.set(each.talk, made);
    const { text, tokens } = await made;
    const within = comparable(text);
    most = Math.max(most, tokens);
    for (const group of each.answers) {
      answers += 1;
      if (group.some((answer) => isKept({ text: answer, kind: 'name' }, within))) kept += 1;
    }
  }
  const share = (100 * kept) / answers;
  return {
    name,
    unit: '% of answers',
    n: answers,
    median: share,
    p10: share,
    p90: share,
    bound: null,
    ok: null,
    ratio: null,
    note: `${kept} of ${answers}, prompts of at most ${most} tokens`,
  };
}

async function compacted(
  talk: Talk,
  budget: number,
  literals: boolean,
): Promise<{ text: string; tokens: number }> {
  const { session, store, events } = await stored(talk);
  // The newest exchange always stays.
  const tail = tailOf(events, Math.max(budget * TAIL_SHARE, events.at(-1)?.tokens ?? 0));
  const tailTokens = tail.reduce((sum, event) => sum + event.tokens, 0);
  const palimpsest = new Palimpsest({ store, literals, maxSummaryTokens: budget - tailTokens - FRAME });
  const outcomes = await palimpsest.session(session.key).compact({ keep: { events: tail.length } });
  if (!outcomes.some(({ kind }) => kind === 'committed')) throw new Error('nothing was compacted');
  const { entries, accounting } = await session.prompt();
  const text = entries.flatMap((entry) => {
    if (entry.kind === 'event') return [textOf(entry.event)];
    if (entry.kind === 'parked') return [];
    const { summary } = entry.record;
    return [summary.text, ...summary.literals.map((literal) => literal.text)];
  });
  return { text: text.join('\n'), tokens: accounting.promptTokens };
}

async function cut(
  talk: Talk,
  headTokens: number,
  tailTokens: number,
): Promise<{ text: string; tokens: number }> {
  const { events } = await stored(talk);
  const shown = new Set([...tailOf(events.toReversed(), headTokens), ...tailOf(events, tailTokens)]);
  const tokens = [...shown].reduce((sum, event) => sum + event.tokens, 0);
  return { text: [...shown].map(textOf).join('\n'), tokens };
}

/** The events at the end that fit. */
function tailOf(events: readonly StoredEvent[], tokens: number): readonly StoredEvent[] {
  let left = tokens;
  const from = events.findLastIndex((event) => {
    left -= event.tokens;
    return left < 0;
  });
  return events.slice(from + 1);
}

async function stored(talk: Talk) {
  const store = new MemoryStore();
  const session = new Palimpsest({ store }).session(key);
  const events = await session.append(talk);
  return { store, session, events };
}

function textOf({ content }: Pick<StoredEvent, 'content'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Ten talks of a customer as one, and what is asked after them. */
function bfcl(): readonly Case[] {
  const talk = lines('bfcl-customer.jsonl').flatMap(({ question }) =>
    (question as { content: string }[][]).flat().map(({ content }) => said('user', content)),
  );
  const all = comparable(talk.map(({ content }) => content).join('\n'));
  return lines('bfcl-answers.jsonl')
    .filter(({ id }) => String(id).includes('-customer-'))
    .map(({ ground_truth }) => ({ talk, answers: tellingGroups([ground_truth as string[]], all) }));
}

const SAID_BY: Readonly<Record<number, EventDraft['role']>> = {
  0: 'user',
  3: 'user',
  4: 'assistant',
  5: 'assistant',
};

/** One long talk; each question with all that was said before it. */
function goodAi(): readonly Case[] {
  const definitions = definitionsOf('goodai-32k-defs');
  const talk: Said[] = [];
  const cases: Case[] = [];
  for (const { type, test_id, data } of lines('goodai-32k.log.jsonl')) {
    const role = SAID_BY[Number(type)];
    if (role === undefined) continue;
    const { message, is_question } = data as { message: string; is_question: boolean };
    const expected = definitions.get(String(test_id).replace(/\W+/g, '_'));
    if (role === 'user' && is_question && expected !== undefined) {
      const all = comparable(talk.map(({ content }) => content).join('\n'));
      const answers = tellingGroups(goldOf(expected), all);
      if (answers.length > 0) cases.push({ talk: [...talk], answers });
    }
    talk.push(said(role, message));
  }
  return cases;
}

function definitionsOf(folder: string): ReadonlyMap<string, unknown[]> {
  const path = join(sharedData ?? '', 'memory', folder);
  return new Map(
    readdirSync(path).map((file) => {
      const definition: { expected_responses: unknown[] } = JSON.parse(
        readFileSync(join(path, file), 'utf8'),
      );
      return [file.replace('.def.json', '').replace(/\W+|_+/g, '_'), definition.expected_responses];
    }),
  );
}

/** Each string of the expected responses by itself; of a route its places. */
function goldOf(expected: readonly unknown[]): string[][] {
  return [expected].flat(3).flatMap((value) => {
    if (typeof value !== 'string') return [];
    const places = [...value.matchAll(/^From (.+?), go \d+km \w+ to (.+?)\.$/gm)];
    if (places.length > 0)
      return [...new Set(places.flatMap((match) => [match[1] ?? '', match[2] ?? '']))].map((place) => [
        place,
      ]);
    return [[value]];
  });
}

/** Answers the talk holds and that are not found anywhere by chance, as a lone digit is. */
function tellingGroups(
  groups: readonly (readonly string[])[],
  all: ReturnType<typeof comparable>,
): string[][] {
  return groups
    .map((group) =>
      group.filter((answer) => answer.length > 1 && isKept({ text: answer, kind: 'name' }, all)),
    )
    .filter((group) => group.length > 0);
}

function said(role: EventDraft['role'], content: string): Said {
  return { role, content };
}

function lines(file: string): Record<string, unknown>[] {
  return readFileSync(join(sharedData ?? '', 'memory', file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

function skipped(note: string): Row {
  const nothing = { n: 0, median: Number.NaN, p10: Number.NaN, p90: Number.NaN };
  return { name: 'skipped', unit: '', ...nothing, bound: null, ok: null, ratio: null, note };
}
