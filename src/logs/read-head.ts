import { ImportError } from '../event/errors.ts';
import type { JsonValue } from '../event/json.ts';
import type { LogHead } from './format.ts';
import { LineSplitter } from './line-splitter.ts';
import type { LogSource } from './log-source.ts';
import { type JsonLine, parseText } from './read-lines.ts';

/** Enough lines to tell a format by. */
const HEAD_LINES = 20;
/** Enough bytes, once a line was JSON. */
const HEAD_BYTES = 256 * 1024;
/** Enough bytes when none was. */
const SEARCHED_BYTES = 1024 * 1024;
/** Largest JSON document: it is read whole, into one string. */
const MAX_DOCUMENT_BYTES = 400 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** What the beginning of a log shows; null when the log is empty. */
export async function readHead(source: LogSource): Promise<LogHead | null> {
  const lines: JsonValue[] = [];
  let seen = 0;
  let filled = 0;
  let first = '';
  let onlyText = '';
  const splitter = new LineSplitter({
    line: (bytes, start, end) => {
      seen += 1;
      const text = bytes.toString('utf8', start, end);
      if (text.trim() === '') return;
      filled += 1;
      first ||= text.trimStart()[0] ?? '';
      if (lines.length === HEAD_LINES) return;
      const value = parseText(text);
      if (value === undefined) return;
      if (lines.push(value) === 1) onlyText = text;
      else onlyText = '';
    },
    tooLong: () => {
      seen += 1;
      filled += 1;
    },
  });
  let bytes = 0;
  let whole = true;
  for await (const chunk of source.open()) {
    splitter.push(chunk);
    bytes += chunk.length;
    const enough =
      lines.length > 0
        ? lines.length === HEAD_LINES || bytes >= HEAD_BYTES
        : seen > 0 && bytes >= SEARCHED_BYTES;
    if (enough) {
      whole = false;
      break;
    }
  }
  if (whole) splitter.end();
  if (whole && filled === 0) return null;
  const only = whole && filled === 1 ? lines[0] : undefined;
  if (only !== undefined) return { lines, document: { value: only, text: onlyText } };
  const isObject = lines.some((line) => typeof line === 'object' && line !== null);
  // Lines of a pretty-printed document are no JSON objects by themselves; only then is it worth reading it whole.
  const document = !isObject && (first === '{' || first === '[') ? await readDocument(source) : null;
  return { lines, document };
}

async function readDocument(source: LogSource): Promise<JsonLine | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source.open()) {
    bytes += chunk.length;
    if (bytes > MAX_DOCUMENT_BYTES) {
      const problem = `is a JSON document of more than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB, which has to be read whole`;
      throw new ImportError(source.name, 0, problem);
    }
    chunks.push(Buffer.from(chunk));
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const value = parseText(bare);
  return value === undefined ? null : { value, text: bare };
}
