import type { Lane } from '../../src/event/lane.ts';
import type { Prompt } from '../../src/prompt/prompt.ts';
import type { Exchanges } from './exchanges.ts';
import { marksIn, sayingOfEntry } from './marks.ts';
import type { ModelRecords } from './records.ts';
import { laneName, maySee, type Told } from './told.ts';

/** What the oracle holds a prompt against. */
export interface PromptCheck {
  readonly reader: Lane;
  readonly prompt: Prompt;
  readonly events: readonly Told[];
  readonly records: ModelRecords;
  readonly exchanges: Exchanges;
  readonly pinned: ReadonlySet<number>;
  /** The mark each event says, by its seq: no two events share one. */
  readonly marks: ReadonlyMap<number, string>;
}

/** All that is wrong with one reader's prompt, in words. */
export function promptFaults(check: PromptCheck): readonly string[] {
  const faults = [
    ...coverFaults(check),
    ...exchangeFaults(check),
    ...scopeFaults(check),
    ...orderFaults(check),
    ...sumFaults(check),
    ...cutFaults(check),
  ];
  return faults.map((fault) => `reader ${laneName(check.reader)}: ${fault}`);
}

/** G2: every visible event is exactly one of raw, covered by one shown record, or recovered; nothing else is shown. */
function coverFaults({ reader, prompt, events, records, exchanges, pinned }: PromptCheck): string[] {
  const faults: string[] = [];
  const shownRecords = records.shownTo(reader);
  const summaries = prompt.entries.flatMap((entry) => (entry.kind === 'summary' ? [entry.record.id] : []));
  const expected = new Set(shownRecords.map((record) => record.id));
  if (summaries.length !== expected.size || summaries.some((id) => !expected.has(id)))
    faults.push(`summaries shown ${summaries.join()} but live ${[...expected].join()}`);
  const states = new Map<number, string[]>();
  for (const entry of prompt.entries) {
    if (entry.kind === 'event')
      states.set(entry.event.seq, [...(states.get(entry.event.seq) ?? []), entry.state]);
  }
  const covers = shownRecords.map((record) => records.seqsOf(record));
  const isRaw = (seq: number): boolean => pinned.has(seq) || !covers.some((seqs) => seqs.has(seq));
  for (const { seq, stored } of events) {
    const shown = states.get(seq) ?? [];
    states.delete(seq);
    if (!maySee(reader, stored.lane)) {
      if (shown.length > 0) faults.push(`event ${seq} is shown and not for this reader`);
      continue;
    }
    const covering = covers.filter((seqs) => seqs.has(seq)).length;
    if (covering > 1) faults.push(`event ${seq} is covered ${covering} times`);
    const mates = exchanges.members(seq).filter((member) => {
      const mate = events[member - 1];
      return mate !== undefined && maySee(reader, mate.stored.lane);
    });
    const wanted = isRaw(seq) ? ['raw'] : mates.some(isRaw) ? ['recovered'] : [];
    if (shown.join() !== wanted.join())
      faults.push(`event ${seq} is shown as [${shown.join()}], should be [${wanted.join()}]`);
  }
  for (const seq of states.keys()) faults.push(`event ${seq} is shown and does not exist`);
  return faults;
}

/** G4: what a reader may see of an exchange is all there or all gone, and stands together where it is put together. */
function exchangeFaults({ reader, prompt, events, exchanges }: PromptCheck): string[] {
  const faults: string[] = [];
  const shown = prompt.entries.flatMap((entry) => (entry.kind === 'event' ? [entry] : []));
  const seqs = new Set(shown.map((entry) => entry.event.seq));
  for (const seq of seqs) {
    for (const member of exchanges.members(seq)) {
      const mate = events[member - 1];
      if (mate !== undefined && maySee(reader, mate.stored.lane) && !seqs.has(member))
        faults.push(`event ${seq} is shown without event ${member} of its exchange`);
    }
  }
  const recovered = new Set(
    shown.flatMap((entry) => (entry.state === 'recovered' ? [exchanges.groupOf(entry.event.seq)] : [])),
  );
  for (const group of recovered) {
    const at = shown.flatMap((entry, index) => (exchanges.groupOf(entry.event.seq) === group ? [index] : []));
    if ((at.at(-1) ?? 0) - (at[0] ?? 0) !== at.length - 1)
      faults.push(`exchange ${group} is shown in pieces`);
  }
  return faults;
}

/** G5: whatever a prompt says comes from events its reader may see. */
function scopeFaults({ reader, prompt, events, marks }: PromptCheck): string[] {
  const mine = new Set(
    events.flatMap(({ seq, stored }) => (maySee(reader, stored.lane) ? [marks.get(seq) ?? ''] : [])),
  );
  return marksIn(prompt.entries.map(sayingOfEntry).join('\n'))
    .filter((mark) => !mine.has(mark))
    .map((mark) => `says ${mark}, which this reader may not know`);
}

/** Events in seq order but for exchanges put together; each summary where the first event it covers sat. */
function orderFaults({ reader, prompt, exchanges, records }: PromptCheck): string[] {
  const faults: string[] = [];
  const recovered = new Set(
    prompt.entries.flatMap((entry) =>
      entry.kind === 'event' && entry.state === 'recovered' ? [exchanges.groupOf(entry.event.seq)] : [],
    ),
  );
  const places = prompt.entries.flatMap((entry) => {
    if (entry.kind === 'parked') return [];
    if (entry.kind === 'summary') return [Math.min(...records.seqsOf(entry.record))];
    const group = exchanges.groupOf(entry.event.seq);
    if (!recovered.has(group)) return [entry.event.seq];
    const raw = prompt.entries.flatMap((other) =>
      other.kind === 'event' && other.state === 'raw' && exchanges.groupOf(other.event.seq) === group
        ? [other.event.seq]
        : [],
    );
    return [Math.max(...raw)];
  });
  for (const [index, place] of places.entries()) {
    if (index > 0 && place < (places[index - 1] ?? 0)) faults.push(`entry ${index} is out of order`);
  }
  for (const entry of prompt.entries) {
    if (entry.kind !== 'summary') continue;
    const seqs = [...records.seqsOf(entry.record)];
    if (entry.firstSeq !== Math.min(...seqs) || entry.lastSeq !== Math.max(...seqs))
      faults.push(`summary of ${entry.record.id} says ${entry.firstSeq} to ${entry.lastSeq}`);
  }
  if (prompt.reader.lane.branch !== reader.branch) faults.push('is for another reader');
  return faults;
}

/** The accounting adds up to what the events say. */
function sumFaults({ reader, prompt, events }: PromptCheck): string[] {
  const faults: string[] = [];
  const mine = events.filter(({ stored }) => maySee(reader, stored.lane));
  const tokens = mine.reduce((sum, { stored }) => sum + stored.tokens, 0);
  const { total, raw, recovered, covered, summaries, promptTokens } = prompt.accounting;
  if (total.events !== mine.length || total.tokens !== tokens)
    faults.push(`total ${total.events}/${total.tokens}, should be ${mine.length}/${tokens}`);
  if (raw.events + recovered.events + covered.events !== total.events) faults.push('events do not add up');
  if (raw.tokens + recovered.tokens + covered.tokens !== total.tokens) faults.push('tokens do not add up');
  let shown = 0;
  let kept = 0;
  let parked = 0;
  for (const entry of prompt.entries) {
    shown += entry.kind === 'event' ? entry.event.tokens : entry.tokens;
    if (entry.kind === 'summary') kept += entry.tokens;
    if (entry.kind === 'parked') parked += entry.tokens;
  }
  const whole = raw.tokens + recovered.tokens + kept + parked - prompt.accounting.cut.tokens;
  if (promptTokens !== whole) faults.push(`prompt tokens ${promptTokens}, its parts sum to ${whole}`);
  if (promptTokens !== shown) faults.push(`prompt tokens ${promptTokens}, its entries sum to ${shown}`);
  if (summaries.tokens !== kept) faults.push(`summary tokens ${summaries.tokens}, entries say ${kept}`);
  return faults;
}

/** An event is shown as it is stored, or cut: smaller by what it says, named in its place, and otherwise the same. */
function cutFaults({ prompt, events }: PromptCheck): string[] {
  const faults: string[] = [];
  const sum = { events: 0, tokens: 0 };
  for (const entry of prompt.entries) {
    const stored = entry.kind === 'event' ? events[entry.event.seq - 1]?.stored : undefined;
    if (entry.kind !== 'event' || stored === undefined) continue;
    const { event, cut } = entry;
    const { seq } = event;
    const said = JSON.stringify({ ...event, content: stored.content, tokens: stored.tokens });
    if (said !== JSON.stringify(stored)) faults.push(`event ${seq} is shown as another`);
    if (cut === null) {
      const same = event.tokens === stored.tokens && isSame(event.content, stored.content);
      if (!same) faults.push(`event ${seq} is shown otherwise than it is stored, and not as cut`);
      continue;
    }
    sum.events += 1;
    sum.tokens += cut.tokens;
    if (cut.tokens < 1 || event.tokens + cut.tokens !== stored.tokens)
      faults.push(`event ${seq} of ${stored.tokens} is shown with ${event.tokens}, cut by ${cut.tokens}`);
    if (!JSON.stringify(event.content).includes(` tokens of event ${seq} are not shown here`))
      faults.push(`event ${seq} does not say that it is cut`);
  }
  const { cut } = prompt.accounting;
  if (cut.events !== sum.events || cut.tokens !== sum.tokens)
    faults.push(`cut ${cut.events}/${cut.tokens}, its entries say ${sum.events}/${sum.tokens}`);
  return faults;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
