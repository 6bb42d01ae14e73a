// Logs nobody here wrote. Each is compacted and proved, or refused with one line.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cli } from './cli.fixture.ts';
import type { CompactJson } from './report/compact-json.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const candidates = [process.env['PALIMPSEST_SHARED'], join(root, '../shared'), join(root, '../../shared')];
const shared = candidates.find((path) => path !== undefined && existsSync(join(path, 'data')));
const logs =
  shared === undefined
    ? []
    : globSync('data/{claude-code,codex,messages}/*.json*', { cwd: shared }).toSorted();

it.skipIf(shared === undefined)('finds ../shared/data beside the repository', () => {
  expect(logs.length).toBeGreaterThan(10);
});

it.for(logs)('%s', async (path) => {
  const file = join(shared ?? '', path);
  const { code, out, err } = await cli(['compact', file, '--json', '--keep-events', '20']);
  const refused = code === 1 && out === '' && /^palimpsest: [^\n]+\n$/.test(err);
  expect(refused ? [] : wrongWith(JSON.parse(out), file)).toEqual([]);
});

/** What of the answer does not add up. */
function wrongWith(json: CompactJson, file: string): string[] {
  const { events, covered, raw, tokens, verified } = json;
  const lines = json.lines ?? { total: 0, asEvents: 0, merged: 0, skipped: {} };
  const skipped = Object.values(lines.skipped).reduce((sum, count) => sum + count, 0);
  // Of a JSON document messages are counted, not lines.
  const inFile = file.endsWith('.jsonl') ? linesOf(readFileSync(file, 'utf8')) : lines.total;
  const most = basename(file) === 'compacted-large.jsonl' ? 0.15 : 1;
  const { literals } = json;
  const least = basename(file) === 'compacted-large.jsonl' ? 90 : 0;
  const checks: readonly (readonly [string, boolean])[] = [
    ['is not verified', verified],
    ['covered and raw are not all events', covered + raw === events],
    ['the lines do not add up', lines.asEvents + lines.merged + skipped === lines.total],
    ['lines of the file are missing', lines.total === inFile],
    ['too few values are kept', literals.kept >= least && literals.kept <= literals.found],
    ['the prompt is too large', tokens.after <= tokens.before * most],
  ];
  return checks.filter(([, holds]) => !holds).map(([what]) => what);
}

/** A last line without its line break is a line. */
function linesOf(content: string): number {
  return content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);
}
