import type { Count, LiveRecord, View } from '../coverage/view.ts';
import type { Seq } from '../event/ids.ts';
import type { Reader } from '../event/lane.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { ExchangeId } from '../event/obligation.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { fitEntries } from './cut/fit-entries.ts';
import { frameParked } from './frame.ts';
import type { Accounting, EventEntry, ParkedEntry, Prompt, PromptEntry, SummaryEntry } from './prompt.ts';

/** An entry and where it stands: entries are ordered by `at`, then as they were made. */
interface Placed {
  readonly at: Seq;
  readonly entry: SummaryEntry | ShownEvent;
}

interface ShownEvent {
  readonly kind: 'event';
  readonly row: LoggedEvent;
  readonly state: EventEntry['state'];
}

/**
 * The next prompt of a reader, from a view of scope `reader` in its lane. Pure: equal arguments give equal prompts, byte
 * for byte. Each summary stands where the first event it covers sat; an exchange that is part raw, part covered is
 * shown whole where its newest raw event sits.
 *
 * Over a limit, the largest events are shown cut: by head and tail, in equal shares by tokens, around a marker that says
 * how many tokens are missing, of which event, and that the `recall` tool reads the rest. All are cut to one cap, the
 * largest of 256, 512, 1,024 … tokens under which the prompt fits; events of the application's instructions (role
 * `system`) only where the others at 256 are not enough. Texts, code, calls' arguments and results are cut (JSON of a
 * result becomes text, arguments stay a JSON object), media become a label with kind and size; reasoning, signatures,
 * opaque parts, names, ids and summaries never. The store keeps every event whole.
 *
 * A prompt that does not fit at 256 either is returned as it is at that cap: compare `accounting.promptTokens` with the
 * limit.
 *
 * Its bytes change when events, records or pins do, and at one place more: where the prompt outgrows its cap, or shrinks
 * so that twice the cap would do, all events over the smaller of the two are cut anew. As long as it fits under the same
 * cap, appending changes nothing of how earlier events are cut.
 *
 * @param limitTokens The most tokens the prompt may take, as `counter` counts. Missing: nothing is cut, as where the
 *   prompt fits.
 */
export function assemblePrompt(
  view: View,
  reader: Reader,
  counter: TokenCounter,
  limitTokens?: number,
): Prompt {
  const placed: Placed[] = [
    ...view.records.map((live) => ({ at: live.firstSeq, entry: summaryEntry(live) })),
    ...shownEvents(view),
  ];
  placed.sort((a, b) => a.at - b.at);
  const entries = inOrder(view, placed);
  const parked = parkedEntry(view, counter);
  if (parked !== null) entries.splice(lastSummary(entries) + 1, 0, parked);
  const whole = Object.freeze({
    reader,
    revision: view.revision,
    throughSeq: view.through.seq,
    entries: Object.freeze(entries),
    accounting: accountingOf(view, entries),
  });
  const { promptTokens } = whole.accounting;
  return limitTokens === undefined || promptTokens <= limitTokens
    ? whole
    : fitted(whole, limitTokens, counter);
}

/** No lane has it: the next prompt may be cut elsewhere, so usage of this one is no measure of it. */
const CUT_REVISION = 0;

function fitted(whole: Prompt, limitTokens: number, counter: TokenCounter): Prompt {
  const { promptTokens } = whole.accounting;
  const { entries, cut } = fitEntries(whole.entries, promptTokens - limitTokens, counter);
  const accounting = Object.freeze({ ...whole.accounting, cut, promptTokens: promptTokens - cut.tokens });
  return Object.freeze({ ...whole, revision: CUT_REVISION, entries: Object.freeze(entries), accounting });
}

function summaryEntry({ record, firstSeq, lastSeq }: LiveRecord): SummaryEntry {
  // Counted once, when it was committed: counting the frames of twelve records costs more than all the rest here.
  return Object.freeze({ kind: 'summary', record, firstSeq, lastSeq, tokens: record.tokens.summary });
}

function shownEvents(view: View): readonly Placed[] {
  if (view.recovered.length === 0) {
    return view.raw.map((row) => ({ at: row.event.seq, entry: { kind: 'event', row, state: 'raw' } }));
  }
  const newestRaw = new Map<ExchangeId, Seq>();
  for (const row of view.raw) newestRaw.set(row.exchange, row.event.seq);
  const whole = new Set(view.recovered.map((row) => row.exchange));
  const rows = [
    ...view.raw.map((row) => ({ row, state: 'raw' as const })),
    ...view.recovered.map((row) => ({ row, state: 'recovered' as const })),
  ].sort((a, b) => a.row.event.seq - b.row.event.seq);
  return rows.map(({ row, state }) => ({
    at: (whole.has(row.exchange) ? newestRaw.get(row.exchange) : undefined) ?? row.event.seq,
    entry: { kind: 'event', row, state },
  }));
}

/** Entries in their order, with what depends on it: an event is `older` when a summary before it reaches past it. */
function inOrder(view: View, placed: readonly Placed[]): PromptEntry[] {
  let summarizedThrough = 0;
  return placed.map(({ entry }) => {
    if (entry.kind === 'summary') {
      summarizedThrough = Math.max(summarizedThrough, entry.lastSeq);
      return entry;
    }
    const { event } = entry.row;
    return Object.freeze({
      kind: 'event',
      event,
      cut: null,
      state: entry.state,
      older: event.seq < summarizedThrough,
      open: openCalls(view, entry.row),
    });
  });
}

const NONE: readonly string[] = Object.freeze([]);
const NOTHING_CUT: Count = Object.freeze({ events: 0, tokens: 0 });

function openCalls(view: View, row: LoggedEvent): readonly string[] {
  const exchange = view.exchanges.get(row.exchange);
  if (exchange === undefined || exchange.open.length === 0) return NONE;
  const open = exchange.open.filter(({ kind, seq }) => kind === 'call' && seq === row.event.seq);
  return Object.freeze(open.map(({ id }) => id));
}

function parkedEntry(view: View, counter: TokenCounter): ParkedEntry | null {
  const { newest, total } = view.parked;
  if (total === 0) return null;
  const parked = { obligations: newest, more: total - newest.length };
  return Object.freeze({ kind: 'parked', ...parked, tokens: counter.count(frameParked(parked)) });
}

function lastSummary(entries: readonly PromptEntry[]): number {
  return entries.findLastIndex((entry) => entry.kind === 'summary');
}

function accountingOf(view: View, entries: readonly PromptEntry[]): Accounting {
  const raw = countOf(view.raw);
  const recovered = countOf(view.recovered);
  let summaries = 0;
  let summaryTokens = 0;
  let parkedTokens = 0;
  for (const entry of entries) {
    if (entry.kind === 'summary') {
      summaries += 1;
      summaryTokens += entry.tokens;
    } else if (entry.kind === 'parked') {
      parkedTokens += entry.tokens;
    }
  }
  const held = view.records.reduce(
    (sum, live) => ({ events: sum.events + live.covers.events, tokens: sum.tokens + live.covers.tokens }),
    { events: 0, tokens: 0 },
  );
  return Object.freeze({
    total: view.total,
    raw,
    recovered,
    // From what the records cover, not from what is left over: a sum that does not come out shows.
    covered: Object.freeze({
      events: held.events - recovered.events,
      tokens: held.tokens - recovered.tokens,
    }),
    summaries: Object.freeze({ events: summaries, tokens: summaryTokens }),
    cut: NOTHING_CUT,
    promptTokens: raw.tokens + recovered.tokens + summaryTokens + parkedTokens,
  });
}

function countOf(rows: readonly LoggedEvent[]): Count {
  let tokens = 0;
  for (const row of rows) tokens += row.event.tokens;
  return Object.freeze({ events: rows.length, tokens });
}
