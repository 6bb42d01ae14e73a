import { describe, expect, test } from 'vitest';
import { imported, linesOf, testSession, textOfEvent } from '../import.fixture.ts';

interface LineOptions {
  readonly [field: string]: unknown;
}

function line(
  type: string,
  uuid: string,
  parentUuid: string | null,
  content: unknown,
  more: LineOptions = {},
): object {
  const { message, ...rest } = more;
  return {
    parentUuid,
    isSidechain: false,
    sessionId: 's',
    type,
    message: { role: type, content, ...(message as object | undefined) },
    uuid,
    timestamp: '2026-01-01T00:00:00.000Z',
    ...rest,
  };
}
const user = (uuid: string, parent: string | null, content: unknown, more?: LineOptions): object =>
  line('user', uuid, parent, content, more);
const agent = (uuid: string, parent: string | null, content: unknown, more?: LineOptions): object =>
  line('assistant', uuid, parent, typeof content === 'string' ? [{ type: 'text', text: content }] : content, {
    message: { id: `msg-${uuid}` },
    ...more,
  });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const result = (uuid: string, parent: string | null, id: string, more?: LineOptions): object =>
  user(uuid, parent, [{ type: 'tool_result', tool_use_id: id, content: id }], more);

/** Ids by lane, the active conversation under `''`. */
async function lanes(lines: readonly unknown[]): Promise<{ [lane: string]: string[] }> {
  const { events } = await imported(lines);
  const out: { [lane: string]: string[] } = {};
  for (const { id, lane } of events) out[lane.isolation] = [...(out[lane.isolation] ?? []), id];
  return out;
}

describe('lanes of a Claude Code log', () => {
  test('parallel calls fork the tree and abandon nothing', async () => {
    // Comes back when every line off the path from the last one is taken for abandoned.
    const all = { message: { id: 'm' } };
    expect(
      await lanes([
        user('u', null, 'go'),
        agent('a1', 'u', [call('c1')], all),
        agent('a2', 'a1', [call('c2')], all),
        { type: 'progress', uuid: 'p1', parentUuid: 'a1', data: {} },
        { type: 'progress', uuid: 'p2', parentUuid: 'p1', data: {} },
        result('r2', 'a2', 'c2'),
        agent('a3', 'a2', [call('c3')], all),
        result('r3', 'a3', 'c3'),
        result('r1', 'a1', 'c1'),
        agent('b', 'r1', 'done'),
      ]),
    ).toEqual({ '': ['u', 'a1', 'a2', 'r2', 'a3', 'r3', 'r1', 'b'] });
  });

  test('an edited prompt abandons what followed the one it replaces, from there on', async () => {
    expect(
      await lanes([
        user('u1', null, 'one'),
        agent('a1', 'u1', 'first'),
        user('u2', 'a1', 'two'),
        agent('a2', 'u2', [call('c')]),
        result('r2', 'a2', 'c'),
        user('u3', 'a1', 'two, better'),
        agent('a3', 'u3', 'second'),
      ]),
    ).toEqual({ '': ['u1', 'a1', 'u3', 'a3'], 'fork:u2': ['u2', 'a2', 'r2'] });
  });

  test('a branch that left an abandoned branch is a lane of its own', async () => {
    expect(
      await lanes([
        user('u1', null, 'one'),
        user('x1', 'u1', 'first try'),
        agent('x2', 'x1', 'reply'),
        user('y1', 'x2', 'second try'),
        user('y2', 'x2', 'third try'),
        user('z', 'u1', 'fourth try'),
      ]),
    ).toEqual({ '': ['u1', 'z'], 'fork:x1': ['x1', 'x2', 'y2'], 'fork:y1': ['y1'] });
  });

  test('a second reply to the same prompt abandons the first, with what was attached to it', async () => {
    expect(
      await lanes([
        user('u', null, 'go'),
        { type: 'attachment', uuid: 't', parentUuid: 'u', attachment: { type: 'file', content: 'x' } },
        agent('a', 't', [call('c')]),
        result('r', 'a', 'c'),
        agent('b', 'u', 'again'),
      ]),
    ).toEqual({ '': ['u', 'b'], 'fork:t': ['t', 'a', 'r'] });
  });

  test('two branches that leave at a line which is no event are told apart', async () => {
    // Comes back when such a line is left without a place.
    expect(
      await lanes([
        user('u', null, 'go'),
        { type: 'progress', uuid: 'p', parentUuid: 'u', data: {} },
        user('x', 'p', 'first try'),
        user('y', 'p', 'second try'),
        user('z', 'u', 'third try'),
      ]),
    ).toEqual({ '': ['u', 'z'], 'fork:x': ['x'], 'fork:y': ['y'] });
  });

  test('context that leads nowhere stays', async () => {
    expect(
      await lanes([
        user('u', null, 'go'),
        user('m', 'u', 'a caveat', { isMeta: true }),
        agent('a', 'u', 'done'),
      ]),
    ).toEqual({ '': ['u', 'm', 'a'] });
  });

  test('going back to before the first prompt abandons the first beginning, in a log that chains its prompts', async () => {
    expect(
      await lanes([
        user('u1', null, 'one'),
        agent('a1', 'u1', 'reply'),
        user('v1', null, 'one, better'),
        agent('b1', 'v1', 'reply'),
        user('v2', 'b1', 'two'),
      ]),
    ).toEqual({ '': ['v1', 'b1', 'v2'], 'fork:u1': ['u1', 'a1'] });
  });

  test('prompts without parents are no branches in a log that chains none', async () => {
    // Comes back when every parentless prompt is taken for a new beginning: all but the last turn would be hidden.
    expect(
      await lanes([
        user('u1', null, 'one'),
        agent('a1', 'u1', 'reply'),
        user('u2', null, 'two'),
        agent('a2', 'u2', 'reply'),
      ]),
    ).toEqual({ '': ['u1', 'a1', 'u2', 'a2'] });
  });

  test.each([
    [
      'a parent that is not in the log',
      [user('u', 'gone', 'one'), agent('a', 'lost', 'reply'), user('v', 'a', 'two')],
    ],
    ['a cycle', [user('u', 'v', 'one'), agent('a', 'u', 'reply'), user('v', 'a', 'two')]],
    [
      'a line that is its own parent',
      [user('u', 'u', 'one'), agent('a', 'a', 'reply'), user('v', 'v', 'two')],
    ],
  ])('%s hides nothing', async (_name, lines) => {
    expect(await lanes(lines)).toEqual({ '': ['u', 'a', 'v'] });
  });
});

describe('sidechains', () => {
  const side = { isSidechain: true };

  test('each is a lane, by agent where the log names one, else by its beginning', async () => {
    expect(
      await lanes([
        user('u', null, 'go'),
        agent('a', 'u', [call('t1')]),
        user('s1', null, 'do this', side),
        user('s2', null, 'do that', { ...side, agentId: 'helper' }),
        agent('s3', 's1', 'this', side),
        agent('s4', 's2', 'that', { ...side, agentId: 'helper' }),
        agent('s5', 'gone', 'what?', side),
        result('r', 'a', 't1'),
      ]),
    ).toEqual({
      '': ['u', 'a', 'r'],
      'sidechain:s1': ['s1', 's3'],
      'sidechain:helper': ['s2', 's4'],
      'sidechain:s5': ['s5'],
    });
  });

  test('in a log of sidechain lines only, they are the conversation', async () => {
    expect(await lanes([user('s1', null, 'do this', side), agent('s2', 's1', 'done', side)])).toEqual({
      '': ['s1', 's2'],
    });
  });
});

describe('compactions', () => {
  const before = [user('u1', null, 'one'), agent('a1', 'u1', 'reply')];
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'b',
    parentUuid: null,
    sessionId: 's',
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto', preTokens: 170_251 },
  };
  const summary = user('s', 'b', 'This session is being continued …', {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
  });

  test.each([
    ['names its past', { logicalParentUuid: 'a1' }],
    ['names a past that is not in the log', { logicalParentUuid: 'gone' }],
    ['names none', {}],
  ])('what came before a boundary that %s is kept, in the same lane', async (_name, link) => {
    // Comes back when only parents are walked.
    const after = agent('a2', 's', 'on we go');
    expect(await lanes([...before, { ...boundary, ...link }, summary, after])).toEqual({
      '': ['u1', 'a1', 'b', 's', 'a2'],
    });
  });

  test('a branch abandoned before the boundary stays abandoned', async () => {
    const linked = { ...boundary, logicalParentUuid: 'a1' };
    const lines = [...before, user('x', 'u1', 'not this'), linked, summary, agent('a2', 's', 'on we go')];
    expect(await lanes(lines)).toEqual({ '': ['u1', 'a1', 'b', 's', 'a2'], 'fork:x': ['x'] });
  });

  test('boundary and summary are events a program said, and open no turn', async () => {
    const { events } = await imported([...before, boundary, summary, agent('a2', 's', 'on we go')]);
    expect(events.map(({ id, role, author, metadata }) => ({ id, role, author, metadata }))).toMatchObject([
      { id: 'u1', role: 'user', author: 'user' },
      { id: 'a1', role: 'assistant', author: 'assistant' },
      {
        id: 'b',
        role: 'user',
        author: 'claude-code',
        metadata: { kind: 'log_compaction', is: 'boundary', trigger: 'auto', preTokens: 170_251 },
      },
      { id: 's', role: 'user', author: 'claude-code', metadata: { kind: 'log_compaction', is: 'summary' } },
      { id: 'a2', role: 'assistant', author: 'assistant' },
    ]);
    expect(new Set(events.map((event) => event.invocation))).toEqual(new Set(['turn:u1']));
  });

  test('a summary without a boundary, as old versions write it, hides nothing either', async () => {
    const old = user('s', null, 'This session is being continued …', { isCompactSummary: true });
    expect(await lanes([...before, old, agent('a2', 's', 'on we go')])).toEqual({
      '': ['u1', 'a1', 's', 'a2'],
    });
  });
});

describe('lines of a Claude Code log', () => {
  test('one reply over several lines is events that share it, with its usage once', async () => {
    const message = {
      id: 'm',
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 20,
        output_tokens: 5,
      },
    };
    const { events } = await imported([
      user('u', null, 'go'),
      agent('a1', 'u', [{ type: 'thinking', thinking: 'hm', signature: 'sig' }], { message }),
      agent('a2', 'a1', [call('c')], { message: { ...message, stop_reason: 'tool_use' } }),
      result('r', 'a2', 'c'),
      agent('a3', 'r', 'and on', { message }),
    ]);
    expect(events.map(({ reply, usage, finish }) => ({ reply, usage, finish }))).toEqual([
      {},
      { reply: 'm', usage: { inputTokens: 123, cachedInputTokens: 100, outputTokens: 5 } },
      { reply: 'm', finish: 'toolCalls' },
      {},
      { reply: 'm' },
    ]);
    expect(events[1]?.content).toEqual([
      { type: 'reasoning', text: 'hm', providerState: { provider: 'anthropic', json: { signature: 'sig' } } },
    ]);
  });

  test('a reply stays in its turn though a prompt was written before its last line', async () => {
    const { events } = await imported([
      user('u1', null, 'go'),
      agent('a1', 'u1', 'first', { message: { id: 'm' } }),
      user('u2', 'a1', 'wait'),
      agent('a2', 'u2', 'second', { message: { id: 'm' } }),
      agent('a3', 'a2', 'waiting'),
    ]);
    expect(events.map((event) => event.invocation)).toEqual([
      'turn:u1',
      'turn:u1',
      'turn:u2',
      'turn:u1',
      'turn:u2',
    ]);
  });

  test('an id that says something else is kept under a second id, one that says the same is merged', async () => {
    const { events, report } = await imported([
      user('u', null, 'one'),
      user('u', null, 'one', { timestamp: '2026-01-02T00:00:00.000Z' }),
      user('u', null, 'two'),
      user('u', null, 'two'),
    ]);
    expect(events.map((event) => [event.id, textOfEvent(event)])).toEqual([
      ['u', 'one'],
      ['u#2', 'two'],
    ]);
    expect(report.lines).toMatchObject({ total: 4, asEvents: 2, merged: 2 });
    expect(report.notes).toEqual([
      "lines with an earlier line's id that say something else, kept beside it: 1",
    ]);
  });

  test('every line is counted: what holds no conversation, is broken, or is not known', async () => {
    const { report, events } = await imported(
      linesOf(
        [
          user('u', null, 'go'),
          '',
          '   ',
          'this is not json',
          '42',
          '[1]',
          { silly: true },
          { type: 'summary', summary: 'title', leafUuid: 'u' },
          { type: 'progress', uuid: 'p', parentUuid: 'u', data: { message: { role: 'user' } } },
          { type: 'system', subtype: 'turn_duration', uuid: 'd', parentUuid: 'u' },
          { type: 'brand-new\n', value: 1 },
          { type: 'brand-new', uuid: 'n', parentUuid: 'u', message: { role: 'assistant', thing: 1 } },
          agent('e', 'u', 'API Error', { isApiErrorMessage: true }),
          user('t', 'u', 'only shown', { isVisibleInTranscriptOnly: true }),
          agent('x', 'u', []),
          { type: 'attachment', uuid: 'h', parentUuid: 'u', attachment: { type: 'hook_cancelled' } },
        ],
        '\n{"type":"user","uuid":"z","mess',
      ),
    );
    expect(events.map((event) => event.id)).toEqual(['u', 'n']);
    expect(events[1]?.content).toMatchObject([{ type: 'opaque', kind: 'brand-new', json: { thing: 1 } }]);
    expect(events[1]?.role).toBe('assistant');
    expect(report.lines).toEqual({
      total: 17,
      asEvents: 2,
      merged: 0,
      skipped: {
        blank: 2,
        not_json: 1,
        not_an_object: 2,
        no_type: 1,
        'type:summary': 1,
        'type:progress': 1,
        'system:turn_duration': 1,
        'type:brand-new\\u000a': 1,
        api_error_message: 1,
        transcript_only: 1,
        empty: 1,
        'attachment:hook_cancelled': 1,
        cut_last_line: 1,
      },
    });
  });

  test('attachments are what the model was shown', async () => {
    const attachment = (uuid: string, fields: object): object => ({
      type: 'attachment',
      uuid,
      parentUuid: 'u',
      attachment: fields,
    });
    const { events } = await imported([
      user('u', null, 'go'),
      attachment('q', { type: 'queued_command', prompt: 'and this' }),
      attachment('f', {
        type: 'file',
        filename: 'a.ts',
        content: { type: 'text', file: { content: 'let a;' } },
      }),
      attachment('h', { type: 'hook_additional_context', content: ['one', 'two'] }),
      attachment('s', { type: 'hook_success', hookEvent: 'SessionStart', content: 'hello' }),
      attachment('t', { type: 'todo_reminder', content: [{ status: 'open' }] }),
    ]);
    expect(
      events.slice(1).map(({ role, author, content, invocation }) => ({ role, author, content, invocation })),
    ).toMatchObject([
      { role: 'user', author: 'user', content: [{ text: 'and this' }], invocation: 'turn:u' },
      { author: 'file', content: [{ text: 'a.ts' }, { text: 'let a;' }] },
      { author: 'hook_additional_context', content: [{ text: 'one\ntwo' }] },
      { author: 'hook_success', content: [{ text: 'hello' }] },
      { author: 'todo_reminder', content: [{ type: 'opaque', kind: 'todo_reminder' }] },
    ]);
  });

  test('results before a text of the same line are the tool’s, and the line opens no turn', async () => {
    const { events, report } = await imported([
      user('u', null, 'go'),
      agent('a', 'u', [call('c')]),
      user('r', 'a', [
        { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'out' }], is_error: true },
        { type: 'text', text: 'and stop' },
      ]),
    ]);
    expect(
      events.slice(2).map(({ id, role, invocation, content }) => ({ id, role, invocation, content })),
    ).toEqual([
      {
        id: 'r',
        role: 'tool',
        invocation: 'turn:u',
        content: [
          {
            type: 'toolResult',
            id: 'c',
            name: 'Bash',
            output: { parts: [{ type: 'text', text: 'out' }] },
            isError: true,
          },
        ],
      },
      { id: 'r/2', role: 'user', invocation: 'turn:u', content: [{ type: 'text', text: 'and stop' }] },
    ]);
    expect(report.lines.asEvents).toBe(3);
  });

  test('a prompt opens a turn; what programs write in its name does not', async () => {
    const { events } = await imported([
      user('u1', null, 'one'),
      user('m', 'u1', 'caveat', { isMeta: true }),
      user('o', 'm', '<local-command-stdout>done</local-command-stdout>'),
      user('i', 'o', [{ type: 'text', text: '[Request interrupted by user]' }]),
      user('c', 'i', '<command-name>/review</command-name>'),
    ]);
    expect(events.map((event) => event.invocation)).toEqual([
      'turn:u1',
      'turn:u1',
      'turn:u1',
      'turn:u1',
      'turn:c',
    ]);
    expect(events[1]?.author).toBe('claude-code');
  });

  test('invalid UTF-8 is repaired, and noted', async () => {
    const bytes = Buffer.from(
      linesOf([user('u', null, 'caf\u00e9 \ufffd'), user('v', 'u', 'ok \ufffd')]),
      'latin1',
    );
    const { report } = await imported(bytes);
    expect(report.notes).toEqual(['lines with invalid UTF-8, repaired: 2']);
    const { report: clean } = await imported([user('u', null, 'caf\u00e9 \ufffd')]);
    expect(clean.notes).toEqual([]);
  });

  test('arguments whose numbers JavaScript cannot carry are kept as text', async () => {
    const input = '{"id":9007199254740993,"ratio":1.0}';
    const raw = JSON.stringify(
      agent('a', null, [{ type: 'tool_use', id: 'c', name: 'Set', input: 'INPUT' }]),
    );
    const { events } = await imported(`${raw.replace('"INPUT"', () => input)}\n`);
    expect(events[0]?.content).toEqual([{ type: 'toolCall', id: 'c', name: 'Set', input: { raw: input } }]);
  });
});

describe('a log that grew', () => {
  test('what it abandoned meanwhile keeps its lane, what is new is appended, and the report says so', async () => {
    // Comes back when the lane counts as content: the second import would fail.
    const session = testSession();
    const first = [
      user('u1', null, 'one'),
      agent('a1', 'u1', 'reply'),
      user('u2', 'a1', 'two'),
      agent('a2', 'u2', 'no'),
    ];
    await session.import(linesOf(first));
    const report = await session.import(
      linesOf([...first, user('u3', 'a1', 'two, better'), agent('a3', 'u3', 'yes')]),
    );
    expect(report).toMatchObject({ stored: 2, known: 4 });
    expect(report.notes[0]).toBe('abandoned branches, each a lane of its own: 1');
    expect(report.notes[1]).toMatch(/^events keep the lane they were stored in .*: 2$/);
    const events = await session.events();
    expect(events.map((event) => event.id)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a3']);
    expect(events.every((event) => event.lane.isolation === '')).toBe(true);
  });

  test('a cut last line is imported once it is whole', async () => {
    const session = testSession();
    const text = linesOf([user('u1', null, 'one'), agent('a1', 'u1', 'reply 🎉')], '');
    for (let cut = 1; cut < text.length; cut += 1) {
      const fresh = testSession();
      await fresh.import(text.slice(0, cut)).catch(() => undefined);
      expect(await fresh.import(text)).toMatchObject({ lines: { total: 2, asEvents: 2 } });
      expect((await fresh.events()).map((event) => event.id)).toEqual(['u1', 'a1']);
    }
    await session.import(text);
    expect(await session.import(`${text}\n`)).toMatchObject({ stored: 0, known: 2 });
  });

  test('what is written while it is being read is left for the next import', async () => {
    const session = testSession();
    let opened = 0;
    const first = linesOf([user('u1', null, 'one')], '');
    const grown = linesOf([user('u1', null, 'one'), user('u2', 'u1', 'two')]);
    const { importLog } = await import('../import-log.ts');
    const source = {
      name: 'log.jsonl',
      async *open() {
        opened += 1;
        // Recognised and indexed as it was, then read as it is.
        yield Buffer.from(opened <= 2 ? first : grown);
      },
    };
    const report = await importLog(source, session);
    expect(opened).toBe(3);
    expect(report.lines).toEqual({ total: 1, asEvents: 1, merged: 0, skipped: {} });
  });
});
