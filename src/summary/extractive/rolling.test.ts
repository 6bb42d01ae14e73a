import { describe, expect, it } from 'vitest';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import {
  asking,
  assistant,
  did,
  earlier,
  judged,
  ran,
  type Step,
  sectionsOf,
  summarized,
  user,
} from './extractive.fixture.ts';

/** A window of ordinary work, with rules and decisions of its own. */
function window(n: number): Step[] {
  return [
    user(`Now add export number ${n}. It should handle empty tables. Prefer short names in module ${n}.`),
    assistant(`We decided to write export ${n} by hand because the library is slow. Starting:`),
    ...did('Write', { file_path: `/srv/app/src/export-${n}.ts`, content: 'x' }, 'written'),
    ...ran('npm test', n % 2 === 0 ? `Tests: ${n} passed` : 'Error: timeout\nTests: 1 failed', n % 2 === 1),
    assistant(`Export ${n} is written and handles empty tables. It streams rows in chunks of ${n * 100}.`),
  ];
}

describe('rolled up again and again', () => {
  // Known faults 93 and 97. Fails when an earlier summary's goal or constraints are read as prose, or newest first.
  it.each([300, 600, 1_000])(
    'keeps the goal and a prohibition through ten rollings at %i tokens',
    async (budget) => {
      let summary = await summarized(
        asking(
          [
            user(
              'Build the export module for the billing service. Never push to main.\nRules:\n- reply in three sentences',
            ),
            ...window(0),
          ],
          {
            maxSummaryTokens: budget,
          },
        ),
      );
      for (let n = 1; n <= 10; n += 1) {
        summary = await summarized(
          asking(window(n), { previous: [earlier(summary)], maxSummaryTokens: budget }),
        );
        expect(estimatingCounter.count(summary)).toBeLessThanOrEqual(budget);
        const { goal, constraints, open_items, state } = judged(summary);
        expect(goal).toContain('Build the export module for the billing service.');
        expect(constraints).toContain('Never push to main.');
        expect(constraints).toContain('reply in three sentences');
        expect(open_items).toContain(`Now add export number ${n}.`);
        expect(state).toContain(`Export ${n} is written`);
        expect(goal + constraints + state + open_items).not.toMatch(/conversation_summary|<goal>/);
      }
    },
  );

  it('says the same when nothing new came, and does not grow', async () => {
    const first = await summarized(
      asking([user('Build it. Never push to main.'), ...window(1), ...window(2)]),
    );
    let again = await summarized(asking([], { previous: [earlier(first)] }));
    const settled = again;
    for (let n = 0; n < 4; n += 1) again = await summarized(asking([], { previous: [earlier(again)] }));
    expect(again).toBe(settled);
    expect(estimatingCounter.count(again)).toBeLessThanOrEqual(estimatingCounter.count(first) * 1.05);
  });

  it('merges neighbours into one, each thing once', async () => {
    const parts = await Promise.all(
      [window(1), window(2), window(3)].map((steps) => summarized(asking(steps))),
    );
    const sections = judged(await summarized(asking([], { previous: parts.map(earlier) })));
    expect(sections.state.match(/root: /g)).toHaveLength(1);
    expect(sections.state).toContain('written: export-3.ts, export-2.ts, export-1.ts');
    expect(sections.open_items.match(/asked last/g)).toHaveLength(1);
    // The thread in its order, and last what was asked last: a request that is its own summary's goal is not this one's.
    expect(sections.goal).toMatch(/Now add export number 1\..*then: Now add export number 2\./s);
    expect(sections.open_items).toContain('asked last (answered): Now add export number 3.');
  });

  it('keeps every part’s request in the thread, where the parts have several', async () => {
    const part = (name: string): Step[] => [
      user(`Begin with the ${name} of the report, please.`),
      assistant(`The ${name} is begun and has its headings in place now.`),
      user(`Go on with the ${name} and add all the numbers.`),
      assistant(`The ${name} has all its numbers and is done.`),
    ];
    const parts = await Promise.all(
      ['draft', 'table', 'index'].map((name) => summarized(asking(part(name)))),
    );
    const { goal, open_items } = judged(await summarized(asking([], { previous: parts.map(earlier) })));
    expect(goal.match(/(?:Begin|Go on) with the \w+/g)).toEqual([
      'Begin with the draft',
      'Go on with the draft',
      'Begin with the table',
      'Go on with the table',
      'Begin with the index',
    ]);
    expect(open_items).toContain('asked last (answered): Go on with the index');
  });

  it('says of what a part left open that it was open, where a later part reports work', async () => {
    const first = await summarized(
      asking([user('Port the importer.'), assistant('The reader is ported.\n- [ ] write the errors page')]),
    );
    expect(judged(first).open_items).toContain('- write the errors page');
    const second = await summarized(asking(window(2)));
    const merged = judged(await summarized(asking([], { previous: [first, second].map(earlier) })));
    expect(merged.open_items).toContain('was open: write the errors page');
    expect(merged.goal).toContain('Port the importer.');
  });

  it('merges summaries of other forms with the five sections, in whatever order', async () => {
    const markdown = '## Goal\nPort the importer to streams.\n## Constraints\n- Node 22 only\n';
    const five = await summarized(asking(window(4)));
    const { goal, constraints } = judged(
      await summarized(asking([], { previous: [earlier(five), earlier(markdown)] })),
    );
    expect(goal).toContain('Now add export number 4.');
    expect(goal).toContain('then: Port the importer to streams.');
    expect(constraints).toContain('Node 22 only');
  });

  // As roll-up does, four into one: each level may take twice a window's tokens and no more (known faults 93, 97).
  it('keeps goal, rules, failures and the last request through three levels of merges, and does not grow', async () => {
    const budget = 400;
    const steps = (n: number): Step[] => [
      ...(n === 0 ? [user('Build the export module for the billing service. Never push to main.')] : []),
      ...window(n),
      ...(n === 20 ? ran('npm run deploy', 'Error: no credentials for eu-west-1', true) : []),
    ];
    let level: string[] = [];
    for (let n = 0; n < 64; n += 1)
      level.push(await summarized(asking(steps(n), { maxSummaryTokens: budget })));
    while (level.length > 1) {
      const merged: string[] = [];
      for (let at = 0; at < level.length; at += 4) {
        const previous = level.slice(at, at + 4).map(earlier);
        merged.push(await summarized(asking([], { previous, maxSummaryTokens: 2 * budget })));
      }
      for (const each of merged) {
        expect(estimatingCounter.count(each)).toBeLessThanOrEqual(2 * budget);
        expect(each.match(/<(?:conversation_summary|goal|state)>/g)).toHaveLength(3);
        for (const label of ['root: ', 'last: ', 'asked last'])
          expect(each.split(label).length).toBeLessThanOrEqual(2);
      }
      level = merged;
    }
    const { goal, constraints, decisions, state, open_items } = judged(level[0] ?? '');
    expect(goal).toContain('Build the export module for the billing service.');
    expect(constraints).toContain('Never push to main.');
    expect(decisions).toContain('We decided to write export 63 by hand because the library is slow.');
    expect(state).toContain('last: Export 63 is written');
    expect(open_items).toContain('asked last (answered): Now add export number 63.');
    expect(open_items).toContain('error: `npm run deploy`: Error: no credentials for eu-west-1');
  });

  it('closes an earlier failure, and keeps one nothing mended', async () => {
    const failed = await summarized(
      asking([
        user('Go.'),
        ...ran('npm test', 'Error: timeout', true),
        ...ran('npm run lint', 'Error: no config', true),
      ]),
    );
    const { open_items } = await sectionsOf(ran('npm test', '4 passed'), { previous: [earlier(failed)] });
    expect(open_items).toContain('error: `npm run lint`: Error: no config');
    expect(open_items).not.toContain('timeout');
  });

  it('keeps rules that only the quoted request showed', async () => {
    const rules = Array.from({ length: 24 }, (_, n) => `- field ${n} is validated on the server`).join('\n');
    const first = await summarized(
      asking([user(`Build the form.\nRequirements:\n${rules}`), assistant('Built.')]),
    );
    expect(judged(first).constraints).toBe('');
    const later = await sectionsOf(window(1), { previous: [earlier(first)], maxSummaryTokens: 400 });
    expect(later.goal).not.toContain('field 12 ');
    for (const rule of rules.split('\n')) expect(later.goal + later.constraints).toContain(rule);
  });
});

describe('earlier summaries of other forms', () => {
  it('are read by their headings', async () => {
    const markdown = [
      '## Goal',
      'Port the importer to streams.',
      '## Constraints & Preferences',
      '- Node 22 only',
      '## Key Decisions',
      '- **Parser**: hand-written, because the grammar is small',
      '## Progress',
      '### Done',
      '- [x] reader',
      '## Next Steps',
      '1. write the errors page',
      '```ts',
      'never shown',
      '```',
    ].join('\n');
    const sections = await sectionsOf([], { previous: [earlier(markdown)] });
    expect(sections.goal).toBe('Port the importer to streams.');
    expect(sections.constraints).toBe('Node 22 only');
    expect(sections.decisions).toContain('Parser: hand-written, because the grammar is small');
    expect(sections.state).toContain('reader');
    expect(sections.open_items).toContain('write the errors page');
    expect(Object.values(sections).join('')).not.toContain('never shown');
  });

  it('are read sentence by sentence without headings', async () => {
    const prose =
      'The user ports an importer. You must never use regular expressions. They decided to keep the old API. Tests pass.';
    const sections = await sectionsOf([], { previous: [earlier(prose)] });
    expect(sections).toMatchObject({
      goal: 'The user ports an importer.',
      constraints: 'You must never use regular expressions.',
      decisions: 'They decided to keep the old API.',
      state: 'Tests pass.',
    });
  });

  it('are read section by section when a model wrote the five', async () => {
    const written =
      '<conversation_summary>\n  <goal>Port the importer.\nKeep it fast.</goal>\n  <constraints>Tabs &amp; LF.</constraints>\n  <decisions/>\n' +
      '  <state>Reader done.</state>\n  <open_items>Writer is missing.</open_items>\n</conversation_summary>';
    const sections = await sectionsOf([], { previous: [earlier(written)] });
    expect(sections).toMatchObject({
      goal: 'Port the importer.\n  Keep it fast.',
      constraints: 'Tabs & LF.',
      state: 'Reader done.',
      open_items: 'Writer is missing.',
    });
  });

  it('are read by their elements when another program wrote them', async () => {
    const snapshot =
      '<state_snapshot>\n  <overall_goal>\n    Port the importer.\n  </overall_goal>\n  <key_knowledge>\n    - Build: `npm run build`\n  </key_knowledge>\n' +
      '  <current_plan>\n    1. [TODO] write docs\n  </current_plan>\n</state_snapshot>';
    const sections = await sectionsOf([], { previous: [earlier(snapshot)] });
    expect(sections.goal).toBe('Port the importer.');
    expect(sections.state).toContain('Build: `npm run build`');
    expect(sections.open_items).toContain('[TODO] write docs');
  });

  it('are told apart from what the user says, when a program logs them as the user’s', async () => {
    const { goal, open_items } = await sectionsOf([
      user(
        'This session is being continued from a previous conversation that ran out of context.\nSummary:\n1. Primary Request and Intent:\n   Port the importer.\n6. All user messages:\n   - "make it fast"\n7. Pending Tasks:\n   - write docs\nPlease continue the conversation.',
      ),
      user('Go on with the docs.'),
    ]);
    expect(goal).toBe('\n- Port the importer.\n- then: make it fast\n  ');
    expect(open_items).toBe('\n- asked last (unanswered): Go on with the docs.\n- write docs\n  ');
  });
});
