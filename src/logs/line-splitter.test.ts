import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

interface Line {
  readonly text: string;
  readonly ended: boolean;
}

function split(bytes: Uint8Array, chunk: number, limit?: number): (Line | 'too long')[] {
  const lines: (Line | 'too long')[] = [];
  const splitter = new LineSplitter(
    {
      line: (buffer, start, end, ended) => lines.push({ text: buffer.toString('utf8', start, end), ended }),
      tooLong: () => lines.push('too long'),
    },
    limit,
  );
  const reused = Buffer.alloc(chunk);
  for (let at = 0; at < bytes.length; at += chunk) {
    const piece = bytes.subarray(at, at + chunk);
    reused.set(piece);
    splitter.push(reused.subarray(0, piece.length));
  }
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  test('gives the same lines however the bytes are cut into chunks, also when the chunks share a buffer', () => {
    // Comes back when a held piece is not copied, or when characters are decoded chunk by chunk.
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a🎉é日\u0001 ]{0,6}$/u), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (texts, chunk, ended) => {
          const content = texts.join('\n') + (ended ? '\n' : '');
          const expected = content
            .split('\n')
            .map((text, index, all) => ({ text, ended: index < all.length - 1 }));
          if (expected.at(-1)?.text === '') expected.pop();
          expect(split(Buffer.from(content), chunk)).toEqual(expected);
        },
      ),
    );
  });

  test('drops the carriage return of a line break, and no other', () => {
    expect(split(Buffer.from('a\r\nb\rc\r\n\r\nd\r'), 3)).toEqual([
      { text: 'a', ended: true },
      { text: 'b\rc', ended: true },
      { text: '', ended: true },
      { text: 'd\r', ended: false },
    ]);
  });

  test('drops a byte order mark at the start, and only there', () => {
    const lines = split(Buffer.from('\ufeffa\n\ufeffb\n'), 2);
    expect(lines).toEqual([
      { text: 'a', ended: true },
      { text: '\ufeffb', ended: true },
    ]);
  });

  test('says that a line is too long without keeping it, and goes on after it', () => {
    const lines = split(Buffer.from(`ab\n${'x'.repeat(50)}\ncd\n${'y'.repeat(50)}`), 7, 20);
    expect(lines).toEqual([{ text: 'ab', ended: true }, 'too long', { text: 'cd', ended: true }, 'too long']);
  });

  test('comes to an end with one long line in small chunks', () => {
    // Comes back when the held pieces are concatenated at each chunk: 4 MB in 64-byte chunks would copy 131 GB.
    const bytes = Buffer.alloc(4_000_000, 'x');
    expect(split(bytes, 64)).toHaveLength(1);
  });
});
