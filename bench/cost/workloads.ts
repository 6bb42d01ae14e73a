import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Role } from '../../src/event/event.ts';
import { importFile } from '../../src/logs/index.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { estimatingCounter } from '../../src/tokens/estimating-counter.ts';
import { sharedData } from '../../src/tokens/shared-data.fixture.ts';
import { pick } from '../texts.ts';
import { type Call, type SaidTokens, type TurnSize, turnsOf } from './turns-of.ts';

/** Conversations of one kind, as sizes. */
export interface Workload {
  readonly name: string;
  /** Where its sizes are from, for people. */
  readonly from: string;
  /** Tokens of the system prompt and the tools, before everything else. */
  readonly systemTokens: number;
  /** Tokens of a summary, where it is let have so many. */
  readonly summaryTokens: number;
  /** Turns sessions are drawn from. */
  readonly turns: readonly TurnSize[];
}

/** What a message costs beside its text. */
const MESSAGE_TOKENS = 6;

/** Turns drawn with replacement, until they are so many calls of the model. */
export function drawTurns({ turns }: Workload, calls: number, random: () => number): readonly TurnSize[] {
  const drawn: TurnSize[] = [];
  for (let count = 0; count < calls; ) {
    const turn = pick(turns, random).slice(0, calls - count);
    drawn.push(turn);
    count += turn.length;
  }
  return drawn;
}

/** Tokens that a call of the model adds to the conversation: mean and 99th of a hundred. */
export function callSizes({ turns }: Workload): {
  readonly count: number;
  readonly mean: number;
  readonly p99: number;
} {
  const sizes = turns
    .flat()
    .map(({ input, output }) => input + output)
    .sort((a, b) => a - b);
  const sum = sizes.reduce((total, size) => total + size, 0);
  return {
    count: sizes.length,
    mean: sum / sizes.length,
    p99: sizes[Math.floor(0.99 * (sizes.length - 1))] ?? 0,
  };
}

/** Talk with customers and a long chat; a coding agent at work. From real logs where they are, else of published sizes. */
export async function workloads(): Promise<readonly Workload[]> {
  const chat = { name: 'chat', systemTokens: 2_000, summaryTokens: 500 };
  const code = { name: 'code', systemTokens: 18_000, summaryTokens: 1_000 };
  if (sharedData === null) {
    const from = 'the real logs are absent: published means, every call alike';
    return [
      { ...chat, from, turns: alike(226, 2) },
      { ...code, from, turns: alike(728, 8) },
    ];
  }
  const coding: TurnSize[] = [];
  for (const file of CODING) coding.push(...(await codingTurns(join(sharedData, file))));
  return [
    { ...chat, from: 'tau-bench airline and GoodAI LTM 32k', turns: [...tauTurns(), ...goodAiTurns()] },
    { ...code, from: 'Claude Code and Codex session logs', turns: coding },
  ];
}

const CODING: readonly string[] = [
  'claude-code/compacted-kana-emoji.jsonl',
  'claude-code/compacted-large.jsonl',
  'claude-code/japanese.jsonl',
  'claude-code/real-medium.jsonl',
  'claude-code/tool-heavy.jsonl',
  'codex/chinese.jsonl',
  'codex/real-medium.jsonl',
];

async function codingTurns(path: string): Promise<readonly TurnSize[]> {
  const store = new MemoryStore();
  const session = new Palimpsest({ store }).session({ app: 'bench', user: 'bench', session: path });
  await importFile(path, session);
  const rows = await store.page(session.key, 0, Number.MAX_SAFE_INTEGER);
  const main = rows
    .map(({ event }) => event)
    .filter(({ lane, role }) => lane.branch === '' && role !== 'system');
  return turnsOf(main);
}

interface ChatMessage {
  readonly role: Role;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: unknown }[];
}

function tauTurns(): readonly TurnSize[] {
  const runs: readonly { readonly traj: readonly ChatMessage[] }[] = JSON.parse(
    readShared('trajectories/tau-airline-8-longest.json'),
  );
  return runs.flatMap(({ traj }) =>
    turnsOf(
      traj
        .filter(({ role }) => role !== 'system')
        .map(({ role, content, tool_calls: calls }): SaidTokens => {
          const called = (calls ?? []).map((call) => JSON.stringify(call.function)).join('');
          return { role, tokens: MESSAGE_TOKENS + estimatingCounter.count((content ?? '') + called) };
        }),
    ),
  );
}

/** Who speaks in the benchmark's log, by the type of its lines. */
const GOODAI_ROLES: Readonly<Record<number, Role>> = { 0: 'user', 3: 'user', 4: 'assistant', 5: 'assistant' };

function goodAiTurns(): readonly TurnSize[] {
  const said = readShared('memory/goodai-32k.log.jsonl')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line): readonly SaidTokens[] => {
      const { type, data }: { type: number; data: { message?: string } } = JSON.parse(line);
      const role = GOODAI_ROLES[type];
      if (role === undefined) return [];
      return [{ role, tokens: MESSAGE_TOKENS + estimatingCounter.count(data.message ?? '') }];
    });
  return turnsOf(said);
}

function readShared(file: string): string {
  return readFileSync(join(sharedData ?? '', file), 'utf8');
}

function alike(tokens: number, calls: number): readonly TurnSize[] {
  const call: Call = { input: Math.ceil(tokens * 0.7), output: Math.floor(tokens * 0.3) };
  return [Array.from({ length: calls }, () => call)];
}
