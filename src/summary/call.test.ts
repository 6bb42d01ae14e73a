import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InvalidSummaryError } from '../event/errors.ts';
import { type CallOptions, callSummarizer } from './call.ts';
import { failureReason } from './failure-reason.ts';
import { requestOf } from './source.fixture.ts';
import type { Summarizer, SummarizerCall, SummaryRequest } from './summarizer.ts';

const REQUEST = requestOf([]);

function summarizer(summarize: (request: SummaryRequest, call: SummarizerCall) => unknown): Summarizer {
  return { name: 'test', format: 'prose', summarize: summarize as Summarizer['summarize'] };
}

/** A timer that rings when it is told to. */
function manualTimer() {
  let ring = (): void => undefined;
  const stopped = vi.fn<() => void>();
  const milliseconds: number[] = [];
  const setTimer: NonNullable<CallOptions['setTimer']> = (callback, after) => {
    ring = callback;
    milliseconds.push(after);
    return stopped;
  };
  return { setTimer, stopped, milliseconds, ring: () => ring() };
}

function bounded(more: Partial<CallOptions> = {}): CallOptions {
  return { deadlineMilliseconds: 60_000, setTimer: manualTimer().setTimer, ...more };
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('callSummarizer', () => {
  it('gives what the summarizer gives, untouched, and stops the timer', async () => {
    const timer = manualTimer();
    const result = { kind: 'summary', content: 'x' };
    const outcome = await callSummarizer(
      summarizer(() => Promise.resolve(result)),
      REQUEST,
      bounded({ setTimer: timer.setTimer }),
    );
    expect(outcome).toEqual({ result });
    expect(timer.milliseconds).toEqual([60_000]);
    expect(timer.stopped).toHaveBeenCalled();
  });

  it('hands over the request and a signal, and is called as a method', async () => {
    const seen: unknown[] = [];
    const own: Summarizer = {
      ...summarizer(never),
      summarize(this: unknown, request, call) {
        seen.push(this, request, call.signal.aborted, Object.isFrozen(call));
        return Promise.reject(new Error('x'));
      },
    };
    await callSummarizer(own, REQUEST, bounded());
    expect(seen).toEqual([own, REQUEST, false, true]);
  });

  // Fails when the call is awaited without a timer beside it.
  it('ends at the deadline when the summarizer never settles, and aborts it', async () => {
    const timer = manualTimer();
    let signal: AbortSignal | undefined;
    const pending = callSummarizer(
      summarizer((_, call) => {
        signal = call.signal;
        return never();
      }),
      REQUEST,
      bounded({ setTimer: timer.setTimer }),
    );
    expect(signal?.aborted).toBe(false);
    timer.ring();
    expect(await pending).toMatchObject({ failure: 'timed_out', cause: { name: 'TimeoutError' } });
    expect(signal?.aborted).toBe(true);
  });

  // Fails when what the summarizer makes of the abort is waited for: a time-out is then a failure or a late success.
  it.each(['timed_out', 'aborted'] as const)(
    'is %s though the summarizer answers the abort with an error or a result',
    async (failure) => {
      for (const answer of [
        () => Promise.reject(new DOMException('aborted', 'AbortError')),
        () => Promise.resolve('late'),
      ]) {
        const timer = manualTimer();
        const controller = new AbortController();
        const pending = callSummarizer(
          summarizer(
            (_, { signal }) =>
              new Promise((resolve, reject) => {
                signal.addEventListener('abort', () => {
                  answer().then(resolve, reject);
                });
              }),
          ),
          REQUEST,
          bounded({ setTimer: timer.setTimer, signal: controller.signal }),
        );
        if (failure === 'timed_out') timer.ring();
        else controller.abort(new Error('stop'));
        expect(await pending).toMatchObject({ failure });
        expect(timer.stopped).toHaveBeenCalled();
      }
    },
  );

  it('is aborted when the compaction is, before the call and during it', async () => {
    const controller = new AbortController();
    const summarize = vi.fn<() => Promise<never>>(never);
    const during = callSummarizer(summarizer(summarize), REQUEST, bounded({ signal: controller.signal }));
    controller.abort('cancelled');
    expect(await during).toEqual({ failure: 'aborted', cause: 'cancelled' });
    expect(
      await callSummarizer(summarizer(summarize), REQUEST, bounded({ signal: controller.signal })),
    ).toEqual({
      failure: 'aborted',
      cause: 'cancelled',
    });
    expect(summarize).toHaveBeenCalledTimes(1);
  });

  it('leaves nothing behind on the signal of the compaction', async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const add = vi.spyOn(controller.signal, 'addEventListener');
    await callSummarizer(
      summarizer(() => Promise.resolve(1)),
      REQUEST,
      bounded({ signal: controller.signal }),
    );
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(
      add.mock.calls.map(([, listener]) => listener),
    );
  });

  const error = new Error('boom');
  const text: unknown = 'text';
  const fail = (): never => {
    throw error;
  };
  it.each<readonly [string, () => unknown, unknown]>([
    [
      'throws at once',
      () => {
        throw error;
      },
      error,
    ],
    ['rejects', () => Promise.reject(error), error],
    // oxlint-disable-next-line typescript/only-throw-error -- what a summarizer throws need not be an error
    [
      'throws a text',
      () => {
        throw text;
      },
      'text',
    ],
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- nor what it rejects with
    ['rejects with nothing', () => Promise.reject(undefined), undefined],
    ['has no function', undefined as never, expect.any(TypeError)],
    ['returns a thenable that throws', () => new Proxy({}, { get: () => fail }), error],
    ['returns a thenable that cannot be read', () => new Proxy({}, { get: fail }), error],
  ])('is a failure when the summarizer %s', async (_name, summarize, cause) => {
    expect(await callSummarizer(summarizer(summarize), REQUEST, bounded())).toEqual({
      failure: 'threw',
      cause,
    });
  });

  it.each([undefined, null, 'text', { kind: 'summary' }, []])(
    'gives %o when it is returned without a promise',
    async (result) => {
      expect(
        await callSummarizer(
          summarizer(() => result),
          REQUEST,
          bounded(),
        ),
      ).toEqual({ result });
    },
  );

  it('takes what a failure cost from its error', async () => {
    const costly = Object.assign(new Error('boom'), {
      usage: { inputTokens: 12, outputTokens: Number.NaN, other: 1 },
    });
    expect(
      await callSummarizer(
        summarizer(() => Promise.reject(costly)),
        REQUEST,
        bounded(),
      ),
    ).toEqual({
      failure: 'threw',
      cause: costly,
      usage: { inputTokens: 12 },
    });
    for (const usage of ['x', { inputTokens: -1 }, null]) {
      const outcome = await callSummarizer(
        summarizer(() => Promise.reject(Object.assign(new Error('boom'), { usage }))),
        REQUEST,
        bounded(),
      );
      expect(outcome).not.toHaveProperty('usage');
    }
    const unreadable = Object.defineProperty(new Error('boom'), 'usage', {
      get: () => {
        throw error;
      },
    });
    expect(
      await callSummarizer(
        summarizer(() => Promise.reject(unreadable)),
        REQUEST,
        bounded(),
      ),
    ).toEqual({ failure: 'threw', cause: unreadable });
  });

  it('waits with the process when no timer is given', async () => {
    const outcome = await callSummarizer(summarizer(never), REQUEST, { deadlineMilliseconds: 1 });
    expect(outcome).toMatchObject({ failure: 'timed_out' });
    const timer = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timer.mockRestore());
    await callSummarizer(
      summarizer(async () => 'soon'),
      REQUEST,
      { deadlineMilliseconds: Number.MAX_SAFE_INTEGER },
    );
    // More than that the platform takes for one.
    expect(timer).toHaveBeenCalledWith(expect.any(Function), 2 ** 31 - 1);
  });
});

describe('failureReason', () => {
  it("says what a provider answered, or the code of an error of ours, and never an error's words", () => {
    expect(failureReason(Object.assign(new Error('secret'), { statusCode: 429 }))).toBe('http_429');
    expect(failureReason({ lastError: { statusCode: 503 } })).toBe('http_503');
    expect(failureReason(new Error('a', { cause: new Error('b', { cause: { statusCode: 401 } }) }))).toBe(
      'http_401',
    );
    expect(failureReason(new InvalidSummaryError('finish'))).toBe('invalid_summary');
    for (const other of [
      new Error('secret'),
      'secret',
      null,
      { statusCode: 'secret' },
      { statusCode: 1e9 },
    ]) {
      expect(failureReason(other)).toBe('threw');
    }
    const circle: { cause?: unknown } = {};
    circle.cause = circle;
    expect(failureReason(circle)).toBe('threw');
    expect(
      failureReason(
        Object.defineProperty({}, 'statusCode', {
          get: () => {
            throw new Error('secret');
          },
        }),
      ),
    ).toBe('threw');
  });
});
