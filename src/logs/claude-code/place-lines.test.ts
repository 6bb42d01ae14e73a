import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from './line-index.ts';
import { type LinePlaces, placeLines } from './place-lines.ts';

function placesOf(lines: readonly object[]): LinePlaces {
  const index = new LineIndex();
  for (const [at, line] of lines.entries()) {
    const bytes = Buffer.from(JSON.stringify(line));
    index.line({ number: at + 1, bytes, start: 0, end: bytes.length, ended: true });
  }
  return placeLines(index);
}

test('a chain of 100,000 lines, and as many branches off its end, come to an end', () => {
  // Comes back when a walk back does not stop at what is placed.
  const lines: object[] = [];
  for (let at = 0; at < 100_000; at += 1)
    lines.push({ type: 'user', uuid: `u${at}`, parentUuid: `u${at - 1}`, message: {} });
  for (let at = 0; at < 100_000; at += 1)
    lines.push({ type: 'user', uuid: `b${at}`, parentUuid: 'u99999', message: {} });
  const { laneOf, forks } = placesOf(lines);
  expect(laneOf.subarray(0, 100_000).every((lane) => lane === 0)).toBe(true);
  expect(forks).toHaveLength(100_000);
});

test('whatever the tree, every line has a place, and the last one and its ancestors are the active conversation', () => {
  const line = fc.record({
    uuid: fc.option(fc.stringMatching(/^[a-e]$/)),
    parentUuid: fc.option(fc.stringMatching(/^[a-g]$/)),
    type: fc.constantFrom('user', 'assistant', 'progress', 'attachment', 'system'),
    subtype: fc.constantFrom(undefined, 'compact_boundary', 'local_command'),
    isSidechain: fc.boolean(),
    isMeta: fc.boolean(),
    logicalParentUuid: fc.option(fc.stringMatching(/^[a-g]$/)),
    message: fc.record({
      id: fc.constantFrom('m1', 'm2'),
      content: fc.constantFrom('text', [{ type: 'tool_result', tool_use_id: 'c' }]),
    }),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const { laneOf, forks } = placesOf(lines);
      expect(laneOf).toHaveLength(lines.length);
      for (const [at, lane] of laneOf.entries()) {
        expect(lane).toBeGreaterThan(-lines.length - 1);
        expect(lane).toBeLessThan(forks.length);
        expect(lane >= 0 || lines[at]?.isSidechain).toBe(true);
      }
      const isConversation = (each: (typeof lines)[number]): boolean =>
        !each.isSidechain &&
        (each.type === 'assistant' ||
          (each.type === 'system' && each.subtype === 'compact_boundary') ||
          (each.type === 'user' && (!each.isMeta || typeof each.message.content !== 'string')));
      const last = lines.findLastIndex(isConversation);
      const seen = new Set<number>();
      for (let at = last; at >= 0 && !seen.has(at); ) {
        expect(laneOf[at]).toBe(0);
        seen.add(at);
        const parent = lines[at]?.parentUuid;
        at = parent === null ? -1 : lines.findIndex((each) => each.uuid === parent);
        if (at >= 0 && lines[at]?.isSidechain) break;
      }
    }),
    { numRuns: 2_000 },
  );
});
