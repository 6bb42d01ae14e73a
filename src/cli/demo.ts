import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../coverage/problem.ts';
import type { Session } from '../engine/session.ts';
import type { Seq } from '../event/ids.ts';
import { toText } from '../prompt/providers/text.ts';
import type { SessionStore } from '../store/session-store.ts';
import { compactSession } from './compact-session.ts';
import { importSession } from './import-session.ts';
import { type Io, writeJson, writeLines } from './io.ts';
import { readStore, withStore } from './open.ts';
import { pickSession } from './pick.ts';
import type { CompactFacts } from './report/compact-facts.ts';
import { compactJson } from './report/compact-json.ts';
import { compactReport } from './report/compact-report.ts';
import { demoEnd, demoStart, promptPreview } from './report/demo-report.ts';
import { eventsOf } from './session-facts.ts';
import { verifySession } from './verify-session.ts';

/** The session that ships in the package. */
const SAMPLE: string = fileURLToPath(new URL('../../samples/coding-session.jsonl', import.meta.url));
const SHOWN_AS = 'samples/coding-session.jsonl';
/** Text that a store writes as it is, long enough to be found and short enough to lie on one page of the file. */
const PROBE = /^[ !#-[\]-~]{24,400}$/;

/** The same fence each time, so that the demo shows the same figures each time. A session of one's own gets one that cannot be guessed. */
const NONCE = '5a17d3c0b964e82f';

/** What the demo does beside compacting: one summary taken back and restored, one byte changed in a copy. */
export interface DemoProof {
  readonly undo: { readonly before: number; readonly undone: number; readonly redone: number };
  readonly tamper: { readonly seq: number; readonly problems: readonly Problem[] };
}

/** Runs the demo in a temporary folder and removes it. */
export async function runDemo(io: Io, json: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-demo-'));
  try {
    const path = join(folder, 'demo.db');
    const { facts, undo, probe } = await withStore(
      { path, create: true, nonce: () => NONCE },
      async (open) => {
        const { session, report } = await importSession(io, open, SAMPLE, undefined);
        const palimpsest = await open();
        const compacted = await compactSession(io, palimpsest, session);
        const facts: CompactFacts = {
          source: SHOWN_AS,
          imported: report,
          interval: null,
          store: null,
          ...compacted,
        };
        return {
          facts,
          undo: await undoAndRedo(session),
          probe: await findProbe(palimpsest.store, session, io),
        };
      },
    );
    const tamper = { seq: probe.seq, problems: await tamperWithCopy(io, path, probe.text) };
    if (json) {
      writeJson(io.out, { compact: compactJson(facts), undo, tamper });
      return;
    }
    const { look } = io.out;
    writeLines(io.out, [
      ...demoStart(look),
      ...compactReport(look, facts),
      '',
      ...promptPreview(look, toText(facts.session.prompt)),
      ...demoEnd(look, io.program, { undo, tamper }),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function undoAndRedo(session: Session): Promise<DemoProof['undo']> {
  const size = async (): Promise<number> => (await session.prompt()).accounting.promptTokens;
  const before = await size();
  const newest = (await session.records()).at(-1);
  if (newest === undefined) return { before, undone: before, redone: before };
  await session.undo(newest.record.id);
  const undone = await size();
  await session.redo(newest.record.id);
  return { before, undone, redone: await size() };
}

/** A user's message whose bytes can be found in the file. */
async function findProbe(
  store: SessionStore,
  session: Session,
  io: Io,
): Promise<{ readonly seq: Seq; readonly text: string }> {
  for await (const { seq, role, content } of eventsOf(store, session.key, io.signal)) {
    for (const part of role === 'user' ? content : []) {
      if (part.type === 'text' && PROBE.test(part.text)) return { seq, text: part.text };
    }
  }
  throw new Error('the sample has no message to tamper with');
}

/** Changes one byte of one event in a copy of the store; what `verify` says of the copy. */
async function tamperWithCopy(io: Io, path: string, text: string): Promise<readonly Problem[]> {
  const bytes = await readFile(path);
  const at = bytes.indexOf(text);
  if (at === -1) throw new Error('the message is not in the file as it was said');
  const middle = at + (text.length >> 1);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  const copy = `${path}.copy`;
  await writeFile(copy, bytes);
  return readStore(copy, async (palimpsest) => {
    const key = pickSession(await palimpsest.store.sessions(), undefined);
    return (await verifySession(io, palimpsest.session(key))).problems;
  });
}
