import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Statements begin a line in declarations; examples in comments do not. */
const IMPORT = /^(?:import|export)\b[^'";]*\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm;

/**
 * The packages that declarations import, from an entry point on: types must compile where no optional peer is installed.
 */
export function packagesInTypes(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const pending = [...entries];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, from, called] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = from ?? called ?? '';
      if (name.startsWith('.')) pending.push(join(dirname(file), name.replace(/(?<!\.d)\.[jt]s$/, '.d.ts')));
      else if (!name.startsWith('node:')) found.set(name, file);
    }
  }
  return found;
}
