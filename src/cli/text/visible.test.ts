import { expect, it } from 'vitest';
import { visible, visibleLines, visibleProse } from './visible.ts';

it('shows what a terminal would obey instead of sending it', () => {
  expect(visible('a\u001b[2Jb\rc\nd\u009b31m')).toBe('a\\u001b[2Jb\\u000dc\\u000ad\\u009b31m');
});

it('shows marks that reorder or hide text', () => {
  expect(visible('txt.\u202eexe \u2066x\u2069 \ufeff \u{e0041}')).toBe(
    'txt.\\u202eexe \\u2066x\\u2069 \\ufeff \\u{e0041}',
  );
});

it('leaves the joiners of scripts and emoji alone', () => {
  expect(visible('👩‍👩‍👧 नमस्‍ते')).toBe('👩‍👩‍👧 नमस्‍ते');
});

it('repairs lone surrogates', () => {
  expect(visible('a\ud83d')).toBe('a\ufffd');
});

it('keeps line breaks and tabs where lines are shown, and nothing else', () => {
  expect(visibleLines('a\n\tb\r\u001b]0;title\u0007')).toBe('a\n\tb\\u000d\\u001b]0;title\\u0007');
});

it('puts prose on one line', () => {
  expect(visibleProse('  one\n\n two\u3000three ')).toBe('one two three');
});
