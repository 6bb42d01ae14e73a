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
    expect(sections.goal).toContain('then: Now add export number 2.');
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
