/** Of the rows of a lane, newest first: those of the newest `invocations` invocations, at most `limit`, oldest first. */
export function takePreceding<Row>(
  newestFirst: Iterable<Row>,
  invocationOf: (row: Row) => unknown,
  invocations: number,
  limit: number,
): readonly Row[] {
  const seen = new Set<unknown>();
  const rows: Row[] = [];
  if (limit <= 0) return rows;
  for (const row of newestFirst) {
    const invocation = invocationOf(row);
    if (!seen.has(invocation) && seen.size >= invocations) break;
    seen.add(invocation);
    rows.push(row);
    if (rows.length >= limit) break;
  }
  return rows.reverse();
}
