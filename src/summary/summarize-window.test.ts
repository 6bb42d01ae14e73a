import { describe, expect, it, vi } from 'vitest';
import { CommitConflict, InvalidSummaryError } from '../event/errors.ts';
import type { Seq } from '../event/ids.ts';
import { codePoints } from './code-points.ts';
import { deepFreeze, fourths, reachable, requestOf, shownEvent, text } from './source.fixture.ts';
import { type SummarizeWindowOptions, summarizeWindow } from './summarize-window.ts';
import type { PreviousSummary, Summarizer, SummarizerCall, SummaryRequest } from './summarizer.ts';
import { renderTranscript } from './transcript.ts';

type Answer = (request: SummaryRequest, call: SummarizerCall, calls: readonly SummaryRequest[]) => unknown;

/** A summarizer that keeps what it was asked. */
function scripted(
  answer: Answer,
  maxTranscriptCodePoints?: number,
): Summarizer & { readonly asked: SummaryRequest[] } {
  const asked: SummaryRequest[] = [];
  return {
    name: 'scripted',
    format: 'prose',
    asked,
    ...(maxTranscriptCodePoints === undefined ? {} : { maxTranscriptCodePoints }),
    summarize: async (request, call) => {
      asked.push(request);
      return answer(request, call, asked) as never;
    },
  };
}

/** Says which seqs it stands for: its own events', and those its previous summaries name. */
const faithful: Answer = ({ previous, events }) => ({
  kind: 'summary',
  content: [...previous.map((one) => one.text), ...events.map(({ seq }) => `#${seq}`)].join(' '),
  usage: { inputTokens: 100, outputTokens: 10 },
});

function options(more: Partial<SummarizeWindowOptions> = {}): SummarizeWindowOptions {
  return {
    counter: fourths,
    exchangeOf: (seq: Seq) => seq,
    deadlineMilliseconds: 1_000,
    setTimer: () => () => undefined,
    ...more,
  };
}

function long(count: number, size = 1_000) {
  return Array.from({ length: count }, (_, index) => shownEvent(index + 1, [text('x'.repeat(size))]));
}

describe('summarizeWindow', () => {
  it('makes one call of what fits, as it was asked', async () => {
    const summarizer = scripted(faithful);
    const request = requestOf(long(3), {
      context: long(1),
      previous: [{ firstSeq: 1, lastSeq: 2, text: 'before' }],
    });
    const beforeCall = vi.fn<() => void>();
    expect(await summarizeWindow(summarizer, request, options({ beforeCall }))).toEqual({
      kind: 'summary',
      text: 'before #1 #2 #3',
      calls: 1,
      usage: { inputTokens: 100, outputTokens: 10 },
      estimated: false,
      spend: { inputTokens: 100, outputTokens: 10, calls: 1 },
    });
    expect(summarizer.asked).toEqual([request]);
    expect(beforeCall).toHaveBeenCalledTimes(1);
  });

  // Fails when a window over the limit is cut, refused, or handed over whole.
  it('summarizes the parts of what does not fit, then their summaries, and covers all of it', async () => {
    const summarizer = scripted(faithful, 4_000);
    const beforeCall = vi.fn<() => void>();
    const fate = await summarizeWindow(summarizer, requestOf(long(7, 1_300)), options({ beforeCall }));
    expect(fate).toMatchObject({ kind: 'summary', text: '#1 #2 #3 #4 #5 #6 #7', calls: 5 });
    expect(fate.usage).toEqual({ inputTokens: 500, outputTokens: 50 });
    expect(beforeCall).toHaveBeenCalledTimes(5);
    expect(summarizer.asked.map(({ events }) => events.map(({ seq }) => seq))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7],
      [],
    ]);
    expect(summarizer.asked.at(-1)).toEqual(
      requestOf([], {
        previous: [
          { firstSeq: 1, lastSeq: 2, text: '#1 #2' },
          { firstSeq: 3, lastSeq: 4, text: '#3 #4' },
          { firstSeq: 5, lastSeq: 6, text: '#5 #6' },
          { firstSeq: 7, lastSeq: 7, text: '#7' },
        ],
      }),
    );
  });

  it('merges level by level when the summaries of the parts do not fit one call either', async () => {
    const padded: Answer = (request, call, calls) => {
      const { content } = faithful(request, call, calls) as { content: string };
      const kept = content.replaceAll(/ *~+/gu, '');
      return { kind: 'summary', content: `${kept} ${'~'.repeat(900)}` };
    };
    const summarizer = scripted(padded, 4_000);
    const fate = await summarizeWindow(summarizer, requestOf(long(24)), options());
    expect(fate).toMatchObject({ kind: 'summary', estimated: true, spend: undefined });
    const merges = summarizer.asked.filter(({ events }) => events.length === 0);
    expect(merges.length).toBeGreaterThan(2);
    expect(fate.calls).toBe(summarizer.asked.length);
    for (let seq = 1; seq <= 24; seq += 1)
      expect(fate.kind === 'summary' ? fate.text : '').toMatch(new RegExp(`#${seq}\\b`, 'u'));
    for (const asked of summarizer.asked) {
      expect(codePoints(renderTranscript(asked, { nonce: 'n'.repeat(64) }))).toBeLessThanOrEqual(4_000);
    }
    // Every summary made is read by exactly one later call, but for the last.
    const read = summarizer.asked.flatMap(({ previous }) =>
      previous.map(({ firstSeq, lastSeq }) => `${firstSeq}-${lastSeq}`),
    );
    expect(new Set(read).size).toBe(read.length);
  });

  it('takes a window of one event larger than any call', async () => {
    const summarizer = scripted(
      ({ previous, events }) => ({
        kind: 'summary',
        content: `${events.length + previous.length}`,
      }),
      1,
    );
    const fate = await summarizeWindow(
      summarizer,
      requestOf([shownEvent(5, [text('y'.repeat(40_000))])]),
      options(),
    );
    expect(fate.kind).toBe('summary');
    const pieces = summarizer.asked.flatMap(({ events }) => events);
    expect(pieces.map(({ piece }) => piece?.index)).toEqual(pieces.map((_, index) => index + 1));
    expect(
      pieces.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))).join(''),
    ).toBe('y'.repeat(40_000));
  });

  const answers: readonly (readonly [string, unknown, object])[] = [
    [
      'declines',
      { kind: 'declined', reason: 'too_long', usage: { inputTokens: 5 } },
      { kind: 'declined', reason: 'too_long' },
    ],
    [
      'says nothing',
      { kind: 'summary', content: ' ', usage: { inputTokens: 5 } },
      { kind: 'refused', reason: 'output_shape' },
    ],
    [
      'is cut',
      { kind: 'summary', content: 'x', finish: 'length', usage: { inputTokens: 5 } },
      { kind: 'refused', reason: 'finish' },
    ],
  ];
  // Fails when only the last answer is judged: an empty or cut part then leaves its events described by nothing.
  it.each(answers)(
    'fails whole when a part %s, whatever the others say, and counts what it cost',
    async (_name, bad, expected) => {
      for (const badCall of [1, 2, 3]) {
        const summarizer = scripted(
          (request, call, calls) => (calls.length === badCall ? bad : faithful(request, call, calls)),
          4_000,
        );
        const fate = await summarizeWindow(summarizer, requestOf(long(4)), options());
        expect(fate).toMatchObject({ ...expected, calls: badCall });
        expect(fate.usage?.inputTokens).toBe(100 * (badCall - 1) + 5);
      }
    },
  );

  it('fails whole when a call does, and keeps its cause and cost', async () => {
    const error = Object.assign(new Error('quota'), { statusCode: 429, usage: { inputTokens: 3 } });
    const summarizer = scripted(
      (request, call, calls) => (calls.length === 2 ? Promise.reject(error) : faithful(request, call, calls)),
      4_000,
    );
    expect(await summarizeWindow(summarizer, requestOf(long(4)), options())).toEqual({
      kind: 'failed',
      failure: 'threw',
      reason: 'http_429',
      cause: error,
      calls: 2,
      usage: { inputTokens: 103, outputTokens: 10 },
      estimated: false,
      spend: { inputTokens: 103, outputTokens: 10, calls: 2 },
    });
  });

  it('is refused when the summarizer itself says its answer is invalid', async () => {
    const cause = new InvalidSummaryError('output_shape', { usage: { outputTokens: 7 } });
    const fate = await summarizeWindow(
      scripted(() => Promise.reject(cause)),
      requestOf(long(1)),
      options(),
    );
    expect(fate).toMatchObject({
      kind: 'refused',
      reason: 'output_shape',
      cause,
      usage: { outputTokens: 7 },
    });
  });

  it('ends between calls when the lease is lost or the compaction cancelled', async () => {
    const conflict = new CommitConflict('lease', 'lane');
    let renewals = 0;
    const beforeCall = async (): Promise<void> => {
      renewals += 1;
      if (renewals === 2) throw conflict;
    };
    const summarizer = scripted(faithful, 4_000);
    expect(await summarizeWindow(summarizer, requestOf(long(4)), options({ beforeCall }))).toMatchObject({
      kind: 'failed',
      failure: 'interrupted',
      reason: 'commit_conflict',
      cause: conflict,
      calls: 1,
      usage: { inputTokens: 100 },
    });
    const controller = new AbortController();
    const aborting = scripted((request, call, calls) => {
      controller.abort();
      return faithful(request, call, calls);
    }, 4_000);
    const fate = await summarizeWindow(aborting, requestOf(long(4)), options({ signal: controller.signal }));
    expect(fate).toMatchObject({ kind: 'failed', failure: 'aborted', reason: 'aborted' });
    expect(aborting.asked).toHaveLength(1);
  });

  it('reports the deadline', async () => {
    const summarizer = scripted(() => new Promise(() => undefined));
    const fate = await summarizeWindow(
      summarizer,
      requestOf(long(1)),
      options({
        setTimer: (ring) => {
          queueMicrotask(ring);
          return () => undefined;
        },
      }),
    );
    expect(fate).toMatchObject({ kind: 'failed', failure: 'timed_out', reason: 'timed_out', calls: 1 });
  });

  // Fails when merging goes on while it makes no progress: it then never ends.
  it.each([1_700, 4_000, 200_000])(
    'ends, refused as not smaller, when summaries of %d code points never fit a call',
    async (size) => {
      const content = 'z'.repeat(size);
      const summarizer = scripted(() => ({ kind: 'summary', content, usage: { outputTokens: 1 } }), 4_000);
      const fate = await summarizeWindow(summarizer, requestOf(long(9)), options());
      expect(fate).toMatchObject({ kind: 'refused', reason: 'not_smaller' });
      expect(fate.calls).toBeLessThan(30);
    },
  );

  it('asks for shorter summaries when no two of them fit a call, and gets there', async () => {
    const obedient: Answer = ({ maxSummaryTokens }) => ({
      kind: 'summary',
      content: 'z'.repeat(maxSummaryTokens * 8),
      usage: { outputTokens: maxSummaryTokens },
    });
    const summarizer = scripted(obedient, 4_000);
    expect(await summarizeWindow(summarizer, requestOf(long(9)), options())).toMatchObject({
      kind: 'summary',
    });
    expect(Math.min(...summarizer.asked.map(({ maxSummaryTokens }) => maxSummaryTokens))).toBe(125);
    expect(summarizer.asked.at(-1)?.maxSummaryTokens).toBe(1_000);
  });

  // Fails when lists are handed on that the engine holds.
  it('hands over nothing that can be written to', async () => {
    const events = [...deepFreeze(long(4))];
    const previous: PreviousSummary[] = [{ firstSeq: 1, lastSeq: 1, text: 'a' }];
    const request = { ...requestOf(events), previous };
    for (const limit of [undefined, 4_000]) {
      const summarizer = scripted(faithful, limit);
      await summarizeWindow(summarizer, request, options());
      for (const asked of summarizer.asked) {
        for (const object of reachable(asked)) expect(Object.isFrozen(object)).toBe(true);
      }
    }
    expect(Object.isFrozen(events) || Object.isFrozen(previous) || Object.isFrozen(previous[0])).toBe(false);
  });

  // Fails when what a summarizer finds too long is refused, dropped, or asked for again as it was.
  it('splits what a summarizer finds too long, though it says no bound, and covers all of it', async () => {
    const fits = (request: SummaryRequest): boolean =>
      codePoints(renderTranscript(request, { nonce: '0'.repeat(64) })) <= 9_000;
    const summarizer = scripted((request, call, calls) =>
      fits(request) ? faithful(request, call, calls) : { kind: 'declined', reason: 'too_long' },
    );
    const fate = await summarizeWindow(summarizer, requestOf(long(20, 1_300)), options());
    expect(fate).toMatchObject({
      kind: 'summary',
      text: Array.from({ length: 20 }, (_, index) => `#${index + 1}`).join(' '),
    });
    const covered = summarizer.asked.filter(fits).flatMap(({ events }) => events.map(({ seq }) => seq));
    expect(covered).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(fate.calls).toBe(summarizer.asked.length);
  });

  it('gives up on what no call takes, soon', async () => {
    const summarizer = scripted(() => ({ kind: 'declined', reason: 'too_long', usage: { inputTokens: 1 } }));
    const fate = await summarizeWindow(summarizer, requestOf(long(500, 1_300)), options());
    expect(fate).toMatchObject({ kind: 'declined', reason: 'too_long' });
    expect(fate.calls).toBeLessThan(12);
    expect(fate.usage).toEqual({ inputTokens: fate.calls });
  });

  it('tells every call whose request it is', async () => {
    const summarizer = scripted(faithful, 4_000);
    const identity = {
      basis: { revision: 1, throughEventId: 'e' },
      model: { provider: 'p', model: 'm' },
      requestFingerprint: 'ab'.repeat(32),
    };
    await summarizeWindow(summarizer, requestOf(long(7, 1_300), { identity }), options());
    expect(summarizer.asked.map((request) => request.identity)).toEqual(
      Array.from({ length: 5 }, () => identity),
    );
  });
});
