// G8: after any number of turns every reader's raw backlog is under a bound that does not depend on their number. Each
// scene is played twice as long as it takes to show growth; the bound is of events, from the interval and what one turn
// appends.
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/event/event.ts';
import type { Lane } from '../../src/event/lane.ts';
import { branch, isolated, Plain, ROOT } from '../world/plain-session.ts';

/** What one turn does in a session. */
type Scene = (plain: Plain, turn: number) => Promise<unknown>;

interface Played {
  /** The most raw events any of the readers had after a turn. */
  readonly most: number;
  /** The most tokens of them. */
  readonly tokens: number;
  /** The most summaries any of the readers saw after a turn. */
  readonly summaries: number;
  readonly calls: number;
  readonly records: number;
}

async function play(
  scene: Scene,
  options: {
    readonly interval: number;
    readonly turns: number;
    readonly readers?: readonly Lane[];
    readonly minimumTokens?: number;
    readonly maxLive?: number;
  },
): Promise<Played> {
  const { interval, turns, readers = [ROOT], minimumTokens, maxLive } = options;
  const plain = new Plain({
    sliding: { interval },
    ...(maxLive === undefined ? {} : { policy: { rollUp: { maxLive } } }),
    ...(minimumTokens === undefined ? {} : { minimumTokens }),
  });
  let most = 0;
  let tokens = 0;
  let summaries = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    await scene(plain, turn);
    for (const lane of readers) {
      const { accounting, entries } = await plain.session.prompt({ reader: { agent: '', lane } });
      most = Math.max(most, accounting.raw.events);
      tokens = Math.max(tokens, accounting.raw.tokens);
      summaries = Math.max(summaries, entries.filter(({ kind }) => kind === 'summary').length);
    }
  }
  expect((await plain.session.verify()).problems).toEqual([]);
  const records = (await plain.session.records()).length;
  return { most, tokens, summaries, calls: plain.summarizer.requests.length, records };
}

function call(id: string, asked = false): EventDraft {
  return {
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: 'pay', input: { json: { id } } }],
    ...(asked ? { asks: [{ kind: 'confirmation' as const, id: `ask-${id}`, call: id }] } : {}),
  };
}

function result(id: string, text: string, lane: Lane = ROOT): EventDraft {
  return { role: 'tool', lane, content: [{ type: 'toolResult', id, output: { json: text } }] };
}

describe.for([1, 2, 3])('the raw backlog at interval %i', (interval) => {
  it('is bounded under two interleaved branches of 22 events a turn (F23, F45)', async () => {
    const played = await play(
      async (plain) => {
        const turn = await plain.session.begin();
        await turn.append({ role: 'user', content: plain.text() });
        for (let step = 0; step < 10; step += 1)
          for (const name of ['left', 'right'])
            await turn.append({ role: 'assistant', lane: branch(name), content: plain.text() });
        await turn.append({ role: 'assistant', content: plain.text() });
        await turn.end();
        await plain.session.idle();
      },
      { interval, turns: 40, readers: [ROOT, branch('left'), branch('right')] },
    );
    expect(played.most).toBeLessThanOrEqual(22 * (interval - 1));
    // A window of each of the three lanes for so many turns, and none of one event.
    expect(played.calls).toBeLessThanOrEqual(3 * Math.ceil(40 / interval));
  });

  it('is bounded behind as many abandoned confirmations as make a window (F21, 14, 26, 28)', async () => {
    const played = await play(
      (plain, number) =>
        plain.turn(ROOT, async (turn) => {
          if (number <= interval) await turn.append(call(`call${number}`, true));
        }),
      { interval, turns: 40 },
    );
    expect(played.most).toBeLessThanOrEqual(3 * interval);
    expect(played.records).toBeGreaterThanOrEqual(Math.floor(40 / interval));
    // One call of the summarizer a window, not one a turn.
    expect(played.calls).toBeLessThanOrEqual(Math.ceil(40 / interval) + 1);
  });

  it('is bounded where every turn abandons a confirmation, or a call that runs on (F15, 109)', async () => {
    for (const drafts of [
      (id: string) => [call(id, true)],
      (id: string) => [{ ...call(id), longRunning: [id] }],
      // Beside a sibling that is answered.
      (id: string) => [
        {
          role: 'assistant' as const,
          longRunning: [id],
          content: [id, `${id}-b`].map((name) => ({
            type: 'toolCall' as const,
            id: name,
            name: 'pay',
            input: { json: {} },
          })),
        },
        result(`${id}-b`, 'done'),
      ],
    ]) {
      const played = await play(
        (plain, number) =>
          plain.turn(ROOT, async (turn) => void (await turn.append(...drafts(`call${number}`)))),
        { interval, turns: 40 },
      );
      // What is owed stays for eight turns; the rest for a window.
      expect(played.most).toBeLessThanOrEqual(2 * (8 + interval) + 2 * interval);
      expect(played.records).toBeGreaterThanOrEqual(Math.floor(40 / interval));
    }
  });

  it('is bounded where calls are never answered (28)', async () => {
    const played = await play(
      (plain, number) => plain.turn(ROOT, async (turn) => void (await turn.append(call(`call${number}`)))),
      { interval, turns: 40 },
    );
    expect(played.most).toBeLessThanOrEqual(3 * (interval - 1));
  });

  it('is bounded after one delegated task, and after one in every turn (F22, F24)', async () => {
    for (const delegates of [(turn: number) => turn === 1, () => true]) {
      for (const lane of [isolated('task'), branch('task')]) {
        const played = await play(
          (plain, number) =>
            plain.turn(ROOT, async (turn) => {
              if (!delegates(number)) return;
              await turn.append(call(`call${number}`));
              await turn.append({ role: 'user', lane, content: plain.text() });
              await turn.append({ role: 'assistant', lane, content: plain.text() });
              await turn.append(result(`call${number}`, plain.text()));
            }),
          { interval, turns: 40, readers: [ROOT, lane] },
        );
        expect(played.most).toBeLessThanOrEqual(6 * interval);
      }
    }
  });

  it('is bounded where every turn has a branch of its own', async () => {
    for (const lane of [(turn: number) => branch(`b${turn}`), (turn: number) => branch(`b${turn}.deep`)]) {
      const alone = await play((plain, number) => plain.turn(lane(number)), { interval, turns: 60 });
      expect(alone.most).toBeLessThanOrEqual(2 * 2 * interval);
      const under = await play(
        (plain, number) =>
          plain.turn(
            ROOT,
            async (turn) =>
              void (await turn.append({ role: 'assistant', lane: lane(number), content: plain.text() })),
          ),
        { interval, turns: 60 },
      );
      expect(under.most).toBeLessThanOrEqual(3 * 2 * interval);
    }
  });

  // A lane that had a window's worth of turns, too small to be worth a summary, kept all others waiting for ever.
  it('is bounded where a lane that is too small to be covered alone never speaks again', async () => {
    const played = await play(
      async (plain, number) => {
        const small = number <= interval;
        const turn = await plain.session.begin({ lane: branch(small ? 'small' : `b${number}`) });
        await turn.append({ role: 'user', content: small ? 'ok' : plain.text() });
        await turn.end();
        await plain.session.idle();
      },
      { interval, turns: 60, minimumTokens: 300 },
    );
    // Four times what a window needs, and one turn more.
    expect(played.tokens).toBeLessThanOrEqual(4 * 300 + 70);
  });

  // Each lane has a window's worth of turns, each too small alone, from the start.
  it('is bounded where every turn has a branch of its own and says little there', async () => {
    const played = await play(
      (plain, number) =>
        plain.turn(
          ROOT,
          async (turn) =>
            void (await turn.append({
              role: 'assistant',
              lane: branch(`b${number}`),
              content: plain.text(20),
            })),
        ),
      { interval, turns: 60, minimumTokens: 300 },
    );
    expect(played.tokens).toBeLessThanOrEqual(4 * 300 + 2 * 300);
  });

  // What another agent was told is no instruction to the root: held back there it would gather turn by turn.
  it('is bounded where each branch begins with its instructions', async () => {
    const played = await play(
      (plain, number) =>
        plain.turn(ROOT, async (turn) => {
          const lane = branch(`sub${number}`);
          await turn.append({ role: 'system', lane, content: 'You look things up.' });
          await turn.append({ role: 'assistant', lane, content: plain.text() });
        }),
      { interval, turns: 60 },
    );
    expect(played.most).toBeLessThanOrEqual(4 * 2 * interval);
  });

  // Before, a lane in which no user ever spoke held every one of them back.
  it('is bounded where a branch without a user is told the same every turn', async () => {
    const lane = branch('sub');
    const played = await play(
      (plain) =>
        plain.turn(ROOT, async (turn) => {
          await turn.append({ role: 'system', lane, content: 'You look things up.' });
          await turn.append({ role: 'assistant', lane, content: plain.text() });
        }),
      { interval, turns: 60, readers: [ROOT, lane] },
    );
    expect(played.most).toBeLessThanOrEqual(4 * interval);
  });

  it('is bounded in tokens where turns are tiny', async () => {
    const played = await play(
      async (plain) => {
        const turn = await plain.session.begin();
        await turn.append({ role: 'user', content: 'ok' });
        await turn.end();
        await plain.session.idle();
      },
      { interval, turns: 200, minimumTokens: 300 },
    );
    expect(played.tokens).toBeLessThanOrEqual(300);
    expect(played.calls).toBeLessThanOrEqual(5);
  });

  it('is bounded where most turns fail, are cancelled, or die with their process (124)', async () => {
    for (const end of ['failed', 'cancelled', null] as const) {
      const played = await play(
        async (plain, number) => {
          const turn = await plain.session.begin({ lane: number % 2 === 0 ? ROOT : branch('side') });
          await turn.append({ role: 'user', content: plain.text() });
          if (number % 5 === 0) {
            plain.now += 601_000;
            await turn.end();
          } else if (end !== null) await turn.end(end);
          await plain.session.idle();
        },
        { interval, turns: 60 },
      );
      expect(played.most).toBeLessThanOrEqual(10 + 2 * interval);
    }
  });

  it('is bounded beside a turn that never ends', async () => {
    const played = await play(
      async (plain, number) => {
        if (number === 1) {
          const turn = await plain.session.begin();
          await turn.append({ role: 'user', content: plain.text() });
        }
        await plain.turn();
      },
      { interval, turns: 40 },
    );
    expect(played.most).toBeLessThanOrEqual(1 + 2 * (interval - 1));
  });

  it('is bounded where every second call of the summarizer fails, at two calls a window (F28)', async () => {
    const played = await play(
      async (plain, number) => {
        if (number === 1) {
          const { summarizer } = plain;
          const { behaviour } = summarizer;
          summarizer.behaviour = (request, call, written) => {
            if (summarizer.requests.length % 2 === 1) throw new Error('429');
            return behaviour(request, call, written);
          };
        }
        await plain.turn();
      },
      { interval, turns: 60 },
    );
    expect(played.most).toBeLessThanOrEqual(2 * 2 * interval);
    expect(played.calls).toBeLessThanOrEqual(2 * Math.ceil(60 / interval));
  });

  it('costs a summarizer that never works ever fewer calls (57, 61, 62, F28)', async () => {
    const played = await play(
      async (plain) => {
        plain.summarizer.behaviour = () => {
          throw new Error('429');
        };
        await plain.turn();
      },
      { interval, turns: 130 },
    );
    // 1, 2, 4 … 64 turns apart.
    expect(played.calls).toBeLessThanOrEqual(9);
    expect(played.calls).toBeGreaterThanOrEqual(7);
    expect(played.most).toBe(260);
  });
});

describe('with roll-up, what one branch among many sees', () => {
  const maxLive = 4;
  const minimumTokens = 300;
  const branches = Array.from({ length: 8 }, (_, at) => branch(`b${at}`));
  const laneOf = (turn: number): Lane => branches[turn % branches.length] ?? ROOT;

  // Root views cut its lane into pieces that never make a window of `interval` turns: they stayed raw for ever.
  it('is bounded where every turn is another branch’s', async () => {
    for (const turns of [160, 320]) {
      const played = await play((plain, number) => plain.turn(laneOf(number)), {
        interval: 5,
        turns,
        readers: branches,
        minimumTokens,
        maxLive,
      });
      // Less than a window in each of the root views, and its own two of the ten turns that make another.
      expect(played.tokens).toBeLessThanOrEqual(maxLive * minimumTokens + 2 * 2 * 68);
      expect(played.summaries).toBeLessThanOrEqual(maxLive);
      // Windows of the root and of eight lanes, and their merges: by far fewer than turns.
      expect(played.calls).toBeLessThanOrEqual(0.6 * turns);
    }
  });

  // The root lane's records inside root views are gone for the root, and were merged by nobody for those who see them.
  it('is bounded where every turn is the root’s and asks a branch', async () => {
    const played = await play(
      (plain, number) =>
        plain.turn(ROOT, async (turn) => {
          await turn.append({ role: 'assistant', lane: laneOf(number), content: plain.text(80) });
        }),
      { interval: 5, turns: 160, readers: [ROOT, ...branches], minimumTokens, maxLive },
    );
    // Of its own lane and of the root's.
    expect(played.summaries).toBeLessThanOrEqual(2 * maxLive);
  });
});
