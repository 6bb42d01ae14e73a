/** A whole number for people: `1,204`. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A count and its noun: `1 event`, `2 events`. */
export function counted(value: number, one: string, many: string = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

/** A share of a whole in percent: `6.1 %`. A little is not rounded to nothing, nor almost all to all. */
export function percent(part: number, of: number): string {
  if (part === 0 || of === 0) return '0 %';
  const value = (part / of) * 100;
  if (value < 0.1) return 'under 0.1 %';
  if (value >= 100) return `${Math.round(value)} %`;
  return value > 99.9 ? 'over 99.9 %' : `${value.toFixed(1)} %`;
}
