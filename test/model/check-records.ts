import type { CompactionRecord } from '../../src/coverage/record.ts';
import type { StoredEvent } from '../../src/event/event.ts';
import type { Attempt } from '../../src/plan/attempt.ts';
import type { SourceEvent, SummaryRequest } from '../../src/summary/summarizer.ts';
import { digestOf, type ModelRecords, sortedJson } from './records.ts';
import { maySee, type Told } from './told.ts';

/** A call the fake summarizer answered: its answer names it by `#number`. */
export interface AnsweredCall {
  readonly number: number;
  readonly request: SummaryRequest;
}

/** What the oracle holds records against. */
export interface RecordCheck {
  readonly records: ModelRecords;
  /** The records that were made here, and not copied from elsewhere. */
  readonly own: readonly CompactionRecord[];
  readonly events: readonly Told[];
  readonly attempts: readonly Attempt[];
  readonly calls: readonly AnsweredCall[];
  /** Whether a call takes no more than so much. */
  readonly bounded: boolean;
}

/** All that is wrong with the records of a session, in words. */
export function recordFaults(check: RecordCheck): readonly string[] {
  const faults: string[] = [];
  for (const record of check.records.all) {
    const note = (fault: string): void => {
      faults.push(`record ${record.id}: ${fault}`);
    };
    if (record.digest !== digestOf(record, check.records, check.events)) note('digest is not what it says');
    countFaults(check, record, note);
    shownFaults(check, record, note);
    if (!check.own.includes(record)) continue;
    const attempt = check.attempts.find(({ id }) => id === record.attempt);
    if (attempt?.state !== 'committed' || attempt.record !== record.id) note('no attempt committed it');
  }
  const revisions = check.records.all.map(({ lane, revision }) => `${JSON.stringify(lane)} ${revision}`);
  if (new Set(revisions).size !== revisions.length) faults.push('two records of a lane share a revision');
  for (const attempt of check.attempts) {
    if (attempt.state !== 'committed' || check.records.get(attempt.record ?? '')) continue;
    faults.push(`attempt ${attempt.id} says committed and has no record`);
  }
  return faults;
}

function countFaults(
  { records, events }: RecordCheck,
  record: CompactionRecord,
  note: (fault: string) => void,
): void {
  const seqs = records.seqsOf(record);
  const tokens = events.reduce((sum, { seq, stored }) => sum + (seqs.has(seq) ? stored.tokens : 0), 0);
  if (record.events !== seqs.size) note(`counts ${record.events} events, covers ${seqs.size}`);
  if (record.tokens.covered !== tokens) note(`counts ${record.tokens.covered} tokens, covers ${tokens}`);
  const ends = record.spans.flatMap(({ first, last }) => [first, last]);
  if (ends.some((seq) => !seqs.has(seq))) note('a span does not end on an event it covers');
}

/** G3: its summarizer was shown the events it covers, word for word, its context, what it replaces, and nothing else. */
function shownFaults(check: RecordCheck, record: CompactionRecord, note: (fault: string) => void): void {
  const { events, records } = check;
  const stored = new Set(records.all.map(({ summary }) => summary.text));
  const shown = gather(check.calls, record.summary.text, stored);
  if (shown === null) {
    note('its summary was never written');
    return;
  }
  const seqs = records.ownSeqs(record);
  const given = [...new Set(shown.events.map(({ seq }) => seq))].sort((a, b) => a - b);
  if (given.join() !== seqs.join()) note(`covers ${seqs.join()} and was shown ${given.join()}`);
  const context = [...new Set(shown.context.map(({ seq }) => seq))].sort((a, b) => a - b);
  const stated = events.filter(({ seq }) =>
    record.context.some((span) => span.first <= seq && seq <= span.last),
  );
  const statedSeqs = stated.map(({ seq }) => seq);
  // Where a call is bounded not all context fits: what was not read may then be said to have been.
  const read = check.bounded
    ? context.every((seq) => statedSeqs.includes(seq))
    : context.join() === statedSeqs.join();
  if (!read) note(`read ${context.join()} and says it read ${statedSeqs.join()}`);
  if (context.some((seq) => given.includes(seq))) note('read as context what it covers');
  for (const seq of [...given, ...context]) {
    const event = events[seq - 1]?.stored;
    // Who reads the record: its lane, and below it; of a root view, the root.
    if (event === undefined || !maySee(record.lane, event.lane))
      note(`read event ${seq}, which its lane may not see`);
  }
  for (const source of [...shown.events, ...shown.context])
    sourceFaults(source, events[source.seq - 1]?.stored, note);
  const replaced = record.supersedes.map((id) => records.get(id)?.summary.text ?? '');
  if (shown.previous.join('\n') !== replaced.join('\n')) note('was shown other summaries than it replaces');
}

function sourceFaults(
  source: SourceEvent,
  event: StoredEvent | undefined,
  note: (fault: string) => void,
): void {
  const fields = Object.keys(source).sort().join();
  if (!/^author,invocation,parts,(?:piece,)?role,seq,unanswered$/u.test(fields))
    note(`was shown fields ${fields}`);
  if (event === undefined) return;
  const same =
    source.author === event.author && source.role === event.role && source.invocation === event.invocation;
  if (!same) note(`was shown event ${source.seq} as another's`);
  const whole = sortedJson(withoutState(event.content));
  // A piece of a long event shows some of it; who puts the pieces together is the splitter's own test.
  if (!('piece' in source) && sortedJson(source.parts) !== whole)
    note(`was shown event ${source.seq} changed`);
}

function withoutState(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === 'providerState' ? undefined : inner)),
  );
}

interface Gathered {
  readonly events: readonly SourceEvent[];
  readonly context: readonly SourceEvent[];
  readonly previous: readonly string[];
}

/** What all calls that led to a summary were shown; a summary of a part, shown again as a previous one, is followed. */
function gather(calls: readonly AnsweredCall[], text: string, stored: ReadonlySet<string>): Gathered | null {
  const named = /^#(\d+) /u.exec(text);
  const call = calls.find(({ number }) => String(number) === named?.[1]);
  if (call === undefined) return null;
  const events = [...call.request.events];
  const context = [...call.request.context];
  const previous: string[] = [];
  for (const earlier of call.request.previous) {
    const part = stored.has(earlier.text) ? null : gather(calls, earlier.text, stored);
    if (part === null) {
      previous.push(earlier.text);
      continue;
    }
    events.push(...part.events);
    context.push(...part.context);
    previous.push(...part.previous);
  }
  return { events, context, previous };
}
