import { expect, it } from 'vitest';
import { showPrompt } from './render-prompt.ts';
import { silentIo } from './report/compacted.fixture.ts';

function shown(text: string, isTerminal: boolean): string {
  const written: string[] = [];
  const io = silentIo();
  showPrompt({ ...io, out: { ...io.out, isTerminal, write: (piece) => written.push(piece) } }, text);
  return written.join('');
}

it('shows on a terminal what it would obey, and changes no byte for a pipe', () => {
  const prompt = 'user:\n\tls\u001b[2J\u202e\u009b31m\r\n';
  expect(shown(prompt, true)).toBe('user:\n\tls\\u001b[2J\\u202e\\u009b31m\\u000d\n');
  expect(shown(prompt, false)).toBe(prompt);
});
