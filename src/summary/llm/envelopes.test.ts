import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requestIdentity } from '../contract/request-fingerprint.ts';
import { summaryDocument } from '../grammar/table.fixture.ts';
import { fourths, requestOf, shownEvent, text } from '../source.fixture.ts';
import { summarizeWindow } from '../summarize-window.ts';
import type { PreviousSummary, SummaryRequest } from '../summarizer.ts';
import { llmSummarizer } from './llm-summarizer.ts';
import {
  completion,
  cutStream,
  hang,
  json,
  modelServer,
  type Received,
  type Respond,
  streamed,
} from './loopback.fixture.ts';
import type { LlmSummarizerOptions } from './options.ts';
import { SUMMARY_INSTRUCTIONS, WIRE_INSTRUCTIONS } from './summary-prompt.ts';

const XML = summaryDocument({ goal: 'ship' });
const BAD = `Here it is: ${XML}`;

const compatible = (baseURL: string): LanguageModel =>
  createOpenAICompatible({ name: 'local', baseURL, apiKey: 'k', includeUsage: true })('llama');

const EVENTS = [
  shownEvent(2, [text('Rename a.ts.')]),
  shownEvent(3, [{ type: 'toolCall', id: 'c1', name: 'move_file', input: { json: { from: 'a.ts' } } }], {
    role: 'assistant',
    author: 'coder',
    unanswered: ['c1'],
  }),
];
const REVISION = 9_007_199_254_740_993n;

/** Whose request a summarizer of the wire is asked. */
const IDENTITY = requestIdentity(
  llmSummarizer({ model: compatible('http://127.0.0.1:1/v1'), envelope: 'wire' }),
  {
    basis: { revision: REVISION, throughEventId: 'event-3' },
    maxSummaryTokens: 400,
    counter: fourths,
  },
);

/** Runs one summary over a server through the whole path: call, gate and cost. */
async function run(
  responds: readonly Respond[],
  options: Partial<LlmSummarizerOptions> = {},
  request: Partial<SummaryRequest> = {},
  make: (url: string) => LanguageModel = compatible,
) {
  const { url, received } = await modelServer(...responds);
  const model = make(url);
  const summarizer = llmSummarizer({ model, maxRetries: 0, nonce: () => 'feedfacecafe', ...options });
  const asked = { ...requestOf(EVENTS, { maxSummaryTokens: 400, identity: IDENTITY }), ...request };
  const fate = await summarizeWindow(summarizer, asked, {
    counter: fourths,
    exchangeOf: (seq) => seq,
    deadlineMilliseconds: 60_000,
  });
  return { fate, received };
}

/** The message before it. */
function systemOf(received: Received | undefined): unknown {
  const [system] = (received?.body['messages'] ?? []) as readonly unknown[];
  return system;
}

/** The texts of the one user message of a request. */
function textsOf(received: Received | undefined): readonly string[] {
  const messages = (received?.body['messages'] ?? []) as readonly {
    readonly content: string | readonly { readonly text: string }[];
  }[];
  const content = messages.at(-1)?.content ?? '';
  return typeof content === 'string' ? [content] : content.map((part) => part.text);
}

/** What a model of the wire answers; `more` says what it gets wrong. */
function answer(more: { readonly [field: string]: unknown } = {}, revision: bigint = REVISION): string {
  const { basis, model, requestFingerprint } = IDENTITY;
  const fields = {
    version: 1,
    basis: { revision: 0, through_event_id: basis.throughEventId },
    model,
    request_fingerprint: requestFingerprint,
    summary: XML,
    ...more,
  };
  return JSON.stringify(fields).replace('"revision":0', () => `"revision":${revision}`);
}

const says = (content: string): Respond => json(completion({ content }));
const USED = { inputTokens: 100, outputTokens: 20 };
const TWICE = { inputTokens: 200, outputTokens: 40 };

describe('without an envelope', () => {
  // Fails when the blank lines that models put around an answer cost a second one.
  it('takes the document, whatever blanks stand around it', async () => {
    const { fate, received } = await run([says(`\n\n  ${XML}\n`)]);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, calls: 1 });
    expect(received).toHaveLength(1);
    expect(systemOf(received[0])).toEqual({
      role: 'system',
      content: SUMMARY_INSTRUCTIONS,
    });
  });
});

describe('with the envelope of the wire', () => {
  const wire = { envelope: 'wire' } as const;

  it('sends one message of JSON, and takes the summary out of the answer', async () => {
    const { fate, received } = await run([says(answer())], wire);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, usage: USED, estimated: false });
    expect(systemOf(received[0])).toEqual({
      role: 'system',
      content: WIRE_INSTRUCTIONS,
    });
    expect(Object.keys(received[0]?.body ?? {}).sort()).toEqual(['messages', 'model']);
    const [request = '', ...more] = textsOf(received[0]);
    expect(more).toEqual([]);
    expect(request).toContain(`{"version":1,"basis":{"revision":${REVISION},"through_event_id":"event-3"},`);
    expect(JSON.parse(request)).toMatchObject({
      model: { provider: 'local.chat', model: 'llama' },
      request_fingerprint: IDENTITY.requestFingerprint,
      transcript: [
        { role: 'user', seq: 2, parts: [{ part: 'text', text: 'Rename a.ts.' }] },
        { role: 'assistant', seq: 3, author: 'coder', unanswered: ['c1'] },
      ],
      max_summary_tokens: 400,
    });
  });

  it.each([
    ['the document alone', XML, 'wire'],
    ['a code fence', `\`\`\`json\n${answer()}\n\`\`\``, 'wire'],
    ['a key twice', answer().replace('"version":1', '"version":1,"version":1'), 'wire'],
    ['its neighbour’s revision', answer({}, REVISION - 1n), 'identity'],
    [
      'another fingerprint and no document',
      answer({ request_fingerprint: 'ab'.repeat(32), summary: 'x' }),
      'identity',
    ],
    ['a document that is none', answer({ summary: BAD }), 'xml_structure'],
    ['blanks around the document', answer({ summary: `${XML}\n` }), 'xml_structure'],
  ])('refuses %s', async (_name, content, reason) => {
    const { fate, received } = await run([says(content)], wire);
    expect(fate).toMatchObject({ kind: 'declined', reason: `invalid_summary:${reason}`, usage: TWICE });
    expect(received).toHaveLength(2);
  });

  it('fails without a call when nobody says whose request it is', async () => {
    const { url, received } = await modelServer(says(answer()));
    const call = { signal: new AbortController().signal };
    const asked = llmSummarizer({ model: compatible(url), ...wire }).summarize(requestOf(EVENTS), call);
    await expect(asked).rejects.toThrow(
      expect.objectContaining({ code: 'compaction_input', field: 'basis' }),
    );
    expect(received).toHaveLength(0);
  });

  // Fails when prose over the byte limit is cut, dropped or refused.
  it('leaves out tool results that do not fit, and splits what still does not', async () => {
    const output = (seq: number) =>
      shownEvent(
        seq,
        [
          {
            type: 'toolResult',
            id: 'c',
            name: 'look',
            isError: false,
            output: { parts: [text('z'.repeat(40_000))] },
          },
        ],
        { role: 'tool' },
      );
    const caps = { toolOutput: false } as const;
    const fitted = await run(
      [says(answer())],
      { ...wire, caps, maxInputBytes: 2 ** 16 },
      { events: [output(1), output(2)] },
    );
    expect(fitted.fate).toMatchObject({ kind: 'summary', calls: 1 });
    const [request = ''] = textsOf(fitted.received[0]);
    expect(request).toContain('[output left out to fit:');
    expect(request).toContain('z'.repeat(40_000));

    const prose = [1, 2, 3].map((seq) => shownEvent(seq, [text(`${seq}`.repeat(40_000))]));
    const split = await run([says(answer())], { ...wire, maxInputBytes: 2 ** 16 }, { events: prose });
    expect(split.fate).toMatchObject({ kind: 'summary', text: XML });
    const sent = split.received.flatMap((each) => textsOf(each)).join('');
    for (const seq of ['1', '2', '3']) {
      const pieces = [...sent.matchAll(new RegExp(`${seq}{100,}`, 'gu'))].map(([piece]) => piece.length);
      expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(40_000);
    }
    for (const each of split.received)
      expect(Buffer.byteLength(textsOf(each)[0] ?? '')).toBeLessThanOrEqual(2 ** 16);
  });
});

/** What the wire shows of a request's transcript. */
function transcriptOf(received: Received | undefined): readonly unknown[] {
  return (JSON.parse(textsOf(received)[0] ?? '') as { readonly transcript: readonly unknown[] }).transcript;
}

describe('summaries to be merged, and no event', () => {
  const previous: readonly PreviousSummary[] = [
    { firstSeq: 1, lastSeq: 40, text: summaryDocument({ goal: 'ship it' }) },
    {
      firstSeq: 20,
      lastSeq: 77,
      text: summaryDocument({ goal: 'ship <b>' }),
      literals: [{ text: '/srv/a.ts', from: 'user' }],
    },
  ];
  const merge = { previous, events: [] };

  it('are lines with what they cover, in order and whole', async () => {
    const { fate, received } = await run([says(XML)], {}, merge);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, calls: 1 });
    const lines = (textsOf(received[0])[0] ?? '').split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { previousSummary: true, firstSeq: 1, lastSeq: 40, text: previous[0]?.text },
      {
        previousSummary: true,
        firstSeq: 20,
        lastSeq: 77,
        text: expect.stringMatching(/ship <b>.*- \/srv\/a\.ts/su) as string,
      },
    ]);
  });

  it('are messages of the wire, whose answer says whose it is', async () => {
    const { fate, received } = await run([says(BAD), says(answer())], { envelope: 'wire' }, merge);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, calls: 1, usage: TWICE });
    for (const each of received)
      expect(transcriptOf(each)).toEqual([
        {
          role: 'user',
          previous_summary: true,
          seq: 1,
          last_seq: 40,
          parts: [{ part: 'text', text: previous[0]?.text }],
        },
        expect.objectContaining({ previous_summary: true, seq: 20, last_seq: 77 }),
      ]);
  });

  // Fails when summaries are cut to fit, as tool output is (known fault 24).
  it.each(['none', 'wire'] as const)(
    'are split over calls where one does not take them (%s)',
    async (envelope) => {
      const many = Array.from({ length: 6 }, (_, at) => ({
        firstSeq: at + 1,
        lastSeq: at + 1,
        text: `${at} ${String(at).repeat(3_000)} end of ${at}`,
      }));
      const { fate, received } = await run(
        [says(envelope === 'wire' ? answer() : XML)],
        { envelope, maxTranscriptCodePoints: 4_000 },
        { previous: many, events: [] },
      );
      expect(fate).toMatchObject({ kind: 'summary', text: XML });
      const sent = received.map((each) => textsOf(each)[0] ?? '').join('\n');
      for (const { text: whole } of many) expect(sent).toContain(whole);
      expect(received.length).toBeGreaterThan(1);
    },
  );
});

describe('values an earlier answer lost', () => {
  const lost = { mustKeep: ['/srv/a.ts', 'never "now"', '<b>'] };

  it('are named in a line of the transcript, or in a message of the wire, and asked for in constant words', async () => {
    const fenced = await run([says(XML)], {}, lost);
    const [question = '', ...more] = textsOf(fenced.received[0]);
    expect(more).toEqual([]);
    expect(question).toContain(`{"mustKeep":${JSON.stringify(lost.mustKeep)}}`);
    expect(question).toContain('Your last answer lost the values in the line with "mustKeep"');

    // Fails when the wire drops them: the second call would be the first again, for as much.
    const wire = await run([says(BAD), says(answer())], { envelope: 'wire' }, lost);
    for (const each of wire.received) {
      expect(transcriptOf(each).at(-1)).toEqual({
        role: 'user',
        must_keep: true,
        parts: lost.mustKeep.map((value) => ({ part: 'text', text: value })),
      });
      const [request = '', note = ''] = textsOf(each);
      expect(request).not.toMatch(/[<>]/);
      expect(note).toMatch(/^Your last answer lost the values in .*"must_keep"/);
      expect(note).not.toContain('srv');
    }
    expect(textsOf(wire.received[0])).toHaveLength(2);
    expect(textsOf(wire.received[1])).toHaveLength(3);
  });
});

describe('an answer the gate would refuse', () => {
  // Fails when the second answer's tokens are charged with the first one's: 250 and 250 against 400.
  it('is asked for once more with the reason and nothing else, and counts as one call that cost both', async () => {
    const reply = (content: string): Respond =>
      json(completion({ content }, 'stop', { completion_tokens: 250 }));
    const { fate, received } = await run([reply(BAD), reply(XML)]);
    expect(fate).toMatchObject({
      kind: 'summary',
      text: XML,
      calls: 1,
      usage: { inputTokens: 200, outputTokens: 500 },
      estimated: false,
    });
    const [first, second] = received.map(textsOf);
    expect(second?.slice(0, -1)).toEqual(first);
    expect(second?.at(-1)).toMatch(
      /^An answer to this was refused: xml_structure \([a-z ,:]+\)\. Write it anew/u,
    );
    expect(second?.join('')).not.toContain('Here it is');
    // Providers keep what begins alike: the instructions and the transcript are the same bytes.
    expect(received[1]?.body['messages']).toMatchObject([
      { role: 'system', content: SUMMARY_INSTRUCTIONS },
      {},
    ]);
  });

  it.each([
    ['', 'output_shape'],
    ['x', 'xml_structure'],
    ['<a/>', 'xml_root'],
    [XML.replace('ship', () => 'a & b'), 'xml_syntax'],
    [XML.replace('ship', () => ' '), 'xml_content'],
  ])('never a second time: %s', async (content, reason) => {
    const { fate, received } = await run([says(content)]);
    expect(fate).toMatchObject({
      kind: 'declined',
      reason: `invalid_summary:${reason}`,
      calls: 1,
      usage: TWICE,
    });
    expect(received).toHaveLength(2);
    expect(textsOf(received[1]).at(-1)).toContain(`refused: ${reason} (`);
  });

  it('is declined for what the second answer was refused for', async () => {
    const { fate } = await run([says('x'), says(XML.replace('ship', () => ''))]);
    expect(fate).toMatchObject({ kind: 'declined', reason: 'invalid_summary:xml_content' });
  });

  it.each(['length', 'content_filter'])('is not asked for again when it ended by %s', async (finish) => {
    const { fate, received } = await run([json(completion({ content: 'x' }, finish))]);
    expect(fate).toMatchObject({ kind: 'refused', reason: 'finish', usage: USED });
    expect(received).toHaveLength(1);
  });

  // Fails when the cost of the first answer is lost with the second call.
  it('costs what it cost although the second call fails', async () => {
    const { fate } = await run([says('x'), json({ error: { message: 'no', type: 'x' } }, 503)]);
    expect(fate).toMatchObject({
      kind: 'failed',
      failure: 'threw',
      reason: 'http_503',
      calls: 1,
      usage: USED,
    });
  });

  it('counts usage that was reported for one of the two only', async () => {
    const { fate } = await run([json(completion({ content: 'x' }, 'stop', null)), says(XML)]);
    expect(fate).toMatchObject({ kind: 'summary', usage: USED, estimated: false });
    const other = await run([says('x'), json(completion({ content: XML }, 'stop', null))]);
    expect(other.fate).toMatchObject({
      kind: 'summary',
      usage: { inputTokens: 100, outputTokens: 20 + fourths.count(XML) },
      estimated: true,
    });
  });
});

describe('a streamed reply', () => {
  const stream = { stream: true } as const;
  const pieces = [XML.slice(0, 9), XML.slice(9, 60), XML.slice(60)];

  // Fails when a fragment is taken for the whole.
  it('is used once it is whole, reasoning ignored', async () => {
    const { fate, received } = await run([streamed(pieces, 'stop', ['hm', 'hm '.repeat(20)])], stream);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, usage: { inputTokens: 100, outputTokens: 20 } });
    expect(fate.usage?.reasoningTokens).toBeGreaterThan(0);
    expect(received[0]?.body['stream']).toBe(true);
  });

  it.each(['length', 'content_filter', 'tired'])('is refused when it ends by %s', async (finish) => {
    const { fate } = await run([streamed(pieces, finish)], stream);
    expect(fate).toMatchObject({ kind: 'refused', reason: 'finish' });
  });

  it('is no summary when it is cut off, and nothing is printed', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
    onTestFinished(() => printed.mockRestore());
    for (const cut of [
      cutStream(pieces.slice(0, 2)),
      streamed(pieces.slice(0, 2), null),
      streamed([], null),
    ]) {
      const { fate } = await run([cut], stream);
      expect(fate.kind).not.toBe('summary');
    }
    const { fate } = await run([json({ error: { message: 'no', type: 'x' } }, 429)], stream);
    expect(fate).toMatchObject({ kind: 'failed', reason: 'http_429' });
    expect(printed).not.toHaveBeenCalled();
  });

  it('is asked for once more like any other', async () => {
    const { fate } = await run([streamed(['x']), streamed(pieces)], stream);
    expect(fate).toMatchObject({ kind: 'summary', text: XML, usage: TWICE });
  });

  it('is hung up on when it is aborted', async () => {
    let hungUp = (): void => undefined;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    const controller = new AbortController();
    const { url } = await modelServer((response, request) => {
      hang(hungUp)(response, request);
      controller.abort();
    });
    const summarizer = llmSummarizer({ model: compatible(url), maxRetries: 0, ...stream });
    const asked = summarizer.summarize(requestOf(EVENTS), { signal: controller.signal });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await closed;
  });
});
