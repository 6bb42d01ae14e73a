import { describe, expect, it } from 'vitest';
import {
  MemoryStore,
  Palimpsest,
  type Summarizer,
  type SummaryRequest,
  type SummaryResult,
} from '../src/index.ts';
import { InvalidSummaryError, requestIdentity } from '../src/summary/index.ts';

const DOCUMENT =
  '<conversation_summary><goal>g</goal><constraints/><decisions/><state>s</state><open_items/></conversation_summary>';

/** A session of three turns, compacted once by what gives this back. */
async function compacted(give: (request: SummaryRequest) => SummaryResult, more: Partial<Summarizer> = {}) {
  const asked: SummaryRequest[] = [];
  const summarizer: Summarizer = {
    name: 'mine',
    format: 'sections',
    shape: { prompt: '1' },
    summarize: async (request) => {
      asked.push(request);
      return give(request);
    },
    ...more,
  };
  const store = new MemoryStore();
  const palimpsest = new Palimpsest({ store, summarizer, keep: { events: 1 }, minimumTokens: 1 });
  const session = palimpsest.session({ app: 'a', user: 'u', session: 's' });
  for (const said of ['one ', 'two ', 'three '])
    await session.append([{ role: 'user', content: said.repeat(400) }]);
  const [outcome] = await session.compact();
  const records = await session.records();
  const verified = await session.verify();
  await palimpsest.close();
  return { outcome, records, verified, asked, summarizer, counter: store.counter };
}

describe('a compaction crosses the boundary', () => {
  it('asked with the identity its record carries', async () => {
    const { outcome, records, asked, summarizer, counter } = await compacted(() => ({
      kind: 'summary',
      content: DOCUMENT,
    }));
    expect(outcome?.kind).toBe('committed');
    const [record] = records.map((state) => state.record);
    const [request] = asked;
    if (record === undefined || request === undefined) throw new Error('nothing was asked');
    expect(request.identity).toEqual({
      basis: { revision: record.basis.revision, throughEventId: record.basis.throughEventId },
      model: { provider: 'palimpsest', model: 'mine' },
      requestFingerprint: record.fingerprint,
    });
    const { maxSummaryTokens } = request;
    expect(record.fingerprint).toBe(
      requestIdentity(summarizer, { basis: record.basis, maxSummaryTokens, counter }).requestFingerprint,
    );
  });

  // Fails when what shapes a summarizer's answers is no part of the fingerprint.
  it('under another fingerprint when it is asked otherwise', async () => {
    const fingerprints = [];
    for (const shape of [{ prompt: '1' }, { prompt: '2' }]) {
      const { asked } = await compacted(() => ({ kind: 'declined', reason: 'other' }), { shape });
      fingerprints.push(asked[0]?.identity?.requestFingerprint);
    }
    expect(new Set(fingerprints).size).toBe(2);
  });

  // Fails when a text is stored as five sections that is none: then it stands in for the conversation for ever.
  it.each([
    ['prose', 'xml_structure', 0],
    [`${DOCUMENT}\n`, 'xml_structure', DOCUMENT.length],
    [DOCUMENT.replace('>g<', '> <'), 'xml_content', DOCUMENT.indexOf('g</goal>')],
    [DOCUMENT.slice(0, -1), 'xml_syntax', DOCUMENT.length - 1],
  ])('or is refused with its reason, and nothing changes: %j', async (content, reason, offset) => {
    const usage = { inputTokens: 50, outputTokens: 7 };
    const { outcome, records, verified } = await compacted(() => ({ kind: 'summary', content, usage }));
    if (outcome?.kind !== 'failed') throw new Error('it was not refused');
    expect(outcome).toMatchObject({
      reason: `invalid_summary:${reason}`,
      attempt: { state: 'failed', usage },
    });
    expect(outcome.cause).toBeInstanceOf(InvalidSummaryError);
    expect(outcome.cause).toMatchObject({ reason, offset, message: `invalid summary: ${reason}` });
    expect(records).toEqual([]);
    expect(verified).toMatchObject({ ok: true, records: 0 });
  });

  it('or is declined for a reason of the closed set', async () => {
    const given = { kind: 'declined', reason: 'invalid_summary:wire', usage: { inputTokens: 3 } } as const;
    const { outcome } = await compacted(() => given);
    expect(outcome).toMatchObject({
      kind: 'declined',
      reason: 'invalid_summary:wire',
      attempt: { usage: { inputTokens: 3 } },
    });
    const other = await compacted(() => ({ ...given, reason: 'invalid_summary:what the user said' }));
    expect(other.outcome).toMatchObject({ kind: 'declined', reason: 'other' });
  });
});
