const LONGEST = 300;

/** Beginnings that only paths have. */
const ROOTED = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/;
const EXTENSION = /\.[A-Za-z][A-Za-z0-9_]{0,9}$/;
const DOTFILE = /^\.[A-Za-z][\w.-]{1,40}$/;
/** What paths do not hold, or hold only as patterns. */
const FOREIGN = /[\n\r\t*?<>|"'`{}$;,=()[\]!&]|:\/\//;
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/;
/** Endings of host names, numbers and members of objects (`console.log`), which look like extensions and are none. */
const HOST = /\.(?:com|org|net|io|dev|app|ai|co|gov|edu|local|log|length|prototype|exe\.com)$/i;

/**
 * Whether a value has the shape of a file's path. `named` says that its key already calls it a path; then a single
 * word will do.
 */
export function isPathLike(value: string, named = false): boolean {
  if (value.length < 2 || value.length > LONGEST || FOREIGN.test(value)) return false;
  if (MEDIA_TYPE.test(value) || /^[\d.,/:-]+$/.test(value)) return false;
  const rooted = ROOTED.test(value);
  if (/\s/.test(value) && !(rooted && (named || EXTENSION.test(value)))) return false;
  if (rooted || DOTFILE.test(value))
    return value !== '/' && value !== './' && value !== '../' && !value.startsWith('//');
  if (value.includes('/') || value.includes('\\')) return named || EXTENSION.test(value);
  return EXTENSION.test(value) ? named || !HOST.test(value) : named && /^[\w.-]+$/.test(value);
}

/** Whether a key calls its value a path. */
export function isPathKey(key: string): boolean {
  return /(?:path|file|filename|filepath|notebook|document)s?$/i.test(key);
}

/** Whether a path names a file rather than a directory, as far as its shape tells. */
export function isFilePath(path: string): boolean {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return (
    last !== '' &&
    (EXTENSION.test(last) ||
      DOTFILE.test(last) ||
      /^[A-Z][A-Za-z]+file$|^(?:LICENSE|README|CHANGELOG|NOTICE)$/.test(last))
  );
}

/** The directory most absolute paths share, without its final slash; empty when they share none worth naming. */
export function commonRoot(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  const absolute = paths.filter((path) => path.startsWith('/'));
  if (absolute.length < 2) return '';
  for (const path of absolute) {
    for (
      let slash = path.indexOf('/', 1), depth = 0;
      slash > 0 && depth < 24;
      slash = path.indexOf('/', slash + 1), depth += 1
    ) {
      const directory = path.slice(0, slash);
      counts.set(directory, (counts.get(directory) ?? 0) + 1);
    }
  }
  let best = '';
  for (const [directory, count] of counts) {
    if (directory.length > best.length && directory.length > 4 && count >= absolute.length * 0.6)
      best = directory;
  }
  return best;
}

/** A path as seen from a root, when it is under it. */
export function relativeTo(root: string, path: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
