import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRequest, MOST_NAMED } from './request.ts';

describe('what a model may ask for', () => {
  it.each([
    [
      { words: 'a b', skip: 2 },
      { kind: 'words', words: 'a b', skip: 2 },
    ],
    [
      { words: 'a', events: [], record: '', from: null },
      { kind: 'words', words: 'a', skip: 0 },
    ],
    ['what was said', { kind: 'words', words: 'what was said', skip: 0 }],
    ['{"words":"a"}', { kind: 'words', words: 'a', skip: 0 }],
    [{ events: [3, '4', 'e-1'] }, { kind: 'events', events: [3, '4', 'e-1'], offset: 0 }],
    [
      { events: 3, offset: '20' },
      { kind: 'events', events: [3], offset: 20 },
    ],
    [
      { ids: ['e-1'], words: ' ' },
      { kind: 'events', events: ['e-1'], offset: 0 },
    ],
    [
      { from: 2, to: 9 },
      { kind: 'span', from: 2, to: 9 },
    ],
    [{ from: '2' }, { kind: 'span', from: 2, to: Number.MAX_SAFE_INTEGER }],
    [{ to: 9 }, { kind: 'span', from: 1, to: 9 }],
    [
      { record: 'r', to: 9 },
      { kind: 'record', record: 'r', to: 9 },
    ],
  ])('%j', (input, expected) => {
    expect(checkRequest(input)).toEqual(expected);
  });

  it.each([
    [undefined],
    [null],
    [7],
    [[1, 2]],
    [{}],
    [{ words: '' }],
    [{ words: 'a', from: 1 }],
    [{ events: [1], record: 'r' }],
    [{ words: ['a'] }],
    [{ words: 'a', skip: -1 }],
    [{ events: [1.5] }],
    [{ events: [{}] }],
    [{ events: ['x'.repeat(513)] }],
    [{ events: Array.from({ length: MOST_NAMED + 1 }, (_, at) => at + 1) }],
    [{ events: [1, 2], offset: 3 }],
    [{ events: [1], offset: 'x' }],
    [{ from: 9, to: 2 }],
    [{ from: 'x' }],
    [{ to: Number.NaN }],
    [{ record: {} }],
    [{ record: 'r', to: -1 }],
  ])('not %j', (input) => {
    const checked = checkRequest(input);
    expect(checked).toEqual({ kind: 'problem', problem: expect.stringMatching(/^[^\n]{10,140}$/u) });
  });

  it('is never more than a problem', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(['words', 'events', 'span', 'record', 'problem']).toContain(checkRequest(input).kind);
      }),
    );
  });
});
