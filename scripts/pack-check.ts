// Packs the package as it would be published, unpacks it under a node_modules folder and uses it from there: every
// entry point must import and the command must start. (Node strips no types inside node_modules: only what was built
// counts.)
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesInTypes } from './types-alone.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const manifest: { version: string; bin: { palimpsest: string }; exports: Record<string, unknown> } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const work = join(root, '.tmp/pack');
const installed = join(work, 'node_modules/palimpsest');
rmSync(work, { recursive: true, force: true });
mkdirSync(installed, { recursive: true });

const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const [archive] = packed;
if (archive === undefined) throw new Error('npm pack made no archive');
execFileSync('tar', ['-xzf', join(work, archive.filename), '--strip-components=1', '-C', installed]);

const entries = Object.keys(manifest.exports).filter((path) => path !== './package.json');
const imports = entries.map((path) => `await import(${JSON.stringify(`palimpsest${path.slice(1)}`)});`);
execFileSync(process.execPath, ['--input-type=module', '--eval', imports.join('\n')], {
  cwd: work,
  stdio: 'inherit',
});

const types = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'object' && entry !== null && 'types' in entry
    ? [join(installed, String(entry.types))]
    : [],
);
for (const [name, file] of packagesInTypes(types)) {
  throw new Error(`${file} needs the types of ${name}: users without that package cannot compile`);
}

const command = join(installed, manifest.bin.palimpsest);
if (!existsSync(command)) throw new Error(`the package has no ${manifest.bin.palimpsest}`);
const version = execFileSync(process.execPath, [command, '--version'], {
  cwd: work,
  encoding: 'utf8',
}).trim();
if (!version.includes(manifest.version))
  throw new Error(`palimpsest --version says ${version}, not ${manifest.version}`);

rmSync(work, { recursive: true, force: true });
console.log(
  `${archive.filename}: ${archive.files.length} files, ${entries.length} entry points import, the command starts`,
);
