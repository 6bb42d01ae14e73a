import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../event/event.ts';
import { ROOT_LANE } from '../event/lane.ts';
import { planManual } from '../plan/manual.ts';
import { frameSummary } from '../prompt/frame.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { isKept } from '../summary/literals/is-kept.ts';
import type { LiteralKind } from '../summary/literals/literal-kind.ts';
import type { Summarizer } from '../summary/summarizer.ts';
import { attemptWindow } from './attempt-window.ts';
import { Palimpsest } from './palimpsest.ts';
import type { Policy } from './policy.ts';
import type { Session } from './session.ts';

const key = { app: 'a', user: 'u', session: 's' };

/** Puts a label in the place of every value, as weak models do. */
const generalizing: Summarizer = {
  name: 'generalizing',
  format: 'prose',
  summarize: async () => ({
    kind: 'summary',
    content: 'The user named a file, an order, a person, a price and a deadline, and gave a rule.',
  }),
};

const FACTS: readonly (readonly [LiteralKind, string])[] = [
  ['path', '/srv/billing/config/rates.toml'],
  ['id', 'ORD-7741-X'],
  ['name', 'Marguerite Duval'],
  ['number', '$1,249.50'],
  ['date', '2027-04-19'],
  ['url', 'https://intranet.example.com/wiki/Rates?rev=7'],
  ['code', 'RATE_TABLE_V2'],
  ['instruction', 'Never restart the staging server.'],
];

const EARLY: readonly string[] = [
  `The rates are in ${FACTS[0]?.[1]}, for order ${FACTS[1]?.[1]}.`,
  `Ask Marguerite Duval. It costs ${FACTS[3]?.[1]} and is due ${FACTS[4]?.[1]}.`,
  `See ${FACTS[5]?.[1]} for RATE_TABLE_V2. ${FACTS[7]?.[1]}`,
];

function talk(...said: readonly string[]): readonly EventDraft[] {
  return said.flatMap((content) => [
    { role: 'user', content },
    {
      role: 'assistant',
      content: `I see. ${'Let us go on with this as it was asked for before. '.repeat(30)}`,
    },
  ]);
}

async function promptText(session: Session): Promise<string> {
  const { entries } = await session.prompt();
  return entries
    .flatMap((entry) => {
      if (entry.kind === 'parked') return [];
      if (entry.kind === 'summary') return [frameSummary(entry.record, entry.firstSeq, entry.lastSeq)];
      return entry.event.content.map((part) => (part.type === 'text' ? part.text : ''));
    })
    .join('\n');
}

function open(policy: Policy): { session: Session; store: MemoryStore; palimpsest: Palimpsest } {
  const store = new MemoryStore();
  const palimpsest = new Palimpsest({ store, ...policy });
  return { session: palimpsest.session(key), store, palimpsest };
}

/** Covers all but the newest two events with one record that replaces every live one. */
async function rollUp(store: MemoryStore, palimpsest: Palimpsest): Promise<void> {
  const view = await store.view(key, ROOT_LANE, 'reader');
  const policy = { keep: { events: 2, tokens: 0 }, minimumTokens: 1 };
  const plan = planManual(view, policy, { lanes: new Set(), rootView: false });
  if (plan.kind === 'nothing') throw new Error(plan.reason);
  const supersedes = view.records.map(({ record }) => record.id);
  const window = { ...plan.window, supersedes, summaries: view.records };
  const around = { store, policy: palimpsest.policy, holder: 'test', nonce: () => '0123456789abcdef' };
  const outcome = await attemptWindow(
    key,
    { ...plan, window },
    { reader: ROOT_LANE, measured: undefined },
    around,
  );
  expect(outcome).toMatchObject({ kind: 'committed' });
}

describe('literals', () => {
  // Fails when superseded records' literals are no source of the next (known fault 23), or the list has no room in a
  // record that replaces another.
  it('survive ten rolling compactions by a summarizer that generalizes every value', async () => {
    const { session, store, palimpsest } = open({ summarizer: generalizing });
    await session.append(talk(...EARLY));
    for (let round = 1; round <= 10; round += 1) {
      await session.append(talk('And then?', 'Go on.'));
      await rollUp(store, palimpsest);
    }
    const text = await promptText(session);
    expect(FACTS.filter(([kind, fact]) => !isKept({ kind, text: fact }, text))).toEqual([]);
    const states = await session.records();
    expect(states).toHaveLength(10);
    expect(states.at(-1)?.record.literals).toEqual({ found: 8, kept: 8 });
    expect((await session.verify()).problems).toEqual([]);
  });

  it('are the user’s, and the prompt says so', async () => {
    const { session } = open({ summarizer: generalizing });
    await session.append(talk(...EARLY, 'Go on.'));
    await session.compact({ keep: { events: 2 } });
    const [state] = await session.records();
    expect(new Set(state?.record.summary.literals.map(({ from }) => from))).toEqual(new Set(['user']));
  });

  it('are left alone when they are off', async () => {
    const { session } = open({ summarizer: generalizing, literals: false });
    await session.append(talk(...EARLY, 'Go on.'));
    await session.compact({ keep: { events: 2 } });
    const [state] = await session.records();
    expect(state?.record).toMatchObject({ literals: { found: 0, kept: 0 }, summary: { literals: [] } });
  });

  // Fails when a summarizer is given the list's room too, and the record gets larger than its allowance.
  it('have a share of what a summary may take, and the prose the rest', async () => {
    const asked: number[] = [];
    const summarizer: Summarizer = {
      ...generalizing,
      summarize: (request, call) => {
        asked.push(request.maxSummaryTokens);
        return generalizing.summarize(request, call);
      },
    };
    for (const literals of [true, false]) {
      const { session } = open({ summarizer, literals, maxSummaryTokens: 200 });
      await session.append(talk(...EARLY, 'Go on.'));
      await session.compact({ keep: { events: 2 } });
    }
    expect(asked).toEqual([140, 200]);
  });

  it('stay in the prompt where they are pinned, whatever a summary makes of the rest', async () => {
    const { session } = open({ summarizer: generalizing, literals: false });
    const [pinned] = await session.append(talk(...EARLY, 'Go on.'));
    await session.pin(pinned?.seq ?? 0);
    await session.compact({ keep: { events: 2 } });
    const text = await promptText(session);
    expect(text).toContain(FACTS[0]?.[1]);
    expect(text).not.toContain(FACTS[4]?.[1]);
  });

  it.each([
    [{ literalsFloor: 1.1 }, /literalsFloor must be a share from 0 to 1/],
    [{ literalsFloor: Number.NaN }, /literalsFloor must be a share from 0 to 1/],
    [{ literalsFloor: 0.5, literals: false }, /literalsFloor cannot hold with literals off/],
  ])('refuse a floor that cannot hold: %o', (policy, message) => {
    expect(() => open(policy)).toThrow(message);
  });
});
