import { describe, expect, it } from 'vitest';
import { reachable } from '../source.fixture.ts';
import { callSettings } from './call-settings.ts';

const settings = {
  temperature: 0.5,
  headers: { 'x-team': 'blue' },
  providerOptions: {
    acme: { metadata: { tags: ['a'] }, safetySettings: [{ level: 1 }], thinking: { budget: 9 } },
  },
};

describe('callSettings', () => {
  // Fails when a call is handed the headers or the options another one holds.
  it('gives each call its own, whatever a model writes to those it was given', () => {
    const make = callSettings(settings);
    const [first, second] = [make(), make()];
    expect(first).toEqual(second);
    const others = new Set([...reachable(second), ...reachable(settings)]);
    expect([...reachable(first)].filter((object) => others.has(object))).toEqual([]);
    Object.assign(first.headers ?? {}, { 'x-team': 'changed', authorization: 'Bearer x' });
    Object.assign(first.providerOptions?.['acme']?.['metadata'] ?? {}, { tags: ['changed'] });
    first.temperature = 2;
    expect(second).toEqual(make());
    expect(make()).toEqual({
      temperature: 0.5,
      headers: { 'x-team': 'blue' },
      providerOptions: { acme: { metadata: { tags: ['a'] }, safetySettings: [{ level: 1 }] } },
    });
  });

  it('is not changed by what the application does later', () => {
    const mine = structuredClone(settings);
    const make = callSettings(mine);
    mine.headers['x-team'] = 'red';
    mine.providerOptions.acme.metadata.tags.push('b');
    expect(make()).toMatchObject({
      headers: { 'x-team': 'blue' },
      providerOptions: { acme: { metadata: { tags: ['a'] } } },
    });
  });
});
