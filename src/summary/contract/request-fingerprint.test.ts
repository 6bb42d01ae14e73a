import { describe, expect, it } from 'vitest';
import { fourths } from '../source.fixture.ts';
import type { Summarizer } from '../summarizer.ts';
import { IDENTITY } from './input.fixture.ts';
import { type FingerprintParts, requestFingerprint, requestIdentity } from './request-fingerprint.ts';

const parts: FingerprintParts = {
  systemHash: '11'.repeat(32),
  toolsHash: '22'.repeat(32),
  contextHash: '33'.repeat(32),
  model: IDENTITY.model,
  basis: IDENTITY.basis,
  counter: { name: 'fourths', quality: 'estimate' },
};

describe('requestFingerprint', () => {
  // Fails when the canonical form changes: then a fingerprint stored before says nothing any more.
  it('stays what it is', () => {
    expect(requestFingerprint(parts)).toMatchInlineSnapshot(
      `"16645e16c68d60ee4bbd448d4116245e09d4e5c020e28c74512ebcb5c3dc8c26"`,
    );
  });

  it('is one for one request, however its parts are written', () => {
    const { basis, model, ...hashes } = parts;
    const again = {
      model: { model: model.model, provider: model.provider },
      ...hashes,
      basis: { ...basis, revision: 7n },
    };
    expect(requestFingerprint(again)).toBe(requestFingerprint(parts));
  });

  it('is another for any part that is another', () => {
    const others: Partial<FingerprintParts>[] = [
      { systemHash: '44'.repeat(32) },
      { toolsHash: '44'.repeat(32) },
      { contextHash: '44'.repeat(32) },
      { model: { provider: 'acme', model: 'm-2' } },
      { model: { provider: 'acm', model: 'em-1' } },
      { basis: { ...IDENTITY.basis, revision: 8 } },
      { basis: { revision: 7, throughEventId: 'event-4' } },
      { counter: { name: 'fifths', quality: 'estimate' } },
      { counter: { name: 'fourths', quality: 'exact' } },
      { systemHash: parts.toolsHash, toolsHash: parts.systemHash },
    ];
    const all = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(requestFingerprint);
    expect(new Set(all).size).toBe(others.length + 1);
    for (const fingerprint of all) expect(fingerprint).toMatch(/^[0-9a-f]{64}$/u);
  });

  it.each<readonly [string, object]>([
    ['systemHash', { systemHash: '' }],
    ['toolsHash', { toolsHash: 'AA'.repeat(32) }],
    ['contextHash', { contextHash: undefined }],
    ['model', { model: { provider: '', model: 'm' } }],
    ['basis', { basis: { revision: 0, throughEventId: 'e' } }],
    ['counter', { counter: undefined }],
    ['counter', { counter: { name: '', quality: 'exact' } }],
    ['counter', { counter: { name: 'a', quality: 'good' } }],
  ])('refuses a missing %s: %o', (part, change) => {
    const refused = (): string => requestFingerprint({ ...parts, ...change });
    expect(refused).toThrow(expect.objectContaining({ code: 'config', about: `fingerprint.${part}` }));
  });
});

describe('requestIdentity', () => {
  const summarizer: Summarizer = {
    name: 'mine',
    format: 'sections',
    shape: { prompt: '1', sampling: { temperature: 0 } },
    summarize: async () => ({ kind: 'declined', reason: 'other' }),
  };
  const asked = { basis: IDENTITY.basis, maxSummaryTokens: 500, counter: fourths };
  const of = (more: Partial<Summarizer> = {}, how: Partial<typeof asked> = {}): string =>
    requestIdentity({ ...summarizer, ...more }, { ...asked, ...how }).requestFingerprint;

  it('says whose request it is, or that it is the summarizer itself', () => {
    expect(requestIdentity(summarizer, asked)).toMatchObject({
      basis: IDENTITY.basis,
      model: { provider: 'palimpsest', model: 'mine' },
    });
    expect(requestIdentity({ ...summarizer, model: IDENTITY.model }, asked).model).toEqual(IDENTITY.model);
  });

  // Fails when what shapes the answers (prompt, sampling, caps) is left out of the fingerprint.
  it('has another fingerprint for whatever shapes the request', () => {
    const all = [
      of(),
      of({ shape: { prompt: '2', sampling: { temperature: 0 } } }),
      of({ shape: { prompt: '1', sampling: { temperature: 1 } } }),
      of({ format: 'prose' }),
      of({ maxTranscriptCodePoints: 9_000 }),
      of({ caps: { toolInput: 64, toolOutput: 64, mediaLabel: false } }),
      of({ model: IDENTITY.model }),
      of({}, { maxSummaryTokens: 501 }),
      of({}, { basis: { ...IDENTITY.basis, revision: 8 } }),
      of({}, { counter: { ...fourths, quality: 'exact' } }),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(of({ shape: { sampling: { temperature: 0 }, prompt: '1' } })).toBe(of());
  });

  it('can be repeated: ids that are no text are made well-formed', () => {
    const { basis, model } = requestIdentity(
      { ...summarizer, model: { provider: 'a\ud800', model: '' } },
      { ...asked, basis: { revision: 1, throughEventId: '\udc00e' } },
    );
    expect([basis.throughEventId, model]).toEqual(['\ufffde', { provider: 'a\ufffd', model: 'mine' }]);
  });
});
