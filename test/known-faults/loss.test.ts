// LOSS: an event that is neither in the prompt nor in a summary that is.
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/event/event.ts';
import type { RecordId } from '../../src/event/ids.ts';
import { branch, Plain, ROOT } from '../world/plain-session.ts';
import { answers, calls, committed, shown, spanned } from './reading.ts';

describe('no event is lost', () => {
  // Brought back by a window that takes everything between its first and last event.
  it('row 1: an event that names no turn and sits between others is shown to the summarizer or stays', async () => {
    const plain = new Plain();
    const { session } = plain;
    const at = { invocation: 'one' };
    await session.append([{ role: 'user', content: plain.text(), ...at }]);
    await session.append([{ role: 'user', content: plain.text() }]);
    await session.append([{ role: 'assistant', content: plain.text(), ...at }]);
    await session.append([{ role: 'user', content: plain.text(), invocation: 'two' }]);
    const [record] = committed(await session.compact({ keep: { events: 1 }, sliding: { interval: 1 } }));
    const given = plain.summarizer.requests[0]?.request.events.map(({ seq }) => seq);
    expect(record?.events).toBe(given?.length);
    // Of turn `one` first; the stray event is a turn of its own, and follows.
    expect(spanned(record)).toBe('1-1 3-3');
    expect(given).toEqual([1, 3]);
    expect((await session.verify()).problems).toEqual([]);
  });

  // Brought back by treating an open exchange as the end of what can be covered (a wall).
  it('row 14: an open confirmation at the head holds back its own exchange and nothing else', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn(ROOT, async (turn) => {
      await turn.append({ ...calls('pay'), asks: [{ kind: 'confirmation', id: 'ask', call: 'pay' }] });
    });
    await plain.turn();
    expect(await shown(plain.session)).toBe('s 2 s');
    expect((await plain.session.explain(2)).rawReason).toBe('open_exchange');
  });

  // Brought back by storing whatever the summarizer's failure says.
  it('row 38: an error is no summary, and costs no history', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    plain.summarizer.behaviour = () => {
      throw new Error('429 too many requests');
    };
    await plain.turn();
    expect(await shown(plain.session)).toBe('1 2');
    expect(JSON.stringify(await plain.session.prompt())).not.toContain('429');
  });

  // Brought back by planning only where a user spoke.
  it('row 39: a window of nothing but results is summarized as what it is', async () => {
    const plain = new Plain();
    for (let result = 0; result < 4; result += 1)
      await plain.session.append([answers(`nobody${result}`, plain.text())]);
    const [record] = committed(await plain.session.compact({ keep: { events: 1 } }));
    expect(record?.summary.text).toContain('k1k k2k k3k');
    expect(spanned(record)).toBe('1-3');
  });

  // Brought back by covering by position what an earlier tail kept.
  it('row 53: what a first compaction kept is in the second summary, or kept again', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    await plain.session.compact({ keep: { events: 3 } });
    for (let turn = 0; turn < 3; turn += 1) await plain.turn();
    await plain.session.compact({ keep: { events: 3 } });
    const said = plain.summarizer.requests.flatMap(({ request }) => request.events.map(({ seq }) => seq));
    const { raw, covered } = (await plain.session.prompt()).accounting;
    expect(said.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: covered.events }, (_, index) => index + 1),
    );
    expect(raw.events + covered.events).toBe(14);
  });

  // Brought back by cutting a transcript from its old end, or by refusing it.
  it('rows 76, F20, F27: a backlog longer than one call takes is split, all of it', async () => {
    const plain = new Plain();
    Object.assign(plain.summarizer, { maxTranscriptCodePoints: 4_000 });
    for (let turn = 0; turn < 40; turn += 1) await plain.turn();
    const [record] = committed(await plain.session.compact({ keep: { events: 1 } }));
    expect(record?.events).toBe(79);
    const given = plain.summarizer.requests.flatMap(({ request }) => request.events.map(({ seq }) => seq));
    expect(new Set(given).size).toBe(79);
    expect(plain.summarizer.requests.length).toBeGreaterThan(3);
  });

  // Brought back by covering the question of a running turn with the rest.
  it('rows 8, 93, F42: the question being answered stays, in whatever lane it was asked', async () => {
    for (const lane of [ROOT, branch('sub')]) {
      const plain = new Plain();
      await plain.turn();
      const turn = await plain.session.begin({ lane });
      await turn.append({ role: 'user', content: 'what now?' });
      for (let step = 0; step < 8; step += 1)
        await turn.append(calls(`c${step}`), answers(`c${step}`, plain.text()));
      await plain.session.compact({ reader: { agent: '', lane }, keep: { events: 2 } });
      expect((await plain.session.explain(3, { reader: { agent: '', lane } })).whereabouts).toBe('raw');
      expect((await plain.session.explain(4, { reader: { agent: '', lane } })).whereabouts).toBe('covered');
    }
  });

  // Brought back by forgetting pins when records change.
  it('row 104: a pinned exchange stays through every later compaction', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn();
    await plain.session.pin(1);
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    await plain.session.compact({ keep: { events: 1 } });
    expect(await shown(plain.session)).toBe('s 1 s s s s');
    expect((await plain.session.verify()).problems).toEqual([]);
    const [first] = await plain.session.records();
    await plain.session.undo(first?.record.id ?? ('' as RecordId));
    await plain.session.compact({ keep: { events: 1 } });
    expect((await shown(plain.session)).split(' ')).toContain('1');
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by pinning only the events whose exchange gets another name.
  it('row 104: an answer that makes one of a pinned exchange and an older one pins both, whichever is older', async () => {
    for (const pinned of [2, 3]) {
      const plain = new Plain();
      const turn = await plain.session.begin();
      await turn.append({ role: 'user', content: plain.text() }, calls('a'), calls('b'));
      await plain.session.pin(pinned);
      await turn.append({
        role: 'tool',
        content: ['a', 'b'].map((id) => ({
          type: 'toolResult' as const,
          id,
          output: { json: plain.text() },
        })),
      });
      await turn.end();
      await plain.turn();
      await plain.session.compact({ keep: { events: 1 } });
      expect(await shown(plain.session)).toBe('s 2 3 4 6');
      expect((await plain.session.verify()).problems).toEqual([]);
    }
  });

  // Brought back by treating instructions like anything else that was said.
  it('row 93: instructions stay: all from before the first question, and of what is repeated the newest', async () => {
    const plain = new Plain();
    const system = (content: string): EventDraft => ({ role: 'system', content });
    await plain.session.append([system('Be kind.'), system('Be kind.'), system('Speak Latin.')]);
    await plain.turn();
    await plain.session.append([system('Be brief.'), system('Be brief.'), system('Be brief.')]);
    await plain.turn();
    await plain.session.compact({ keep: { events: 1 } });
    expect(await shown(plain.session)).toBe('1 2 3 s 8 10');
  });

  // Brought back by deciding membership by time: identical, earlier and later stamps must change nothing.
  it('rows 16, 106, 107, 112, 123, F3, F9, F35: nothing is decided by a timestamp', async () => {
    const times = ['2026-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', 'once upon a time', ''];
    for (const stamp of [(): string => times[0] ?? '', (turn: number): string => times[turn % 4] ?? '']) {
      const plain = new Plain({ sliding: { interval: 2 } });
      plain.now = 0;
      for (let number = 0; number < 6; number += 1) {
        const turn = await plain.session.begin();
        await turn.append({ role: 'user', content: plain.text(), createdAt: stamp(number) });
        await turn.append({ role: 'assistant', content: plain.text(), createdAt: stamp(number + 1) });
        await turn.end();
      }
      await plain.session.idle();
      expect((await plain.session.records()).map(({ record }) => spanned(record))).toEqual([
        '1-4',
        '5-8',
        '9-12',
      ]);
    }
  });

  // Brought back by a record without text (or with only reasoning) being allowed to hide its range.
  it('rows F8, F34: a record that says nothing cannot come about', async () => {
    const plain = new Plain();
    await plain.turn();
    plain.summarizer.behaviour = () => ({ kind: 'summary', content: '\u3000\n\u0085 ' });
    const outcomes = await plain.session.compact({ keep: { events: 1 } });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'nothing'].slice(0, outcomes.length));
    expect(await shown(plain.session)).toBe('1 2');
  });
});
