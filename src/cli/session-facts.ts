import type { View } from '../coverage/view.ts';
import type { Session } from '../engine/session.ts';
import type { StoredEvent } from '../event/event.ts';
import type { Seq, SessionKey } from '../event/ids.ts';
import type { Invocation } from '../event/invocation.ts';
import { ROOT_LANE, sees } from '../event/lane.ts';
import { type HeldBack, unitsOf } from '../plan/unit.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { SessionInfo, SessionStore } from '../store/session-store.ts';

/** Where an event stands for the reader of the main conversation. */
export type Place = 'covered' | 'recovered' | 'raw' | 'heldBack' | 'otherLane';

/** Raw events that are not covered for a reason, by reason. */
export interface HeldGroup {
  readonly reason: HeldBack;
  readonly seqs: readonly Seq[];
}

/** What is said of a session as a whole; for people and for `--json`. */
export interface SessionFacts {
  readonly info: SessionInfo;
  readonly prompt: Prompt;
  /** The place of each event, by seq - 1. */
  readonly places: readonly Place[];
  readonly held: readonly HeldGroup[];
  /** Over all lanes; `covered + raw = events`, what is recovered counted as covered. */
  readonly covered: number;
  readonly raw: number;
  readonly recovered: number;
  /** Turns a user opened, in the main conversation. */
  readonly turns: number;
  /** Calls by tool name, most used first. */
  readonly tools: readonly (readonly [name: string, calls: number])[];
  readonly toolErrors: number;
}

const PAGE = 1_000;

/** Reads a session once, in pages. */
export async function sessionFacts(
  store: SessionStore,
  session: Session,
  signal: AbortSignal,
): Promise<SessionFacts> {
  const { key } = session;
  const info = await store.info(key);
  if (info === null) throw new Error('the session is gone');
  const prompt = await session.prompt();
  const held = heldGroups(await store.view(key, ROOT_LANE, 'reader'));
  const places = placesOf(info.events, prompt, held);
  const tools = new Map<string, number>();
  let toolErrors = 0;
  for await (const event of eventsOf(store, key, signal)) {
    if (!sees(ROOT_LANE, event.lane)) places[event.seq - 1] = 'otherLane';
    for (const part of event.content) {
      if (part.type === 'toolCall') tools.set(part.name, (tools.get(part.name) ?? 0) + 1);
      else if (part.type === 'toolResult' && part.isError) toolErrors += 1;
    }
  }
  const elsewhere = await coveredElsewhere(info, session);
  const here = prompt.accounting;
  const covered = here.covered.events + here.recovered.events + elsewhere.covered;
  return {
    info,
    prompt,
    places,
    held,
    covered,
    raw: info.events - covered,
    recovered: here.recovered.events + elsewhere.recovered,
    turns: turnsOf(await store.invocations(key)),
    tools: [...tools].sort((a, b) => b[1] - a[1]),
    toolErrors,
  };
}

/** Every event of a session in seq order. */
export async function* eventsOf(
  store: SessionStore,
  key: SessionKey,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const rows = await store.page(key, after, PAGE);
    for (const row of rows) yield row.event;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.event.seq;
  }
}

function turnsOf(invocations: readonly Invocation[]): number {
  return invocations.filter(({ openedBy, lane }) => openedBy !== null && sees(ROOT_LANE, lane)).length;
}

function heldGroups(view: View): readonly HeldGroup[] {
  const groups = new Map<HeldBack, Seq[]>();
  for (const unit of unitsOf(view, false)) {
    if (unit.held === null) continue;
    const seqs = groups.get(unit.held) ?? [];
    groups.set(unit.held, seqs);
    seqs.push(...unit.events.map((row) => row.event.seq));
  }
  return [...groups].map(([reason, seqs]) => ({ reason, seqs: seqs.sort((a, b) => a - b) }));
}

/** All events as if covered but for those the prompt shows; other lanes are marked when their events are read. */
function placesOf(events: number, prompt: Prompt, held: readonly HeldGroup[]): Place[] {
  const places = Array.from({ length: events }, (): Place => 'covered');
  for (const entry of prompt.entries) {
    if (entry.kind === 'event') places[entry.event.seq - 1] = entry.state;
  }
  for (const { seqs } of held) for (const seq of seqs) places[seq - 1] = 'heldBack';
  return places;
}

/** Coverage in the isolations the main conversation does not see, each as its own root reader sees it. */
async function coveredElsewhere(
  info: SessionInfo,
  session: Session,
): Promise<{ covered: number; recovered: number }> {
  const total = { covered: 0, recovered: 0 };
  const isolations = new Set((await session.records()).map(({ record }) => record.lane.isolation));
  for (const isolation of isolations) {
    if (isolation === ROOT_LANE.isolation || !info.lanes.some(({ lane }) => lane.isolation === isolation)) {
      continue;
    }
    const lane = { branch: '', isolation };
    const { accounting } = await session.prompt({ reader: { agent: '', lane } });
    total.covered += accounting.covered.events + accounting.recovered.events;
    total.recovered += accounting.recovered.events;
  }
  return total;
}
