import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countParts } from '../src/tokens/count-parts.ts';
import { estimatingCounter } from '../src/tokens/estimating-counter.ts';
import { exactCounter } from '../src/tokens/exact-counter.ts';
import { type Benchmark, megabytesPerSecond, milliseconds, type Row, row } from './harness.ts';
import { seeded, type TextKind, textOf } from './texts.ts';

const KINDS: readonly TextKind[] = ['prose', 'code', 'toolJson', 'japanese', 'log'];

/** Texts that are one word to a tokenizer. */
const UNBROKEN: readonly (readonly [name: string, text: string])[] = [
  ['200,000 "a"', 'a'.repeat(200_000)],
  ['200,000 "あ"', 'あ'.repeat(200_000)],
  ['1 MB base64', base64(1_000_000)],
  ['200,000 signs', '!?'.repeat(100_000)],
];

/** Speed of counting tokens, how far the estimate is off, and how long the worst texts block. */
export const tokenCounting: Benchmark = {
  name: 'tokens',
  async run({ short }) {
    const rows: Row[] = [];
    const samples = short ? 15 : 51;
    const random = seeded(1);
    const texts = KINDS.map((kind) => textOf(kind, 40_000, random));
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const exact = await exactCounter();
    const pass = async (name: string, count: (text: string) => number, options = {}): Promise<Row> => {
      const times = await milliseconds(() => texts.reduce((sum, text) => sum + count(text), 0), { samples });
      return row(name, 'MB/s', megabytesPerSecond(bytes, times), options);
    };

    const peer = await pass('peer: gpt-tokenizer, whole texts', (text) => countTokens(text));
    const against = { against: peer };
    rows.push(
      await pass('estimate', (text) => estimatingCounter.count(text), {
        bound: { atLeast: 100 },
        ...against,
      }),
    );
    // Texts of the size of an event, which are counted whole.
    const pieces = texts.flatMap((text) => text.match(/.{1,10000}/gsu) ?? []);
    const wholeTimes = await milliseconds(() => pieces.reduce((sum, text) => sum + exact.count(text), 0), {
      samples,
    });
    rows.push(
      row('exact, texts of 10,000 characters', 'MB/s', megabytesPerSecond(bytes, wholeTimes), against),
    );
    rows.push(await pass('exact, long texts (sampled)', (text) => exact.count(text), against), peer);
    rows.push(
      await pass('an event of one text part', (text) =>
        countParts([{ type: 'text', text }], estimatingCounter),
      ),
    );

    const errors = texts.map((text) => off(estimatingCounter.count(text), text));
    rows.push(row('estimate against o200k, error', '%', errors, { note: KINDS.join(', ') }));
    const simple = texts.map((text) => off(Buffer.byteLength(text) / 4, text));
    rows.push(row('peer: bytes / 4 against o200k, error', '%', simple));

    for (const [name, text] of UNBROKEN) {
      for (const counter of [estimatingCounter, exact]) {
        const times = await milliseconds(() => counter.count(text), { samples: 5 });
        rows.push(row(`${name}, ${counter.quality}, one call`, 'ms', times, { bound: { atMost: 50 } }));
      }
    }
    const huge = textOf('log', 1_000_000, random).repeat(short ? 20 : 100);
    const times = await milliseconds(() => estimatingCounter.count(huge), { samples: 5 });
    rows.push(
      row(`${Math.round(huge.length / 1e6)} MB log, estimate, one call`, 'ms', times, {
        bound: { atMost: 50 },
      }),
    );
    return rows;
  },
};

function off(count: number, text: string): number {
  return Math.abs(count / countTokens(text) - 1) * 100;
}

function base64(characters: number): string {
  const random = seeded(2);
  return Buffer.from(Array.from({ length: characters * 0.75 }, () => random() * 256)).toString('base64');
}
