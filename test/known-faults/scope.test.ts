// SCOPE and ORDER: what is said where, and what stands before what.
import { describe, expect, it } from 'vitest';
import { checkGemini, toAnthropic, toGemini } from '../../src/prompt/index.ts';
import { branch, isolated, Plain, ROOT } from '../world/plain-session.ts';
import { answers, calls, shown } from './reading.ts';

describe('scopes never mix', () => {
  // Brought back by reading visibility off the branch alone.
  it('row 37: an isolated task and its parent see nothing of each other, summarized or not', async () => {
    const plain = new Plain({ sliding: { interval: 1, overlap: 2 } });
    const task = isolated('task');
    for (let number = 0; number < 3; number += 1) {
      await plain.turn(ROOT, async (turn) => {
        await turn.append(calls(`d${number}`));
        await turn.append({ role: 'user', lane: task, content: `secret${number} ${plain.text()}` });
        await turn.append({ role: 'assistant', lane: task, content: plain.text() });
        await turn.append(answers(`d${number}`, `told${number} ${plain.text()}`));
      });
    }
    const turn = await plain.session.begin();
    await turn.append(
      { role: 'user', content: 'told raw' },
      { role: 'user', lane: task, content: 'secret raw' },
    );
    const parent = JSON.stringify(await plain.session.prompt());
    const child = JSON.stringify(await plain.session.prompt({ reader: { agent: '', lane: task } }));
    const given = plain.summarizer.requests.map(({ request }) =>
      JSON.stringify([request.events, request.context]),
    );
    expect(parent).toContain('told raw');
    expect(parent).not.toContain('secret');
    expect(child).toContain('secret raw');
    expect(child).not.toContain('told');
    expect(given.some((text) => text.includes('secret') && text.includes('told'))).toBe(false);
    expect((await plain.session.records()).map(({ record }) => record.lane.isolation)).toContain('task');
  });

  // Brought back by one list of covered events for all readers.
  it('row 81: what a sub-agent compacts, its parent still has', async () => {
    const plain = new Plain();
    const sub = branch('sub');
    for (let number = 0; number < 3; number += 1) {
      await plain.turn();
      await plain.turn(sub);
    }
    const before = (await plain.session.prompt()).accounting;
    await plain.session.compact({
      reader: { agent: 'sub', lane: branch('sub.deeper') },
      keep: { events: 1 },
    });
    const after = (await plain.session.prompt()).accounting;
    expect(after.total).toEqual(before.total);
    expect(after.raw.events + after.covered.events).toBe(12);
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by a root view that replaces the lanes' records instead of lying over them.
  it('rows F24, F45: a root view shrinks the root alone, and a lane goes on as if it were not there', async () => {
    const plain = new Plain({ sliding: { interval: 2 } });
    for (const name of ['a', 'b', 'c', 'd']) await plain.turn(branch(name));
    const [view] = (await plain.session.records()).map(({ record }) => record);
    expect(view?.rootView).toBe(true);
    expect(await shown(plain.session)).toBe('s 5 6 7 8');
    expect(await shown(plain.session, branch('a'))).toBe('1 2');
    await plain.session.compact({ reader: { agent: '', lane: branch('a') }, keep: { events: 1 } });
    expect(await shown(plain.session, branch('a'))).toBe('s 2');
    expect(await shown(plain.session)).toBe('s 5 6 7 8');
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by appending records to the log as events of a lane.
  it('rows F32, 121: a compaction appends no event, anywhere', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    for (let number = 0; number < 3; number += 1) await plain.turn(isolated('task'));
    const info = await plain.session.info();
    expect(info?.events).toBe(6);
    expect(info?.records).toBe(3);
    expect(info?.invocations).toBe(3);
    expect((await plain.store.page(plain.session.key, 0, 100)).map(({ event }) => event.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  // Brought back by an invocation without a name counting as the first.
  it('row F44: events outside any turn are turns of their own, covered once', async () => {
    const plain = new Plain();
    for (let number = 0; number < 6; number += 1)
      await plain.session.append([{ role: 'user', content: plain.text() }]);
    await plain.session.compact({ keep: { events: 1 }, sliding: { interval: 2 } });
    await plain.session.compact({ keep: { events: 1 }, sliding: { interval: 2 } });
    const given = plain.summarizer.requests.flatMap(({ request }) => request.events.map(({ seq }) => seq));
    expect(given).toEqual([1, 2, 3, 4]);
    expect(await shown(plain.session)).toBe('s s 5 6');
  });
});

describe('order', () => {
  // Brought back by a prompt that begins with whatever was kept.
  it('row 41: a prompt that begins with a result, or a summary and a reply, is still legal for Gemini', async () => {
    for (let keep = 1; keep <= 6; keep += 1) {
      const plain = new Plain();
      await plain.turn();
      await plain.turn(
        ROOT,
        async (turn) => void (await turn.append(calls('a'), answers('a', plain.text()))),
      );
      await plain.session.compact({ keep: { events: keep } });
      expect(checkGemini(toGemini(await plain.session.prompt()))).toEqual([]);
    }
    const orphan = new Plain();
    await orphan.session.append([answers('nobody'), { role: 'assistant', content: 'so' }]);
    expect(checkGemini(toGemini(await orphan.session.prompt()))).toEqual([]);
  });

  // Brought back by one message a summary: two in a row are refused, or merged by the provider in its own way.
  it('row F13: adjacent summaries are one message, one block a record, and older bytes stay', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const blocks = async (): Promise<readonly unknown[]> => {
      const { messages } = toAnthropic(await plain.session.prompt());
      expect(messages.map(({ role }) => role)).toEqual(['user']);
      const [message] = messages;
      return Array.isArray(message?.content) ? message.content : [];
    };
    await plain.turn();
    await plain.turn();
    const two = await blocks();
    expect(two).toHaveLength(2);
    await plain.turn();
    expect((await blocks()).slice(0, 2)).toEqual(two);
  });

  // Brought back by ids or order taken from the clock.
  it('trap 3: a clock that stands still or goes back orders nothing and doubles no id', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    for (const step of [0, -60_000, 0, -1, 5]) {
      plain.now += step;
      await plain.turn();
    }
    const rows = await plain.store.page(plain.session.key, 0, 100);
    expect(rows.map(({ event }) => event.seq)).toEqual(rows.map((_, index) => index + 1));
    expect(new Set(rows.map(({ event }) => event.id)).size).toBe(rows.length);
    expect(await plain.session.records()).toHaveLength(5);
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by showing a pinned event after a summary that ends later as if it were news.
  it('DESIGN 8: an event older than the end of a summary before it says so', async () => {
    const plain = new Plain({ sliding: { interval: 2 } });
    await plain.turn();
    await plain.turn();
    await plain.session.pin(3);
    const entries = (await plain.session.prompt()).entries.map((entry) =>
      entry.kind === 'event' ? [entry.event.seq, entry.older] : entry.kind,
    );
    expect(entries).toEqual(['summary', [3, true]]);
  });
});
