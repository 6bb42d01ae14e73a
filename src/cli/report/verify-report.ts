import type { Problem, VerifyReport } from '../../coverage/problem.ts';
import type { Look } from '../look.ts';
import { wrap } from '../text/fit.ts';
import { counted } from '../text/numbers.ts';
import { visible } from '../text/visible.ts';

const PROBLEMS_SHOWN = 20;

/** The proof, or what is wrong. */
export function verifiedLines(look: Look, width: number, report: VerifyReport): string[] {
  if (report.ok) {
    const text = `verified: ${counted(report.events, 'event')}, each raw or covered by exactly one summary; ${counted(report.records, 'record')}, every digest recomputed`;
    return wrap(text, width).map(look.paint.good);
  }
  const shown = report.problems
    .slice(0, PROBLEMS_SHOWN)
    .flatMap((problem) => wrap(problemLine(problem), width));
  const more = report.problems.length - PROBLEMS_SHOWN;
  return [
    look.paint.bad(`NOT verified: ${counted(report.problems.length, 'problem')}`),
    ...shown,
    ...(more > 0 ? [`and ${counted(more, 'more problem')}`] : []),
  ];
}

/** One problem on one line: what, where, and the detail. */
export function problemLine(problem: Problem): string {
  const where = [
    problem.seq === undefined ? '' : ` event ${problem.seq}`,
    problem.record === undefined ? '' : ` record ${visible(problem.record)}`,
  ];
  return `${problem.kind}${where.join('')}: ${visible(problem.detail)}`;
}
