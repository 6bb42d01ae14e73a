// Runs everything CI runs, goes on after a failure, and closes with one line `N passed, N failed` that counts each
// test and each other gate. Names as arguments run only those gates.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Gate {
  /** The npm script. */
  readonly name: string;
  readonly args?: readonly string[];
  /** What the gate runs; while that file does not exist the gate is skipped, and says so. */
  readonly needs?: string;
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const reportFile = join(root, '.tmp/vitest.json');
const gates: readonly Gate[] = [
  { name: 'typecheck' },
  { name: 'lint' },
  { name: 'deps' },
  { name: 'knip' },
  { name: 'test', args: ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`] },
  { name: 'publish-check' },
  { name: 'api:check' },
  { name: 'start', needs: 'src/cli/main.ts' },
  { name: 'bench', args: ['--short'], needs: 'bench/main.ts' },
];

/** Runs one gate and returns whether it passed. */
function run(gate: Gate): boolean {
  const started = performance.now();
  console.log(`\n== ${gate.name}`);
  const result = spawnSync('npm', ['run', '-s', gate.name, '--', ...(gate.args ?? [])], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 20 * 60_000,
  });
  const passed = result.status === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `== ${gate.name}: ${passed ? 'passed' : `FAILED (${result.signal ?? result.status})`} in ${seconds} s`,
  );
  return passed;
}

const only = process.argv.slice(2);
const unknown = only.filter((name) => !gates.some((gate) => gate.name === name));
if (unknown.length > 0) {
  console.error(
    `no such gate: ${unknown.join(', ')}; there are ${gates.map((gate) => gate.name).join(', ')}`,
  );
  process.exit(2);
}

mkdirSync(join(root, '.tmp'), { recursive: true });
rmSync(reportFile, { force: true });
const count = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

for (const gate of gates) {
  if (only.length > 0 && !only.includes(gate.name)) continue;
  if (gate.needs !== undefined && !existsSync(join(root, gate.needs))) {
    console.log(`\n== ${gate.name}: skipped, there is no ${gate.needs} yet`);
    count.skipped += 1;
    continue;
  }
  const passed = run(gate);
  if (!passed) failures.push(gate.name);
  if (gate.name === 'test' && existsSync(reportFile)) {
    const report: TestReport = JSON.parse(readFileSync(reportFile, 'utf8'));
    count.passed += report.numPassedTests;
    // A run may fail without a failed test: a file that does not load, an error nobody caught.
    count.failed += passed ? report.numFailedTests : Math.max(1, report.numFailedTests);
    count.skipped += report.numPendingTests;
  } else if (passed) count.passed += 1;
  else count.failed += 1;
}

if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
console.log(
  `\n${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`,
);
process.exitCode = failures.length > 0 || count.failed > 0 ? 1 : 0;
