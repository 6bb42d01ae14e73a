// STATE: what is left after a restart, an undo, a fork, and all of them after one another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session } from '../../src/engine/session.ts';
import { RefusedError } from '../../src/event/errors.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { quarterCounter } from '../world/characters.ts';
import { branch, Plain } from '../world/plain-session.ts';
import { playStory } from '../world/played-store.ts';
import { ScriptedSummarizer } from '../world/scripted-summarizer.ts';
import { committed, shown } from './reading.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function bytes(session: Session): Promise<string> {
  const readers = [branch(''), branch('b'), branch('b.c')];
  const prompts = await Promise.all(readers.map((lane) => session.prompt({ reader: { agent: '', lane } })));
  return JSON.stringify(prompts);
}

describe('what is stored is what there is', () => {
  // Brought back by deriving coverage while a process lives instead of storing what it is derived from.
  it('rows 71, 72, 96: after a restart every prompt is the same to the byte', async () => {
    const path = join(folder, 'restart.db');
    const first = await openSqliteStore(path, { counter: quarterCounter });
    const session = await playStory(first);
    const before = await bytes(session);
    const { key } = session;
    await first.close();
    const second = await openSqliteStore(path, { counter: quarterCounter });
    const again = new Palimpsest({ store: second, summarizer: new ScriptedSummarizer() }).session(key);
    expect(await bytes(again)).toBe(before);
    expect((await again.verify()).problems).toEqual([]);
    await second.close();
  });

  // Brought back by rewriting history when it is compacted: then nothing before it can be had again.
  it('rows 73, F39: any record can be undone, however many came after, and redone', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    for (let turn = 0; turn < 5; turn += 1) await plain.turn();
    const records = (await plain.session.records()).map(({ record }) => record.id);
    expect(await shown(plain.session)).toBe('s s s s s');
    const before = JSON.stringify((await plain.session.prompt()).entries);
    for (const id of [records[1], records[3], records[0]]) if (id !== undefined) await plain.session.undo(id);
    expect(await shown(plain.session)).toBe('1 2 3 4 s 7 8 s');
    for (const id of [records[0], records[3], records[1]]) if (id !== undefined) await plain.session.redo(id);
    expect(JSON.stringify((await plain.session.prompt()).entries)).toBe(before);
  });

  // Brought back by redoing a record whose events another covers by now.
  it('DESIGN 9: redo is refused, naming the records, once others cover its events', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    const [first] = committed(await plain.session.compact({ keep: { events: 3 } }));
    if (first === undefined) throw new Error('nothing was compacted');
    await plain.session.undo(first.id);
    const later = committed(await plain.session.compact({ keep: { events: 1 } }));
    const refused = await plain.session.redo(first.id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ ids: later.map(({ id }) => id) });
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by an undone window that the next turn summarizes again.
  it('DESIGN 5: what a person undid no strategy covers again, and they themselves may', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    await plain.turn();
    const [state] = await plain.session.records();
    if (state !== undefined) await plain.session.undo(state.record.id);
    for (let turn = 0; turn < 3; turn += 1) await plain.turn();
    expect(await shown(plain.session)).toBe('1 2 s s s');
    await plain.session.compact({ keep: { events: 1 } });
    expect(await shown(plain.session)).toBe('s 2 s s s');
    await plain.turn();
    await plain.session.compact({ keep: { events: 1 }, sliding: { interval: 1 } });
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by a fork that shares, or loses, what its origin has.
  it('trap 13: a fork goes its own way, and its origin stays as it was', async () => {
    const plain = new Plain({ sliding: { interval: 1 } });
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    await plain.session.pin(3);
    const [, second] = (await plain.session.records()).map(({ record }) => record);
    if (second !== undefined) await plain.session.undo(second.id);
    const before = await bytes(plain.session);
    const fork = await plain.session.fork(5, { ...plain.session.key, session: 'fork' });
    // The third record covers what was not copied; its copied half is raw.
    expect(await shown(fork)).toBe('s 3 4 5');
    expect((await fork.verify()).problems).toEqual([]);
    const turn = await fork.begin();
    await turn.append({ role: 'user', content: plain.text() });
    await turn.end();
    await fork.idle();
    await fork.unpin(3);
    expect((await fork.verify()).problems).toEqual([]);
    expect(await bytes(plain.session)).toBe(before);
    expect((await fork.info())?.lineage).toEqual({ from: plain.session.key, throughSeq: 5 });
  });

  // Brought back by a resumed turn being taken for a new one, or uncovering what it said before.
  it('DESIGN 3: a turn resumed after it was covered keeps its place, and stays covered', async () => {
    const plain = new Plain({ sliding: { interval: 2 } });
    const first = await plain.turn();
    await plain.turn();
    expect(await shown(plain.session)).toBe('s');
    const again = await plain.session.begin({ id: first.invocation });
    await again.append({ role: 'user', content: 'and now?' });
    expect(await shown(plain.session)).toBe('s 5');
    const [known, other] = await plain.store.invocations(plain.session.key);
    expect([known?.state, known?.ordinal, other?.ordinal]).toEqual(['running', 1, 2]);
    await again.end();
    await plain.session.idle();
    expect((await plain.session.verify()).problems).toEqual([]);
  });
});
