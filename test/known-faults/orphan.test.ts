// ORPHAN: a call without its result, a result without its call, an ask without its answer.
import { describe, expect, it } from 'vitest';
import { checkAnthropic, checkOpenAIChat, toAnthropic, toOpenAIChat } from '../../src/prompt/index.ts';
import { branch, Plain, ROOT } from '../world/plain-session.ts';
import { answers, calls, committed, shown, spanned } from './reading.ts';

/** What Anthropic and OpenAI would refuse of a session's next request. */
async function illegal(plain: Plain): Promise<readonly string[]> {
  const prompt = await plain.session.prompt();
  return [...checkAnthropic(toAnthropic(prompt)), ...checkOpenAIChat(toOpenAIChat(prompt).messages)];
}

describe('nothing is parted from what it belongs to', () => {
  // Brought back by cutting a kept tail between events instead of between exchanges.
  it('rows 49, 84: wherever the tail begins, a call and its results are on one side', async () => {
    for (let keep = 1; keep <= 9; keep += 1) {
      const plain = new Plain();
      await plain.turn();
      await plain.turn(ROOT, async (turn) => {
        await turn.append(calls('a', 'b', 'c'));
        await turn.append(answers('c', plain.text()), answers('a', plain.text()), answers('b', plain.text()));
      });
      await plain.session.compact({ keep: { events: keep } });
      const seqs = (await shown(plain.session)).split(' ');
      expect([4, 5, 6, 7].filter((seq) => seqs.includes(String(seq))).length % 4).toBe(0);
      expect(await illegal(plain)).toEqual([]);
    }
  });

  // Brought back by forgetting that an ask about a call keeps the call from being dead.
  it('rows 26, 89, F15: a call that waits for a person is not covered, and its answer finds it', async () => {
    for (const kind of ['confirmation', 'authorization'] as const) {
      const plain = new Plain({ sliding: { interval: 1 } });
      await plain.turn(ROOT, async (turn) => {
        await turn.append({ ...calls('pay'), asks: [{ kind, id: 'ask', call: 'pay' }] });
      });
      await plain.turn();
      const waiting = (await plain.session.prompt()).entries.find(
        (entry) => entry.kind === 'event' && entry.event.seq === 2,
      );
      expect(waiting).toMatchObject({ state: 'raw', open: ['pay'] });
      await plain.turn(ROOT, async (turn) => {
        await turn.append({ role: 'user', content: 'yes, do', answers: ['ask'] }, answers('pay'));
      });
      expect((await plain.session.explain(2)).exchange.members).toEqual([2, 7, 8]);
      expect((await plain.session.explain(2)).exchange.standing).toBe('closed');
      expect(await illegal(plain)).toEqual([]);
    }
  });

  // Brought back by the same: what is covered once it is parked would be told as never to be answered.
  it('rows 26, 89: a call that waits for a person, covered at last, is not called dead', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn(ROOT, async (turn) => {
      await turn.append({ ...calls('pay'), asks: [{ kind: 'confirmation', id: 'ask', call: 'pay' }] });
    });
    for (let later = 0; later < 9; later += 1) await plain.turn();
    const told = plain.summarizer.requests.flatMap(({ request }) => request.events);
    expect(told.find(({ seq }) => seq === 2)?.unanswered).toEqual([]);
  });

  // Brought back by taking an interim result for the only one: the final one would then stand alone.
  it('rows 27, F30: the final result of a long call, after its call was covered, brings the call back', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn(ROOT, async (turn) => {
      await turn.append({ ...calls('build', 'sibling'), longRunning: ['build'] });
      await turn.append(answers('build', 'started'), answers('sibling', 'sibling result'));
    });
    expect(await shown(plain.session)).toBe('s');
    const turn = await plain.session.begin();
    await turn.append(answers('build', plain.text(200)));
    // The call, its siblings with their results, and the final one, where that stands.
    expect(await shown(plain.session)).toBe('s 2 3 4 6');
    expect(await illegal(plain)).toEqual([]);
    const { entries, accounting } = await plain.session.prompt();
    expect(entries.flatMap((entry) => (entry.kind === 'event' ? [entry.state] : []))).toEqual([
      'recovered',
      'recovered',
      'recovered',
      'raw',
    ]);
    expect(accounting.recovered.events).toBe(3);
    await turn.end();
    await plain.session.idle();
    // The second record covers the final result alone; its summarizer read the rest.
    const [, second] = (await plain.session.records()).map(({ record }) => record);
    expect(spanned(second)).toBe('6-6');
    expect(second?.context).toEqual([{ first: 2, last: 4 }]);
    expect(await shown(plain.session)).toBe('s s');
  });

  // Brought back by one unanswered call ending what can be covered.
  it('rows 28, 109: a call nobody answered keeps nothing but itself, and that not for ever', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn(ROOT, async (turn) => void (await turn.append(calls('lost'))));
    expect(await shown(plain.session)).toBe('s');
    expect(plain.summarizer.requests[0]?.request.events.map(({ unanswered }) => unanswered)).toEqual([
      [],
      ['lost'],
      [],
    ]);
    await plain.turn(ROOT, async (turn) => {
      await turn.append({ ...calls('slow', 'quick'), longRunning: ['slow'] }, answers('quick'));
    });
    expect(await shown(plain.session)).toBe('s s 5 6');
    for (let turn = 0; turn < 8; turn += 1) await plain.turn();
    // Parked: covered, and named for whom the answer may still reach.
    expect((await shown(plain.session)).split(' ').filter((entry) => entry !== 's')).toEqual(['p']);
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by cutting at where an earlier compaction ended.
  it('row 52: compacting again never leaves a result whose call went', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 6; turn += 1) {
      await plain.turn(ROOT, async (open) => {
        await open.append(calls(`c${turn}`), answers(`c${turn}`, plain.text()));
      });
      await plain.session.compact({ keep: { events: 1 + turn } });
      expect(await illegal(plain)).toEqual([]);
      expect((await plain.session.verify()).problems).toEqual([]);
    }
  });

  // Brought back by matching results to calls by id alone.
  it("trap 6: one id in every turn, results out of order, doubled, missing, in the call's own event", async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    for (let number = 0; number < 3; number += 1) {
      await plain.turn(ROOT, async (turn) => {
        await turn.append(calls('call_1', 'call_2'));
        await turn.append(answers('call_2'), answers('call_1'), answers('call_1', 'again'));
        await turn.append({
          role: 'assistant',
          content: [
            { type: 'toolCall', id: 'call_1', name: 'server', input: { json: null } },
            { type: 'toolResult', id: 'call_1', output: { json: 'served' } },
          ],
        });
        await turn.append({
          role: 'assistant',
          content: [{ type: 'toolCall', name: 'nameless', input: { json: 1 } }],
        });
        await turn.append({
          role: 'tool',
          content: [{ type: 'toolResult', name: 'nameless', output: { json: 2 } }],
        });
      });
      const of = number * 9;
      const exchanges = await Promise.all(
        [2, 6, 7].map(async (seq) =>
          (await plain.session.explain(of + seq)).exchange.members.map((member) => member - of),
        ),
      );
      expect(exchanges).toEqual([[2, 3, 4, 5], [6], [7, 8]]);
    }
    expect(await shown(plain.session)).toBe('s s s');
    // Two lanes at once, each with a call of that id: each result finds its own.
    const turn = await plain.session.begin();
    const [left, right] = [branch('left'), branch('right')];
    await turn.append({ ...calls('call_1'), lane: left }, { ...calls('call_1'), lane: right });
    await turn.append({ ...answers('call_1'), lane: left }, { ...answers('call_1'), lane: right });
    const members = await Promise.all(
      [28, 29].map(async (seq) => (await plain.session.explain(seq)).exchange.members),
    );
    expect(members).toEqual([
      [28, 30],
      [29, 31],
    ]);
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by covering an exchange as one event at a time.
  it('row 87: a window of one exchange only is covered whole or not at all', async () => {
    const plain = new Plain();
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: plain.text() });
    for (let step = 0; step < 5; step += 1)
      await turn.append({ role: 'assistant', reply: 'one', content: plain.text() });
    await turn.end();
    const outcomes = await plain.session.compact({ keep: { events: 2 } });
    expect(committed(outcomes).map(spanned)).toEqual(['1-1']);
    expect(await shown(plain.session)).toBe('s 2 3 4 5 6');
  });
});
