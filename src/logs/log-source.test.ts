import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fileSource } from './log-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-source-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')('refuses a pipe, which cannot be read twice', async () => {
  // Without the look at what it is, reading waits for ever for somebody who writes to it.
  const pipe = join(folder, 'pipe.jsonl');
  execFileSync('mkfifo', [pipe]);
  await expect(fileSource(pipe)).rejects.toThrow('pipe.jsonl: is no regular file');
});
