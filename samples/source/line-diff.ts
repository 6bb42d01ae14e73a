/** A small line diff, enough for the patches and `git diff` outputs of the sample. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

export function diffLines(before: string, after: string): Hunk[] {
  return hunks(edits(split(before), split(after)));
}

export function countChanges(before: string, after: string): { added: number; removed: number } {
  const all = edits(split(before), split(after));
  return {
    added: all.filter((line) => line[0] === '+').length,
    removed: all.filter((line) => line[0] === '-').length,
  };
}

function split(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Longest common subsequence; each line of the answer starts with ' ', '-' or '+'. */
function edits(a: string[], b: string[]): string[] {
  const longest: number[][] = Array.from({ length: a.length + 1 }, () =>
    Array.from({ length: b.length + 1 }, () => 0),
  );
  const get = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = longest[i] ?? [];
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? get(i + 1, j + 1) + 1 : Math.max(get(i + 1, j), get(i, j + 1));
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i]}`);
      i++;
      j++;
    } else if (i < a.length && (j === b.length || get(i + 1, j) >= get(i, j + 1))) lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

function hunks(lines: string[]): Hunk[] {
  const context = 3;
  const keep = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some((line) => line[0] !== ' '),
  );
  const found: Hunk[] = [];
  let oldLine = 1;
  let newLine = 1;
  let current: Hunk | undefined;
  for (const [at, line] of lines.entries()) {
    if (keep[at]) {
      current ??= { oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: [] };
      current.lines.push(line);
      if (line[0] !== '+') current.oldLines++;
      if (line[0] !== '-') current.newLines++;
    } else if (current) {
      found.push(current);
      current = undefined;
    }
    if (line[0] !== '+') oldLine++;
    if (line[0] !== '-') newLine++;
  }
  if (current) found.push(current);
  return found;
}
