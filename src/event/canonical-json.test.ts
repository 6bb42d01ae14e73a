import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json.ts';

describe('canonicalJson', () => {
  it('is JSON of the same value', () => {
    assert(
      property(jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(JSON.parse(canonicalJson(json))).toEqual(json);
      }),
    );
  });

  it('is one text whatever order keys were written in', () => {
    assert(
      property(jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(canonicalJson(reversed(json))).toBe(canonicalJson(json));
      }),
    );
  });

  // Leaving out the sort, or sorting only what is out of order at the top, fails here; so does building a sorted object
  // and letting JSON.stringify write it, which puts "9" before "10".
  it('sorts keys by code unit at every depth, numbers among them', () => {
    const value = JSON.parse('{"b":[{"z":1,"a":2}],"9":0,"10":0,"__proto__":3,"é":4,"B":5}') as JsonValue;
    expect(canonicalJson(value)).toBe('{"10":0,"9":0,"B":5,"__proto__":3,"b":[{"a":2,"z":1}],"é":4}');
  });
});

function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => reversed(item as JsonValue));
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => [key, reversed(inner)]);
  return Object.fromEntries(entries.reverse());
}
