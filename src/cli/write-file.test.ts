import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWhole } from './write-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-write-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('replaces a file and leaves nothing beside it', async () => {
  const path = join(folder, 'prompt.json');
  writeFileSync(path, 'old');
  await writeWhole(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['prompt.json']);
});

it('leaves what was there, and nothing beside it, when it fails', async () => {
  // Writing straight to the path, or not removing the temporary file, breaks this.
  const path = join(folder, 'taken');
  mkdirSync(path);
  writeFileSync(join(path, 'inside'), 'kept');
  await expect(writeWhole(path, 'new')).rejects.toThrow('EISDIR');
  expect(readdirSync(folder)).toEqual(['taken']);
  expect(readFileSync(join(path, 'inside'), 'utf8')).toBe('kept');
});

it('fails where the folder is missing', async () => {
  await expect(writeWhole(join(folder, 'no/such/prompt.json'), 'new')).rejects.toThrow('ENOENT');
});
