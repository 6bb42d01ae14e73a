// LOOP: the same window again and again, or none ever.
import { describe, expect, it } from 'vitest';
import type { CompactionOutcome } from '../../src/engine/outcome.ts';
import type { EventDraft } from '../../src/event/event.ts';
import type { RecordId } from '../../src/event/ids.ts';
import { branch, Plain, ROOT } from '../world/plain-session.ts';
import { calls, committed, shown } from './reading.ts';

describe('no window comes again for nothing', () => {
  // Brought back by planning a window across branches and then cutting it at the first event of another.
  it('rows 13, F23: a turn over two branches is covered lane by lane, once', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn(ROOT, async (turn) => {
      for (let step = 0; step < 5; step += 1)
        for (const name of ['left', 'right'])
          await turn.append({ role: 'assistant', lane: branch(name), content: plain.text() });
    });
    expect(plain.summarizer.requests.map(({ request }) => request.events.length)).toEqual([2, 5, 5]);
    await plain.session.compact({ keep: { events: 1 } });
    expect(plain.summarizer.requests).toHaveLength(3);
  });

  // Brought back by counting an invocation as new while anything of it is uncovered.
  it('rows 57, F21: what is held back is not counted as something to cover', async () => {
    const plain = new Plain({ sliding: { interval: 2 } });
    await plain.turn(ROOT, async (turn) => {
      await turn.append({ ...calls('a'), asks: [{ kind: 'confirmation', id: 'ask', call: 'a' }] });
    });
    await plain.turn();
    for (let idle = 0; idle < 5; idle += 1) {
      const empty = await plain.session.begin();
      await empty.end();
      await plain.session.idle();
    }
    expect(plain.summarizer.requests).toHaveLength(1);
    expect(await shown(plain.session)).toBe('s 2');
  });

  // Brought back by retrying at once, or by forgetting failures when the process starts anew.
  it('rows 57, 61, 62, F28: failures space themselves out: after 1, 2, 4 and 8 turns', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    plain.summarizer.behaviour = () => {
      throw new Error('down');
    };
    const asked: number[] = [];
    for (let turn = 1; turn <= 20; turn += 1) {
      const before = plain.summarizer.requests.length;
      await plain.turn();
      if (plain.summarizer.requests.length > before) asked.push(turn);
    }
    expect(asked).toEqual([1, 2, 4, 8, 16]);
    // And never with more than one window's worth: what failed is what is tried again.
    expect(plain.summarizer.requests.map(({ request }) => request.events.length)).toEqual([2, 2, 2, 2, 2]);
  });

  // Brought back by refusing a summary no smaller than its source without taking more next time.
  it('rows 63, F38: a window refused as no smaller comes again with twice as many turns', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    plain.summarizer.behaviour = ({ events }) => ({
      kind: 'summary',
      content: events.length < 8 ? JSON.stringify(events) : 'eight events',
      usage: { outputTokens: 1 },
    });
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    expect((await plain.session.attempts()).map(({ state, window }) => [state, window.invocations])).toEqual([
      ['declined', 1],
      ['declined', 2],
      ['committed', 4],
    ]);
  });

  // Brought back by compacting a session in which all that could be covered is.
  it('rows 87, 97: compacting again and again without new turns asks nobody and nests nothing', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    const outcomes = [];
    for (let again = 0; again < 5; again += 1)
      outcomes.push(await plain.session.compact({ keep: { events: 1 } }));
    expect(outcomes.map((run) => committed(run).length)).toEqual([1, 0, 0, 0, 0]);
    expect(outcomes.slice(1).map(([outcome]) => outcome)).toMatchObject([
      { kind: 'nothing', reason: 'nothing_new' },
      { kind: 'nothing', reason: 'nothing_new' },
      { kind: 'nothing', reason: 'nothing_new' },
      { kind: 'nothing', reason: 'nothing_new' },
    ]);
    expect(plain.summarizer.requests).toHaveLength(1);
  });

  // Brought back by one reason for everything: "nothing to do" and "blocked" are told apart.
  it('rows 28, trap 17: blocked, not enough, backing off and undone each say so', async () => {
    const waiting = { ...calls('a'), asks: [{ kind: 'confirmation', id: 'ask', call: 'a' }] } as const;
    const endOf = async (plain: Plain, draft: EventDraft): Promise<unknown> => {
      const turn = await plain.session.begin();
      await turn.append(draft);
      await turn.end();
      return (await plain.session.idle())[0];
    };
    const blocked = new Plain({ sliding: { interval: 1 } });
    expect(await endOf(blocked, waiting)).toMatchObject({ kind: 'nothing', reason: 'blocked' });
    const early = new Plain({ sliding: { interval: 2 } });
    const said = { role: 'user', content: early.text(100) } as const;
    expect(await endOf(early, said)).toMatchObject({ kind: 'nothing', reason: 'not_enough' });
    const failing = new Plain({ sliding: { interval: 1 } });
    failing.summarizer.behaviour = () => {
      throw new Error('down');
    };
    expect(await endOf(failing, said)).toMatchObject({ kind: 'failed', reason: 'threw' });
    expect(await endOf(failing, said)).toMatchObject({ kind: 'failed', reason: 'threw' });
    expect(await endOf(failing, said)).toMatchObject({ kind: 'nothing', reason: 'backing_off' });
    const undone = new Plain({ sliding: { interval: 1 } });
    const [record] = committed([(await endOf(undone, said)) as CompactionOutcome]);
    await undone.session.undo(record?.id ?? ('' as RecordId));
    expect(await endOf(undone, waiting)).toMatchObject({ kind: 'nothing', reason: 'undone' });
  });
});
