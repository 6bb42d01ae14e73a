import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSections, type SectionsVerdict } from './check-sections.ts';
import { disagreement, EXPLANATIONS, ORACLES } from './disagreements.fixture.ts';
import { anyDocument } from './documents.fixture.ts';
import { ACCEPTED, REFUSED, unmarked } from './table.fixture.ts';

/** Documents to try: thousands at every run, millions over a night by `PALIMPSEST_RUNS`. */
const RUNS = Number(process.env['PALIMPSEST_RUNS'] ?? 4_000);

/** How a parser and the recogniser differ about a document, unless that is explained. */
function unexplained(oracle: string, document: string, verdict: SectionsVerdict): string | undefined {
  if (EXPLANATIONS.some(({ oracles, applies }) => oracles.includes(oracle) && applies(document)))
    return undefined;
  const read = ORACLES.get(oracle);
  if (read === undefined) throw new Error('no such oracle');
  return disagreement(verdict, read(document));
}

describe('parsers that know XML and no summaries', () => {
  it(`agree on any document, ${RUNS} of them`, { timeout: 60_000 + RUNS * 10 }, () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(anyDocument, (document) => {
        const verdict = checkSections(document);
        const kind = verdict.ok ? 'ok' : verdict.reason;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        for (const oracle of ORACLES.keys()) expect(unexplained(oracle, document, verdict)).toBe(undefined);
      }),
      { numRuns: RUNS, endOnFailure: RUNS > 100_000 },
    );
    // Fails when the documents are all of one kind: then nothing is compared.
    expect([...kinds.keys()].sort()).toEqual([
      'ok',
      'xml_content',
      'xml_root',
      'xml_structure',
      'xml_syntax',
    ]);
    for (const count of kinds.values()) expect(count).toBeGreaterThan(RUNS / 100);
  });

  it('agree on the table', () => {
    const refused = Object.values(REFUSED).flatMap((rows) =>
      rows.flatMap(([, ...documents]) => documents.map((marked) => unmarked(marked).document)),
    );
    const accepted = ACCEPTED.flatMap(([, ...documents]) => documents);
    for (const document of [...accepted, ...refused]) {
      const verdict = checkSections(document);
      for (const oracle of ORACLES.keys())
        expect([document, unexplained(oracle, document, verdict)]).toEqual([document, undefined]);
    }
  });

  // Fails when an explanation explains nothing (any more).
  it.each(EXPLANATIONS)('differ: $why', ({ oracles, applies, example }) => {
    expect(applies(example)).toBe(true);
    for (const oracle of oracles) {
      const reading = ORACLES.get(oracle)?.(example);
      expect(reading && disagreement(checkSections(example), reading)).toBeTypeOf('string');
    }
  });
});
