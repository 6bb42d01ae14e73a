import { describe, expect, it } from 'vitest';
import { Palimpsest } from '../../src/engine/palimpsest.ts';
import type { Session } from '../../src/engine/session.ts';
import type { RecordId } from '../../src/event/ids.ts';
import type { PromptEntry } from '../../src/prompt/prompt.ts';
import type { Summarizer } from '../../src/summary/summarizer.ts';
import { Scene } from '../planning/scene.ts';

const summarizer: Summarizer = {
  name: 'short',
  format: 'prose',
  summarize: async () => ({ kind: 'summary', content: 'what was said' }),
};

function open(scene: Scene): Session {
  return new Palimpsest({
    store: scene.store,
    summarizer,
    minimumTokens: 1,
    nonce: () => '0123456789abcdef',
  }).session(scene.key);
}

function shape(entries: readonly PromptEntry[]): readonly string[] {
  return entries.map((entry) => {
    if (entry.kind === 'summary') return `summary ${entry.firstSeq}-${entry.lastSeq}`;
    if (entry.kind === 'parked') return `parked ${entry.obligations.length}`;
    return `${entry.state} ${entry.event.seq}${entry.older ? ' older' : ''}`;
  });
}

async function compact(session: Session, events: number): Promise<RecordId> {
  const [outcome] = await session.compact({ keep: { events } });
  if (outcome?.kind !== 'committed') throw new Error(JSON.stringify(outcome));
  return outcome.record.id;
}

describe('assemblePrompt', () => {
  it('shows a summary where the first event it covers sat', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'one', role: 'system', content: 'rules' });
    for (let turn = 1; turn <= 4; turn += 1) await scene.turn(`t${turn}`);
    const session = open(scene);
    await compact(session, 2);
    expect(shape((await session.prompt()).entries)).toEqual(['raw 1', 'summary 2-7', 'raw 8', 'raw 9']);
  });

  // Fails when only raw events are shown: the late answer would be an orphan.
  it('shows an exchange whole when its answer comes after its call was covered', async () => {
    const scene = new Scene();
    await scene.add({ invocation: 'first', role: 'user', content: 'deploy' });
    await scene.add(
      scene.call('first', ['slow', 'quick'], { longRunning: ['slow'] }),
      scene.result('first', ['quick']),
    );
    for (let turn = 1; turn <= 8; turn += 1) await scene.turn(`t${turn}`);
    const session = open(scene);
    await compact(session, 2);
    expect(shape((await session.prompt()).entries)).toEqual(['summary 1-17', 'parked 1', 'raw 18', 'raw 19']);
    await scene.add(scene.result('first', ['slow']));
    const { entries, accounting } = await session.prompt();
    expect(shape(entries)).toEqual([
      'summary 1-17',
      'raw 18',
      'raw 19',
      'recovered 2 older',
      'recovered 3 older',
      'raw 20',
    ]);
    expect(accounting.raw.events + accounting.recovered.events + accounting.covered.events).toBe(20);
    expect((await session.verify()).problems).toEqual([]);
    // The raw part is coverable like any other.
    await scene.turn('last');
    await compact(session, 2);
    expect(shape((await session.prompt()).entries)).toEqual([
      'summary 1-17',
      'summary 18-20',
      'raw 21',
      'raw 22',
    ]);
  });

  it('introduces a pinned event as older than the summary before it', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 4; turn += 1) await scene.turn(`t${turn}`);
    const session = open(scene);
    await compact(session, 2);
    await session.pin(3);
    expect(shape((await session.prompt()).entries)).toEqual(['summary 1-6', 'raw 3 older', 'raw 7', 'raw 8']);
    await session.unpin(3);
    expect(shape((await session.prompt()).entries)).toEqual(['summary 1-6', 'raw 7', 'raw 8']);
  });

  // Fails where a prompt says which calls may still be answered: that changes with turns and leases, and no event does.
  it('names the calls without an answer, and is the same value when their turn ends', async () => {
    const scene = new Scene();
    await scene.turn('one');
    const session = open(scene);
    const turn = await session.begin();
    await turn.append(
      { role: 'user', content: 'deploy' },
      scene.call(turn.invocation, ['plain', 'slow'], { longRunning: ['slow'] }),
    );
    const running = await session.prompt();
    expect(running.entries.at(-1)).toMatchObject({ open: ['plain', 'slow'] });
    const standing = async (): Promise<string> => (await session.explain(4)).exchange.standing;
    expect(await standing()).toBe('open');
    await turn.end();
    expect(JSON.stringify(await session.prompt())).toBe(JSON.stringify(running));
    const lost = await session.begin();
    await lost.append(scene.call(lost.invocation, ['gone']));
    const held = await session.prompt();
    scene.now += 10_000_000;
    expect((await session.explain(5)).exchange.standing).toBe('dead');
    expect(JSON.stringify(await session.prompt())).toBe(JSON.stringify(held));
  });

  it('gives equal bytes for equal sessions', async () => {
    const scene = new Scene();
    for (let turn = 1; turn <= 4; turn += 1) await scene.turn(`t${turn}`);
    const session = open(scene);
    await compact(session, 2);
    expect(JSON.stringify(await session.prompt())).toBe(JSON.stringify(await session.prompt()));
  });
});
