/**
 * How many sessions a property plays: what fits CI, or as many times more as PALIMPSEST_RUNS says (PALIMPSEST_RUNS=20 plays
 * twenty times as many).
 */
export function runsOf(usual: number): number {
  const times = Number(process.env['PALIMPSEST_RUNS'] ?? '1');
  return Number.isFinite(times) && times > 0 ? Math.ceil(usual * times) : usual;
}
