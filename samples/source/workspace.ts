import { readdirSync, readFileSync } from 'node:fs';
import { countChanges, diffLines, type Hunk } from './line-diff.ts';

export const ROOT = '/home/mika/src/kamome-booking';

/** The invented project's files, as the session changes them. Reads, searches, edits and diffs are computed from here. */
export class Workspace {
  private files = new Map<string, string>();
  private committed = new Map<string, string>();
  private main = new Map<string, string>();

  constructor() {
    const base = new URL('./project/', import.meta.url);
    for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.endsWith('.txt')) this.files.set(posix(name).slice(0, -4), text(new URL(posix(name), base)));
    }
    this.committed = new Map(this.files);
    this.main = new Map(this.files);
  }

  /** What a file written in the session holds: kept beside the project, under `written/`. */
  static written(path: string): string {
    return text(new URL(`./written/${path}.txt`, import.meta.url));
  }

  /** Adds a file that was there before the session. */
  seed(path: string, content: string): void {
    for (const tree of [this.files, this.committed, this.main]) tree.set(path, content);
  }

  read(path: string): string {
    const content = this.files.get(path);
    if (content === undefined) throw new Error(`no such file: ${path}`);
    return content;
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  write(path: string, content: string): void {
    this.files.set(path, content);
  }

  /** Replaces the only occurrence of `from`, and refuses otherwise, as the real tool does. */
  replace(path: string, from: string, to: string): string {
    const before = this.read(path);
    const found = before.split(from).length - 1;
    if (found !== 1) throw new Error(`${path}: ${found} occurrences of ${JSON.stringify(from)}`);
    const at = before.indexOf(from);
    const after = before.slice(0, at) + to + before.slice(at + from.length);
    this.files.set(path, after);
    return after;
  }

  /** Line and column of a text, as messages of tools name them. */
  position(path: string, sought: string): [line: number, column: number] {
    const before = this.read(path).split(sought)[0] ?? '';
    if (before === this.read(path)) throw new Error(`${path} has no ${sought}`);
    return [before.split('\n').length, before.length - before.lastIndexOf('\n')];
  }

  /** As `cat -n`, with an arrow. */
  numbered(path: string, first = 1, count?: number): string {
    const lines = this.read(path).replace(/\n$/, '').split('\n');
    return lines
      .slice(first - 1, count === undefined ? undefined : first - 1 + count)
      .map((line, index) => `${String(first + index).padStart(6)}→${line}`)
      .join('\n');
  }

  paths(pattern: RegExp = /./): string[] {
    return [...this.files.keys()].filter((path) => pattern.test(path)).sort();
  }

  grep(pattern: RegExp, under: string = ''): string[] {
    const hits: string[] = [];
    for (const path of this.paths()) {
      if (!path.startsWith(under)) continue;
      for (const [index, line] of this.read(path).split('\n').entries()) {
        if (pattern.test(line)) hits.push(`${path}:${index + 1}:${line}`);
      }
    }
    return hits;
  }

  private changed(
    since: Map<string, string>,
  ): { path: string; before: string; after: string; isNew: boolean }[] {
    return this.paths()
      .map((path) => ({
        path,
        before: since.get(path) ?? '',
        after: this.read(path),
        isNew: !since.has(path),
      }))
      .filter((change) => change.before !== change.after);
  }

  status(): string {
    const lines = this.changed(this.committed).map(
      (change) => `${change.isNew ? '??' : ' M'} ${change.path}`,
    );
    return lines.sort((a, b) => (a < b ? -1 : 1)).join('\n');
  }

  diff(only?: string): string {
    return this.changed(this.committed)
      .filter((change) => !change.isNew && (only === undefined || change.path.startsWith(only)))
      .map((change) => {
        const body = diffLines(change.before, change.after).map((hunk) =>
          [hunkHeader(hunk), ...hunk.lines].join('\n'),
        );
        return [
          `diff --git a/${change.path} b/${change.path}`,
          `--- a/${change.path}`,
          `+++ b/${change.path}`,
          ...body,
        ].join('\n');
      })
      .join('\n');
  }

  stat(): string {
    const changes = this.changed(this.main).map((change) => ({
      ...change,
      ...countChanges(change.before, change.after),
    }));
    const width = Math.max(...changes.map((change) => change.path.length));
    const rows = changes.map((change) => {
      const total = change.added + change.removed;
      const scale = Math.min(1, 48 / total);
      const bar = '+'.repeat(Math.ceil(change.added * scale)) + '-'.repeat(Math.ceil(change.removed * scale));
      return ` ${change.path.padEnd(width)} | ${String(total).padStart(4)} ${bar}`;
    });
    return [...rows, summaryOf(changes)].join('\n');
  }

  commit(branch: string, hash: string, message: string, only?: RegExp): string {
    const changes = this.changed(this.committed).filter(
      (change) => only === undefined || only.test(change.path),
    );
    for (const change of changes) this.committed.set(change.path, change.after);
    const counted = changes.map((change) => ({ ...change, ...countChanges(change.before, change.after) }));
    const created = changes
      .filter((change) => change.isNew)
      .map((change) => ` create mode 100644 ${change.path}`);
    return [`[${branch} ${hash}] ${message}`, summaryOf(counted), ...created].join('\n');
  }
}

function summaryOf(changes: { added: number; removed: number }[]): string {
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const parts = [` ${changes.length} file${changes.length === 1 ? '' : 's'} changed`];
  if (added > 0) parts.push(`${added} insertion${added === 1 ? '' : 's'}(+)`);
  if (removed > 0) parts.push(`${removed} deletion${removed === 1 ? '' : 's'}(-)`);
  return parts.join(', ');
}

function hunkHeader(hunk: Hunk): string {
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
}

function posix(path: string): string {
  return path.replaceAll('\\', '/');
}

/** A checkout may have turned line ends into CRLF; the sample has LF. */
function text(url: URL): string {
  return readFileSync(url, 'utf8').replaceAll('\r\n', '\n');
}
