import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const candidates = [
  process.env.PALIMPSEST_SHARED ?? '',
  join(root, '..', 'shared'),
  join(root, '..', '..', 'shared'),
];

/** Where the real logs are, or null where they are absent. */
export const sharedData: string | null =
  candidates
    .filter((path) => path !== '')
    .map((path) => join(path, 'data'))
    .find((path) => existsSync(path)) ?? null;

/** All strings of at least `least` characters in the JSON lines (or the JSON) of a file, base64 left out. */
export function stringsOf(file: string, least: number): string[] {
  const text = readFileSync(join(sharedData ?? '', file), 'utf8');
  const out: string[] = [];
  for (const value of file.endsWith('.jsonl') ? text.split('\n').map(parse) : [parse(text)]) collect(value);
  return out;

  function collect(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length >= least && !/^[A-Za-z0-9+/=_-]{200,}$/.test(value)) out.push(value.toWellFormed());
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) collect(inner);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
