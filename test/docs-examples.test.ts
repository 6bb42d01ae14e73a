// Every TypeScript block of README.md and docs/, and every program of examples/, compiles against the sources and
// runs. In an error the line is the page's line.
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docBlocks } from './support/doc-blocks.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const resolver = new URL('support/resolve-sources.ts', import.meta.url).href;
const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');

mkdirSync(join(root, '.tmp'), { recursive: true });
const folder = mkdtempSync(join(root, '.tmp/docs-examples-'));

const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).toSorted();
const blocks = pages
  .flatMap((page) => docBlocks(page, readFileSync(join(root, page), 'utf8')))
  .map((block) => ({ ...block, file: join(folder, `${block.page.replaceAll('/', '_')}.${block.line}.ts`) }));
const programs = [
  ...blocks.filter((block) => block.run).map(({ page, line, file }) => ({ title: `${page}:${line}`, file })),
  ...globSync('examples/*.ts', { cwd: root })
    .toSorted()
    .map((path) => ({ title: path, file: join(root, path) })),
];

/** Runs Node in `cwd`; what it printed if it failed, else undefined. */
async function failureOf(args: readonly string[], cwd: string): Promise<string | undefined> {
  try {
    await execute(process.execPath, args, { cwd, timeout: 60_000, maxBuffer: 16 * 1024 * 1024 });
    return undefined;
  } catch (error) {
    const { code, signal, stdout, stderr } = error as Partial<Record<string, string | number>>;
    return `ended with ${signal ?? code}\n${stdout}\n${stderr}`;
  }
}

beforeAll(() => {
  for (const { file, line, code } of blocks) {
    // Blank lines above keep the page's line numbers.
    writeFileSync(file, `${'\n'.repeat(line - 1)}${code}\n`);
  }
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: [],
    exclude: [],
    files: blocks.map(({ file }) => file),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(blocks.length === 0)(
  'the blocks of the documentation have the right types',
  { timeout: 120_000 },
  async () => {
    expect(await failureOf([compiler, '-p', join(folder, 'tsconfig.json')], root)).toBeUndefined();
  },
);

it.concurrent.for(programs)('$title runs', { timeout: 70_000 }, async ({ file }) => {
  // A folder of its own: a program may write a database where it is started.
  const cwd = mkdtempSync(join(folder, 'run-'));
  const args = ['--disable-warning=ExperimentalWarning', '--import', resolver, file];
  expect(await failureOf(args, cwd)).toBeUndefined();
});
