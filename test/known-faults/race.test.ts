// RACE: two writers, two compactors, and everything that happens between reading and committing.
import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import { CommitConflict } from '../../src/event/errors.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import type { SessionStore } from '../../src/store/session-store.ts';
import { quarterCounter } from '../world/characters.ts';
import { Plain } from '../world/plain-session.ts';
import { racingStore } from '../world/racing-store.ts';
import { ScriptedSummarizer } from '../world/scripted-summarizer.ts';
import { committed, shown, spanned } from './reading.ts';

/** Another process at work on the same session. */
function another(plain: Plain, store: SessionStore = plain.store) {
  const summarizer = new ScriptedSummarizer();
  const palimpsest = new Palimpsest({
    store,
    summarizer,
    minimumTokens: 1,
    holder: 'another',
    setTimer: plain.timers.set,
  });
  return { summarizer, session: palimpsest.session(plain.session.key) };
}

const all = { keep: { events: 1 } } as const;

describe('whoever is faster, nothing is lost and nothing is paid twice', () => {
  // Brought back by calling the summarizer before taking the lane's lease.
  it('rows 12, F1: nine processes that see the same backlog make one call and one record', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 4; turn += 1) await plain.turn();
    const crowd = Array.from({ length: 9 }, () => another(plain));
    const runs = await Promise.all(crowd.map(({ session }) => session.compact(all)));
    const asked = crowd.filter(({ summarizer }) => summarizer.requests.length > 0);
    expect(asked.map(({ summarizer }) => summarizer.requests.length)).toEqual([1]);
    expect(runs.flatMap((run) => run.map(({ kind }) => kind)).filter((kind) => kind === 'busy').length).toBe(
      8,
    );
    expect(await plain.session.records()).toHaveLength(1);
    expect((await plain.session.attempts()).map(({ state }) => state)).toEqual(['committed']);
  });

  // Brought back by covering "everything up to now" at commit, or by a range that a late event falls into.
  it('rows 29, 43, 56, F2, F36: what is appended while the summarizer thinks stays raw', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 3; turn += 1) await plain.turn();
    plain.summarizer.whileThinking = async () => {
      const turn = await plain.session.begin();
      await turn.append(
        { role: 'user', content: plain.text() },
        { role: 'assistant', content: plain.text() },
      );
    };
    const [record] = committed(await plain.session.compact(all));
    expect(spanned(record)).toBe('1-5');
    expect(await shown(plain.session)).toBe('s 6 7 8');
    expect((await plain.session.verify()).problems).toEqual([]);
  });

  // Brought back by committing against the revision of the moment instead of the one planned from.
  it.each(['pin', 'undo', 'commit'] as const)(
    'rows 77, 88, F6, F7: a %s meanwhile discards the summary, and the next plan is a new one',
    async (what) => {
      const plain = new Plain();
      for (let turn = 0; turn < 3; turn += 1) await plain.turn();
      const [first] = committed(await plain.session.compact({ keep: { events: 3 } }));
      const other = another(plain);
      let raced = false;
      plain.summarizer.whileThinking = async () => {
        if (raced) return;
        raced = true;
        if (what === 'pin') await other.session.pin(4);
        if (what === 'undo' && first !== undefined) await other.session.undo(first.id);
        if (what !== 'commit') return;
        // Slower than its own lease: somebody else took over.
        plain.now += 3_600_000;
        await other.session.compact(all);
      };
      const outcomes = await plain.session.compact(all);
      expect(outcomes[0]).toMatchObject({ kind: 'discarded' });
      expect(outcomes[0]).not.toHaveProperty('record');
      const ledger = await plain.session.attempts();
      expect(ledger.find(({ state }) => state === 'discarded' || state === 'abandoned')).not.toHaveProperty(
        'record',
      );
      expect((await plain.session.verify()).problems).toEqual([]);
      expect((await plain.session.prompt()).accounting.total.events).toBe(6);
    },
  );

  // Brought back by an attempt that may still commit after its lease ran out and was taken.
  it('rows 74, trap 9: a killed holder frees its lane when its lease ends, and comes too late if it lives', async () => {
    const plain = new Plain();
    for (let turn = 0; turn < 3; turn += 1) await plain.turn();
    const view = await plain.store.view(plain.session.key, { branch: '', isolation: '' }, 'reader');
    const lease = await plain.store.takeLease(plain.session.key, {
      lane: view.lane,
      rootView: false,
      trigger: 'manual',
      window: { spans: [{ first: 1, last: 4 }], events: 4, tokens: 100, invocations: 2 },
      revision: view.revision,
      holder: 'killed',
      milliseconds: 90_000,
    });
    expect(await plain.session.compact(all)).toMatchObject([{ kind: 'busy', heldBy: 'killed' }]);
    expect(await shown(plain.session)).toBe('1 2 3 4 5 6');
    plain.now += 90_000;
    expect(committed(await plain.session.compact(all))).toHaveLength(1);
    expect((await plain.session.attempts()).map(({ state }) => state)).toEqual(['abandoned', 'committed']);
    const attempt = lease.taken ? lease.attempt.id : ('' as never);
    await expect(plain.store.renewLease(plain.session.key, attempt, 90_000)).rejects.toBeInstanceOf(
      CommitConflict,
    );
  });

  // Brought back by a window that is as large as the backlog: then appends faster than a summary starve it.
  it('trap 9: a session that is written to at every await is compacted all the same', async () => {
    const store = new MemoryStore({ counter: quarterCounter });
    const summarizer = new ScriptedSummarizer();
    const busy = racingStore(store, async (method) => {
      if (method === 'view' || method === 'takeLease' || method === 'commit')
        await store.append(key, [{ role: 'user', content: `and ${'lorem '.repeat(30)}` }]);
    });
    const key = { app: 'a', user: 'u', session: 's' };
    await store.append(
      key,
      Array.from({ length: 10 }, () => ({ role: 'user' as const, content: 'lorem '.repeat(50) })),
    );
    const session = new Palimpsest({ store: busy, summarizer, minimumTokens: 1 }).session(key);
    expect(committed(await session.compact({ keep: { events: 3 } }))).toHaveLength(1);
    expect((await new Palimpsest({ store, summarizer }).session(key).verify()).problems).toEqual([]);
  });
});
