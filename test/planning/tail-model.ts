import type { RawEvent, View } from '../../src/coverage/view.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { TailPolicy } from '../../src/plan/tail.ts';

/**
 * What a window of tail retention must be, said again from the design and by other means than the planning: by looking at
 * each event of the view alone. Names every breach.
 */
export function breachesOf(view: View, plan: Plan, policy: TailPolicy, pressure: boolean): readonly string[] {
  if (plan.kind === 'nothing') return nothingBreaches(view, policy, pressure);
  const { window } = plan;
  const breaches: string[] = [];
  const taken = new Set(window.events.map(({ event }) => event.seq));
  const rows = view.raw.filter(({ event }) => taken.has(event.seq));
  const newest = view.raw.at(-1)?.exchange;
  for (const row of rows) {
    const { seq } = row.event;
    const why = whyNot(view, row, pressure, window.rootView);
    if (why !== null) breaches.push(`${seq} is ${why}`);
    if (row.exchange === newest) breaches.push(`${seq} is of the newest exchange`);
    if (!pressure && inKeptTail(view, row, policy)) breaches.push(`${seq} is of the kept tail`);
    if (!window.rootView && whereOf(row) !== whereOf(rows[0] as RawEvent))
      breaches.push(`${seq} is elsewhere`);
    for (const other of view.raw) {
      const together =
        other.exchange === row.exchange && (window.rootView || whereOf(other) === whereOf(row));
      if (together && !taken.has(other.event.seq)) breaches.push(`${seq} is parted from ${other.event.seq}`);
    }
  }
  if (rows.length !== window.events.length) breaches.push('it covers what is not raw');
  const sum = tokens(rows);
  if (sum !== window.tokens) breaches.push('its tokens are not its events’');
  if (sum < policy.minimumTokens) breaches.push('it is under the minimum');
  breaches.push(...sizeBreaches(rows, policy));
  if (!window.rootView) breaches.push(...choiceBreaches(view, rows, policy, pressure));
  return breaches;
}

function sizeBreaches(rows: readonly RawEvent[], policy: TailPolicy): readonly string[] {
  if (tokens(rows) <= policy.maxWindowTokens) return [];
  // Over the cap only for the exchange that began last: without it, the window was not worth it, or was none.
  const firsts = new Map<number, number>();
  for (const row of rows) if (!firsts.has(row.exchange)) firsts.set(row.exchange, row.event.seq);
  const last = [...firsts].sort(([, a], [, b]) => b - a)[0]?.[0];
  const rest = tokens(rows.filter((row) => row.exchange !== last));
  return rest === 0 || rest < policy.minimumTokens ? [] : ['it is over the most a window takes'];
}

/** Oldest first: nothing coverable of the same place begins before what is taken and is left out. */
function choiceBreaches(
  view: View,
  rows: readonly RawEvent[],
  policy: TailPolicy,
  pressure: boolean,
): readonly string[] {
  const [first] = rows;
  if (first === undefined) return ['it is empty'];
  const exchanges = new Set(rows.map((row) => row.exchange));
  const begins = (exchange: number): number =>
    view.raw.find((row) => row.exchange === exchange && whereOf(row) === whereOf(first))?.event.seq ?? 0;
  const youngest = Math.max(...[...exchanges].map(begins));
  const left = view.raw.filter(
    (row) =>
      whereOf(row) === whereOf(first) &&
      !exchanges.has(row.exchange) &&
      begins(row.exchange) < youngest &&
      coverable(view, row, policy, pressure, false),
  );
  return left.length > 0 && !pressure ? [`older ${left[0]?.event.seq} is left out`] : [];
}

/** Nothing: no lane, and not all of them together at the root, has enough. */
function nothingBreaches(view: View, policy: TailPolicy, pressure: boolean): readonly string[] {
  const places = new Map<string, number>();
  let together = 0;
  for (const row of view.raw) {
    if (coverable(view, row, policy, pressure, false)) {
      places.set(whereOf(row), (places.get(whereOf(row)) ?? 0) + row.event.tokens);
    }
    const whole = view.raw.filter((other) => other.exchange === row.exchange);
    if (whole.every((other) => coverable(view, other, policy, pressure, true))) together += row.event.tokens;
  }
  const breaches = [...places].flatMap(([place, sum]) =>
    sum >= policy.minimumTokens ? [`${JSON.stringify(place)} has enough`] : [],
  );
  if (view.lane.branch === '' && places.size > 1 && together >= policy.minimumTokens) {
    breaches.push('the lanes together have enough');
  }
  return breaches;
}

function coverable(
  view: View,
  row: RawEvent,
  policy: TailPolicy,
  pressure: boolean,
  rootView: boolean,
): boolean {
  if (whyNot(view, row, pressure, rootView) !== null || row.exchange === view.raw.at(-1)?.exchange)
    return false;
  return pressure || !inKeptTail(view, row, policy);
}

function whyNot(view: View, row: RawEvent, pressure: boolean, rootView: boolean): string | null {
  const siblings = view.raw.filter(
    (other) => other.exchange === row.exchange && (rootView || whereOf(other) === whereOf(row)),
  );
  const exchange = view.exchanges.get(row.exchange);
  if (exchange === undefined) return 'unknown';
  if (exchange.pinned) return 'pinned';
  if (
    !pressure &&
    siblings.some(({ undone, undoneView }) => undone !== null || (rootView && undoneView !== null))
  )
    return 'undone';
  for (const invocation of view.invocations.values()) {
    if (invocation.state === 'running' && exchange.members.some((seq) => seq === invocation.openedBy))
      return 'being answered';
  }
  const asks = exchange.open.filter(({ kind }) => kind === 'ask');
  for (const owed of exchange.open) {
    const turn = view.invocations.get(owed.invocation);
    if (turn === undefined) return 'owed by nobody known';
    const running = turn.state === 'running';
    const waitsForAsk = asks.some(({ about }) => about === owed.id || about === '');
    const dead = owed.kind === 'call' && !owed.longRunning && !running && !waitsForAsk;
    if (dead) continue;
    if (owed.kind === 'call' && !owed.longRunning && running) return 'owed a result';
    if (!pressure && view.invocationCount - turn.ordinal < 8) return 'owed an answer';
  }
  return null;
}

/** By its definition: within the newest so many events, or the newest so many tokens, or of an exchange that is. */
function inKeptTail(view: View, row: RawEvent, { keep }: TailPolicy): boolean {
  return view.raw.some((other, at) => {
    if (other.exchange !== row.exchange) return false;
    const from = view.raw.slice(at);
    return at === view.raw.length - 1 || from.length <= keep.events || tokens(from) <= keep.tokens;
  });
}

function whereOf({ event, under }: RawEvent): string {
  return `${event.lane.isolation}/${event.lane.branch}/${under ?? ''}`;
}

function tokens(rows: readonly RawEvent[]): number {
  return rows.reduce((sum, { event }) => sum + event.tokens, 0);
}
