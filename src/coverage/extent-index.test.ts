import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtentIndex } from './extent-index.ts';
import { forkOf, forksAround } from './fork.ts';
import type { Span } from './span.ts';

const extent = (most: number): fc.Arbitrary<Span> =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }))
    .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
/** Small ones, where much meets, and as far as seqs go. */
const extents = fc.oneof(extent(40), extent(2 ** 32));

function meet(a: Span, b: Span): boolean {
  return a.first <= b.last && b.first <= a.last;
}

describe('forkOf', () => {
  it('lies in the extent, and where forksAround says when it lies outside a span that is reached', () => {
    fc.assert(
      fc.property(extents, extents, (reaching, span) => {
        const fork = forkOf(reaching);
        expect(fork >= reaching.first && fork <= reaching.last).toBe(true);
        if (!meet(reaching, span)) return;
        const { below, above } = forksAround(span, 2 ** 32);
        const isFound = (fork >= span.first && fork <= span.last) || [...below, ...above].includes(fork);
        expect(isFound).toBe(true);
        expect(below.length + above.length).toBeLessThanOrEqual(66);
      }),
    );
  });
});

describe('ExtentIndex', () => {
  it('finds what reaches into a span, after whatever was put in and taken out', () => {
    const steps = fc.array(fc.record({ extent: extents, removes: fc.option(fc.nat(20)) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.array(extents, { minLength: 1, maxLength: 5 }), (taken, spans) => {
        const index = new ExtentIndex<{ readonly id: number; readonly extent: Span }>();
        const there = new Set<{ readonly id: number; readonly extent: Span }>();
        for (const [id, step] of taken.entries()) {
          const item = { id, extent: step.extent };
          index.add(item, item.extent);
          there.add(item);
          const gone = step.removes === null ? undefined : [...there][step.removes];
          if (gone === undefined) continue;
          index.remove(gone, gone.extent);
          there.delete(gone);
        }
        for (const span of spans) {
          const found = [...index.reachingInto(span)].map(({ id }) => id).sort((a, b) => a - b);
          const expected = [...there].filter((item) => meet(item.extent, span)).map(({ id }) => id);
          expect(found).toEqual(expected);
        }
      }),
    );
  });
});
