import { expect, describe as group, it } from 'vitest';
import { estimatingCounter } from '../../tokens/estimating-counter.ts';
import { sharedData } from '../../tokens/shared-data.fixture.ts';
import { shownEvent, text } from '../source.fixture.ts';
import type { SummaryRequest } from '../summarizer.ts';
import { asking, judged, summarized } from './extractive.fixture.ts';
import { realLog } from './real-logs.fixture.ts';

// Skipped where the real logs are absent: they are not part of this repository.
group.skipIf(sharedData === null)('real logs', () => {
  it.each([300, 1_000, 2_000])(
    'of a long coding session fit %i tokens and say how it stands',
    async (maxSummaryTokens) => {
      const document = await summarized({
        ...asking([]),
        events: realLog('compacted-large.jsonl'),
        maxSummaryTokens,
      });
      const { goal, state, open_items } = judged(document);
      expect(estimatingCounter.count(document)).toBeLessThanOrEqual(maxSummaryTokens);
      expect(goal).toContain('Implement dev-gqc');
      expect(goal).toContain('tackle them');
      expect(state).toMatch(/- ok: `mix (?:compile|credo|test)/);
      expect(state).toContain('spotter_web/live/project_review_live');
      expect(open_items).toContain('asked last (answered): did you push?');
      expect(open_items).not.toContain('git push');
    },
  );

  it('in Japanese keep the request and the report', async () => {
    const { goal, state } = judged(
      await summarized({ ...asking([]), events: realLog('japanese.jsonl'), maxSummaryTokens: 300 }),
    );
    expect(goal).toBe('/orchestrator @CLAUDE.md を最新の状態にアップデートしてください');
    expect(state).toContain('CLAUDE.mdファイルを最新の状態にアップデートしました。');
    expect(state).toContain('edited: /path/to/Demo/CLAUDE.md');
  });

  it('take no earlier compaction or program’s words for the goal', async () => {
    const { goal, open_items } = judged(
      await summarized({ ...asking([]), events: realLog('real-medium.jsonl') }),
    );
    expect(goal).toMatch(/^\s*- for the change in cmd\/entire\/cli\/hooks_claudecode_handlers\.go/);
    expect(goal).not.toMatch(/Caveat|continued from|command-name/);
    expect(open_items).toContain(
      'asked last (answered): the issue is still that this would not surface to the user',
    );
  });
});

group('the event loop', () => {
  const sentence = 'You must always write a sentence about it, and we decided to stop there. ';
  const prose = Array.from({ length: 60_000 }, (_, n) => `${sentence}${n}\n`).join('');
  const requests: readonly (readonly [string, SummaryRequest])[] = [
    ['5 MB of prose', asking([])],
    ['5 MB on one line', { ...asking([]), events: [shownEvent(1, [text(prose.replaceAll('\n', ' '))])] }],
    ['a million letters', { ...asking([]), events: [shownEvent(1, [text('a'.repeat(1_000_000))])] }],
    [
      'a million combining marks',
      { ...asking([]), events: [shownEvent(1, [text(`e${'\u0301'.repeat(1_000_000)}`)])] },
    ],
    [
      '20,000 events',
      {
        ...asking([]),
        events: Array.from({ length: 20_000 }, (_, n) =>
          shownEvent(n + 1, [text(`Do thing ${n} in src/a${n}.ts`)]),
        ),
      },
    ],
  ];

  // Fails when a reader does not pace itself: then all of it is one block.
  it.each(requests)('is given back every few milliseconds over %s', async (name, request) => {
    const events = name === '5 MB of prose' ? [shownEvent(1, [text(prose)])] : request.events;
    let worst = 0;
    let watching = true;
    let before = process.threadCpuUsage();
    const watch = (): void => {
      const spent = process.threadCpuUsage(before);
      worst = Math.max(worst, (spent.user + spent.system) / 1_000);
      before = process.threadCpuUsage();
      if (watching) setImmediate(watch);
    };
    setImmediate(watch);
    judged(await summarized({ ...request, events }));
    watching = false;
    // Processor time of this thread, and twice the promise: the machine may be busy with other tests.
    expect(worst).toBeLessThan(100);
  });
});
