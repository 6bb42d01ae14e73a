import { expect, it } from 'vitest';
import { docBlocks } from './doc-blocks.ts';

it('extracts ts blocks with the line they start on, and honours the marks', () => {
  const markdown = [
    '# Title',
    '```ts',
    'one();',
    '',
    '```',
    '- item',
    '  ```ts no-run',
    '  two();',
    '    nested();',
    '  ```',
    '````ts',
    '```',
    '````',
    '```ts no-check',
    'fragment',
    '```',
    '```sh',
    'npm ci',
    '```',
  ].join('\n');
  expect(docBlocks('a.md', markdown)).toEqual([
    { page: 'a.md', line: 3, code: 'one();\n', run: true },
    { page: 'a.md', line: 8, code: 'two();\n  nested();', run: false },
    { page: 'a.md', line: 12, code: '```', run: true },
  ]);
});

it('refuses a block that is never closed', () => {
  expect(() => docBlocks('a.md', 'text\n```ts\nx')).toThrow('a.md:2');
});
