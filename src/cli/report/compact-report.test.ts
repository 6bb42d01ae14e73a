import { expect, it } from 'vitest';
import { lookFor } from '../look.ts';
import { displayWidth } from '../text/display-width.ts';
import { compactJson } from './compact-json.ts';
import { compactReport } from './compact-report.ts';
import { compactedFacts, failingSummarizer, fixedSummarizer } from './compacted.fixture.ts';

const facts = await compactedFacts(fixedSummarizer);

it('tells a person what was read, kept and covered', () => {
  expect(compactReport(lookFor({}, {}), facts).join('\n')).toMatchInlineSnapshot(`
    "Read       log\\u001b[2J.jsonl
               claude-code log, 60 lines: 48 events
               2 lines merged into others
               8 lines without conversation (type:progress 4, type:summary 1,
               a\\u001b[2J 1, not_json 1, 1 other kind)
               3 lines were cut
               20 turns, 3 tool calls (Bash\\u001b[2J 3), 2 tool errors
               1 side lane with 2 events (abandoned branches, subagents): kept, not
               part of this prompt

    Prompt     before ████████████████████████████████████████ 1,632 tokens
               after  ████████                                   322 tokens (19.7 %)

    Events     ▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░▓░░░░░░████··
               one cell is one event, oldest first
               ░ 40 covered: a summary stands in for them
               █  4 raw: in the prompt as they were
               ▓  2 held back: in the prompt as they were, see below
               ·  2 in other lanes: kept, not part of this prompt

    Summary    events 2–42: 1,452 → 142 tokens, 1 of 1 values, by fixed
               goal    - 予約フォームのバグを直す 🚢
                       - keep the <form> tag
               decided - first\\u009b31m
                       - second
                       and 1 more line
               state   - edited: src/form.ts
               open    - asked last: run the tests
               values  npm test

    Held back  1 event (1): instructions of the application: never summarized
               1 event (36): a tool call or a question in it still waits for its
               answer

    Proof      verified: 48 events, each raw or covered by exactly one summary; 1
               record, every digest recomputed"
  `);
});

it('fits a narrow screen without block characters', () => {
  const look = lookFor({ COLUMNS: '40', LANG: 'C' }, {});
  const lines = compactReport(look, facts);
  expect(lines.filter((line) => displayWidth(line) > 40)).toEqual([]);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "Read
      log\\u001b[2J.jsonl
      claude-code log, 60 lines: 48 events
      2 lines merged into others
      8 lines without conversation
      (type:progress 4, type:summary 1,
      a\\u001b[2J 1, not_json 1, 1 other
      kind)
      3 lines were cut
      20 turns, 3 tool calls (Bash\\u001b[2J
      3), 2 tool errors
      1 side lane with 2 events (abandoned
      branches, subagents): kept, not part
      of this prompt

    Prompt
      before ######### 1,632 tokens
      after  ##          322 tokens (19.7 %)

    Events
      +----------------+---##.
      one cell is 2 events, oldest first
      - 40 covered: a summary stands in for
           them
      #  4 raw: in the prompt as they were
      +  2 held back: in the prompt as they
           were, see below
      .  2 in other lanes: kept, not part of
           this prompt

    Summary
      events 2-42: 1,452 -> 142 tokens, 1...
      goal    - 予約フォームのバグを直す 🚢
              - keep the <form> tag
      decided - first\\u009b31m
              - second
              and 1 more line
      state   - edited: src/form.ts
      open    - asked last: run the tests
      values  npm test

    Held back
      1 event (1): instructions of the
      application: never summarized
      1 event (36): a tool call or a
      question in it still waits for its
      answer

    Proof
      verified: 48 events, each raw or
      covered by exactly one summary; 1
      record, every digest recomputed"
  `);
});

it('has no escape of a log in it, and none of its own without colour', () => {
  // Printing a tool's name, a reason or a summary as it came brings the escape back.
  expect(compactReport(lookFor({}, {}), facts).join('')).not.toMatch(/[\u001b\u009b]/);
  const coloured = compactReport(lookFor({ FORCE_COLOR: '1' }, {}), facts).join('');
  expect(coloured).toContain('\u001b[');
  expect(coloured).not.toContain('\u001b[2J');
  expect(coloured).not.toContain('\u009b');
});

it('says why nothing was compacted, in constant words', async () => {
  const failed = await compactedFacts(failingSummarizer);
  const text = compactReport(lookFor({}, {}), failed).join('\n');
  expect(text).toContain('Attempts   failed: the summarizer threw an error (threw); ');
  expect(text).not.toContain('text of the conversation');
  expect(compactJson(failed)).toMatchObject({
    records: 0,
    covered: 0,
    verified: true,
    attempts: { committed: 0 },
  });
});

it('has the fields of the contract, and they add up', () => {
  const json = compactJson(facts);
  expect(json).toMatchObject({
    format: 'claude-code',
    session: 'a-session',
    lines: { total: 60, asEvents: 50, merged: 2 },
    events: 48,
    records: 1,
    verified: true,
    problems: [],
  });
  const { covered, raw, events } = json;
  expect(covered + raw).toBe(events);
  expect(json.tokens.after).toBeLessThan(json.tokens.before);
});
