import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { InvocationId } from '../src/event/ids.ts';
import type { Part } from '../src/event/part.ts';
import { extractiveSummarizer } from '../src/summary/extractive/extractive-summarizer.ts';
import type { SourceEvent } from '../src/summary/summarizer.ts';
import { countParts } from '../src/tokens/count-parts.ts';
import { estimatingCounter } from '../src/tokens/estimating-counter.ts';
import { type Benchmark, milliseconds, row } from './harness.ts';
import { seeded, type TextKind, textOf } from './texts.ts';

const KINDS: readonly TextKind[] = ['code', 'log', 'toolJson', 'code'];

/** The summarizer without a model, over a large window. */
export const summarizing: Benchmark = {
  name: 'extractive',
  async run({ short }) {
    const events = windowOf(short ? 30_000 : 138_000);
    const tokens = events.reduce((sum, { parts }) => sum + countParts(parts, estimatingCounter), 0);
    const summarizer = extractiveSummarizer({ counter: estimatingCounter });
    const call = { signal: new AbortController().signal };
    const request = { previous: [], context: [], events, maxSummaryTokens: 1_000 };
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const times = await milliseconds(() => summarizer.summarize(request, call), { samples: short ? 3 : 11 });
    delay.disable();
    const name = `window of ${Math.round(tokens / 1_000)}k tokens`;
    return [
      row(name, 'ms', times),
      row(`${name}, event loop delay p99.9`, 'ms', [delay.percentile(99.9) / 1e6], { bound: { atMost: 50 } }),
    ];
  },
};

function windowOf(tokens: number): readonly SourceEvent[] {
  const random = seeded(5);
  const events: SourceEvent[] = [];
  const size = { tokens: 0 };
  const say = (role: SourceEvent['role'], parts: readonly Part[]): void => {
    const invocation = `turn-${Math.floor(events.length / 10)}` as InvocationId;
    events.push({ seq: events.length + 1, invocation, role, author: role, parts, unanswered: [] });
    size.tokens += countParts(parts, estimatingCounter);
  };
  while (size.tokens < tokens) {
    say('user', [{ type: 'text', text: textOf('prose', 200, random) }]);
    for (const kind of KINDS) {
      const id = `call-${events.length}`;
      const command = `grep -rn ${textOf('log', 10, random).slice(-12).trim()} src`;
      say('assistant', [{ type: 'toolCall', id, name: 'Bash', input: { json: { command } } }]);
      const text = textOf(kind, 200 + random() ** 3 * 8_000, random);
      const output = { parts: [{ type: 'text', text }] } as const;
      say('tool', [{ type: 'toolResult', id, name: 'Bash', isError: false, output }]);
    }
    say('assistant', [{ type: 'text', text: textOf('prose', 600, random) }]);
  }
  return events;
}
