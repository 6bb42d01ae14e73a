import type { Spans } from '../../coverage/span.ts';
import type { Seq } from '../../event/ids.ts';
import type { Lane } from '../../event/lane.ts';
import { visible } from '../text/visible.ts';

const SPANS_SHOWN = 3;

/** Spans for people: `1-40, 42-60 and 3 more`. */
export function spansText(spans: Spans): string {
  const shown = spans
    .slice(0, SPANS_SHOWN)
    .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`))
    .join(', ');
  if (spans.length === 0) return 'none of its own';
  return spans.length > SPANS_SHOWN ? `${shown} and ${spans.length - SPANS_SHOWN} more` : shown;
}

/** Seqs for people, in the same way: `12` or `2-11, 14`. */
export function seqsText(seqs: readonly Seq[]): string {
  const runs: { first: Seq; last: Seq }[] = [];
  for (const seq of seqs) {
    const open = runs.at(-1);
    if (open !== undefined && seq === open.last + 1) open.last = seq;
    else runs.push({ first: seq, last: seq });
  }
  return spansText(runs);
}

/** A lane for people: `main`, `main/branch`, `ISOLATION`, `ISOLATION/branch`. */
export function laneText({ isolation, branch }: Lane): string {
  const scope = isolation === '' ? 'main' : isolation;
  return visible(branch === '' ? scope : `${scope}/${branch}`);
}
