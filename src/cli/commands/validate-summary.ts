import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { codePoints } from '../../summary/code-points.ts';
import { checkSections, type SectionsVerdict } from '../../summary/grammar/check-sections.ts';
import { CliFailure } from '../failure.ts';
import { withExamples, withJson } from '../flags.ts';
import { type Io, writeJson, writeLines } from '../io.ts';
import { counted } from '../text/numbers.ts';

/** `palimpsest validate-summary`: the grammar of summaries, on its own. */
export function validateSummaryCommand(io: Io): Command {
  const command = new Command('validate-summary')
    .summary('check a summary document against its grammar')
    .description(
      'Checks that a file, or standard input, is exactly one <conversation_summary> document with its five sections, as a compaction would. Nothing may stand before or after it, not even a line break. Says why not and at which character, counted from 0 in UTF-16 units.',
    )
    .argument('[file]', 'the document; - or nothing reads standard input', '-')
    .action(async (file: string, flags: { readonly json?: boolean }) => {
      const document = decode(file === '-' ? await readInput(io) : await readFile(file));
      report(io, document, checkSections(document), flags.json === true);
    });
  return withExamples(withJson(command), [
    'palimpsest validate-summary summary.xml',
    'printf %s "$SUMMARY" | palimpsest validate-summary --json',
  ]);
}

async function readInput(io: Io): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of io.input) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function report(io: Io, document: string, verdict: SectionsVerdict, json: boolean): void {
  if (json) {
    const { ok } = verdict;
    const [reason, offset] = verdict.ok ? [null, null] : [verdict.reason, verdict.offset];
    writeJson(io.out, { ok, reason, offset });
  } else if (verdict.ok) {
    const lines = verdict.sections.map(
      ({ name, text }) => `${name}: ${counted(codePoints(text), 'character')}`,
    );
    writeLines(io.out, ['ok', ...lines]);
  } else {
    const before = document.slice(0, verdict.offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    writeLines(io.out, [
      `${verdict.reason} at offset ${verdict.offset} (line ${before.length}, column ${column})`,
    ]);
  }
  if (!verdict.ok) throw new CliFailure(`the document is no summary: ${verdict.reason}`);
}

/** The text of some bytes, a byte order mark included. Where they are no UTF-8 there stands what no document may hold. */
function decode(bytes: Buffer): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (isUtf8(bytes)) return text;
  let read = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, at + 1)) {
    read += Buffer.byteLength(text.slice(from, at));
    from = at;
    if (!bytes.subarray(read, read + 3).equals(REPLACEMENT_BYTES))
      return `${text.slice(0, at)}\ud800${text.slice(at + 1)}`;
  }
  return text;
}

const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES: Buffer = Buffer.from(REPLACEMENT);
