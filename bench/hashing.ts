import { canonicalJson } from '../src/event/canonical-json.ts';
import { sha256 } from '../src/event/hash-event.ts';
import type { JsonObject } from '../src/event/json.ts';
import { type Benchmark, megabytesPerSecond, milliseconds, row } from './harness.ts';
import { seeded, textOf } from './texts.ts';

/** Canonical JSON and SHA-256 over events as they are stored. */
export const hashing: Benchmark = {
  name: 'hashing',
  async run({ short }) {
    const samples = short ? 31 : 101;
    const random = seeded(3);
    const events: readonly JsonObject[] = Array.from({ length: 200 }, (_, at) => ({
      id: `event-${at}`,
      author: 'assistant',
      role: 'assistant',
      lane: { branch: '', isolation: '' },
      content: [
        { type: 'text', text: textOf('prose', 500, random) },
        {
          type: 'toolCall',
          id: `call-${at}`,
          name: 'search',
          input: { json: { query: 'timeout', page: at } },
        },
        {
          type: 'toolResult',
          id: `call-${at}`,
          name: 'search',
          output: { json: textOf('toolJson', 500, random) },
        },
      ],
    }));
    const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
    const all = (each: (event: JsonObject) => unknown): Promise<readonly number[]> =>
      milliseconds(
        () => {
          for (const event of events) each(event);
        },
        { samples },
      );

    const plain = row(
      'peer: JSON.stringify alone',
      'MB/s',
      megabytesPerSecond(bytes, await all((event) => JSON.stringify(event))),
    );
    const canonical = megabytesPerSecond(bytes, await all((event) => canonicalJson(event)));
    const hashed = megabytesPerSecond(bytes, await all((event) => sha256(canonicalJson(event))));
    return [
      row('canonical JSON', 'MB/s', canonical, { against: plain }),
      row('canonical JSON and SHA-256', 'MB/s', hashed, { against: plain }),
      plain,
    ];
  },
};
