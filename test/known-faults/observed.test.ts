// OBS and CONFIG: what happened can be known, and what cannot work does not start.
import { describe, expect, it } from 'vitest';
import type { PalimpsestOptions } from '../../src/engine/palimpsest.ts';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import { ConfigError } from '../../src/event/errors.ts';
import { Plain, ROOT } from '../world/plain-session.ts';
import { committed } from './reading.ts';

describe('what happened can be known', () => {
  // Brought back by failures that reach a log line only.
  it('rows 101, F41: a failure after the answer is an outcome, and stays in the ledger', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    plain.summarizer.behaviour = () => {
      throw new Error('no model');
    };
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: plain.text() });
    await expect(turn.end()).resolves.toMatchObject({ state: 'ended' });
    const [outcome] = await plain.session.idle();
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'threw' });
    // Told once; the ledger has it for good.
    expect(await plain.session.idle()).toEqual([]);
    expect(await plain.session.attempts()).toMatchObject([
      { state: 'failed', reason: 'threw', trigger: 'sliding_window' },
    ]);
  });

  // Brought back by saying success when the model answered instead of when it was stored.
  it('rows 119, trap 17: an outcome and its attempt say the same, and only a stored record is named', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 3; turn += 1) await plain.turn();
    plain.summarizer.whileThinking = async () => {
      plain.summarizer.whileThinking = async () => undefined;
      await plain.session.pin(1);
    };
    const heard: string[] = [];
    const outcomes = await plain.session.compact({
      keep: { events: 1 },
      onOutcome: ({ kind }) => heard.push(kind),
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['discarded', 'committed']);
    expect(heard).toEqual(['discarded', 'committed']);
    const ledger = await plain.session.attempts();
    expect(ledger.map(({ state, record }) => [state, record])).toEqual([
      ['discarded', undefined],
      ['committed', committed(outcomes)[0]?.id],
    ]);
    expect(ledger[0]?.reason).toBe('revision');
  });

  // Brought back by post-turn work that a caller who stops listening takes down with it.
  it('rows 2, trap 5: a turn that ends is compacted, whether anybody waits or not', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    const turn = await plain.session.begin();
    await turn.append({ role: 'user', content: plain.text() });
    void turn.end();
    await plain.palimpsest.close();
    expect(plain.summarizer.requests).toHaveLength(1);
  });

  // Brought back by compacting what nobody answered.
  it('rows 6, 124: a turn that failed or was cancelled starts nothing, and keeps what it said', async () => {
    for (const state of ['failed', 'cancelled'] as const) {
      const plain = new Plain({ sliding: { interval: 1 } });
      const turn = await plain.session.begin();
      await turn.append({ role: 'user', content: plain.text() });
      await turn.end(state);
      expect(await plain.session.idle()).toEqual([]);
      expect(plain.summarizer.requests).toEqual([]);
      // The next turn that ends takes it along.
      await plain.turn();
      expect(plain.summarizer.requests.map(({ request }) => request.events.map(({ seq }) => seq))).toEqual([
        [1],
        [2, 3],
      ]);
    }
  });

  // Brought back by one summary that is longer than what it stands for, unnoticed.
  it('row F38: the sum of what a prompt shows is told, and a summary only ever makes it less', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    let before = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      const open = await plain.session.begin();
      await open.append(
        { role: 'user', content: plain.text() },
        { role: 'assistant', content: plain.text() },
      );
      before = (await plain.session.prompt()).accounting.promptTokens;
      await open.end();
      await plain.session.idle();
      expect((await plain.session.prompt()).accounting.promptTokens).toBeLessThan(before);
    }
  });
});

describe('a configuration that cannot work', () => {
  const good = (): PalimpsestOptions => {
    const plain = new Plain();
    return { store: plain.store, summarizer: plain.summarizer };
  };
  const bad: readonly (readonly [row: string, field: string, change: object])[] = [
    ['126', 'summarizer', { summarizer: {} }],
    ['34, trap 4', 'sliding.interval', { sliding: { interval: 0 } }],
    ['trap 4', 'sliding.interval', { sliding: { interval: Number.NaN } }],
    ['trap 4', 'sliding.interval', { sliding: { interval: Number.POSITIVE_INFINITY } }],
    ['trap 4', 'sliding.interval', { sliding: { interval: 1.5 } }],
    ['34', 'sliding.interval', { sliding: {} }],
    ['trap 4', 'sliding.overlap', { sliding: { interval: 1, overlap: -1 } }],
    ['8, trap 4', 'keep', { keep: { events: 0, tokens: 0 } }],
    ['trap 4', 'keep.events', { keep: { events: -1 } }],
    ['trap 4', 'minimumTokens', { minimumTokens: 0 }],
    ['trap 4', 'maxSummaryTokens', { maxSummaryTokens: Number.NaN }],
    ['102', 'deadlineMilliseconds', { deadlineMilliseconds: 0 }],
  ];

  // Brought back by a default where something wrong was said.
  it.each(bad)('rows %s: %s is refused at the start, by name', (_row, field, change) => {
    const make = (): Palimpsest => new Palimpsest({ ...good(), ...change });
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(new RegExp(`^${field.replace('.', '\\.')} `, 'u'));
  });

  // Brought back by compacting by default.
  it('rows 94, 33: without a strategy nothing compacts but who asks for it', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 30; turn += 1) await plain.turn(ROOT);
    expect(plain.summarizer.requests).toEqual([]);
    expect(committed(await plain.session.compact())).toHaveLength(1);
  });

  // Brought back by a tail of zero, of all, or of more than there is.
  it('trap 4: a kept tail of all there is, or more, keeps all; the newest exchange always stays', async () => {
    for (const [events, left] of [
      [100, 6],
      [6, 6],
      [5, 5],
      [1, 1],
    ] as const) {
      const plain = new Plain();
      for (let turn = 0; turn < 3; turn += 1) await plain.turn();
      await plain.session.compact({ keep: { events } });
      expect((await plain.raw()).events).toBe(left);
    }
    const plain = new Plain();
    await plain.turn();
    await plain.session.compact({ keep: { tokens: 1 } });
    expect((await plain.raw()).events).toBe(1);
  });
});
