import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliFailure } from './failure.ts';

/**
 * Throws `CliFailure` where a file cannot come to stand at `path`: asked before the work, not after it, since a summary
 * by a model is paid for by then.
 */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new CliFailure(`--out ${path}: it is a folder; give a file in it`);
  }
  const folder = dirname(resolve(path));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CliFailure(`--out ${path}: there is no folder ${folder}`);
  }
}

/**
 * Writes a file whole or not at all: to a temporary file in its folder, flushed, then renamed over it. What stood at
 * the path stays until then.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
