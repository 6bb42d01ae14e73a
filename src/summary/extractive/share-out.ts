/** Shares by weight; nobody gets more than it asks for while another asks for more. Whole tokens. */
export function shareOut(demands: readonly number[], weights: readonly number[], total: number): number[] {
  const shares = demands.map(() => 0);
  let left = total;
  let open = demands.map((_, at) => at).filter((at) => (demands[at] ?? 0) > 0);
  while (open.length > 0 && left > 0) {
    const weight = open.reduce((sum, at) => sum + (weights[at] ?? 0), 0);
    const level = left / weight;
    const content = open.filter((at) => (demands[at] ?? 0) <= level * (weights[at] ?? 0));
    if (content.length === 0) {
      for (const at of open) shares[at] = Math.floor(level * (weights[at] ?? 0));
      return shares;
    }
    for (const at of content) {
      shares[at] = demands[at] ?? 0;
      left -= shares[at] ?? 0;
    }
    open = open.filter((at) => !content.includes(at));
  }
  return shares;
}
