import { expect, it } from 'vitest';
import { Progress } from './progress.ts';

function screen(isTerminal: boolean): { readonly written: string[]; at: number; progress: Progress } {
  const written: string[] = [];
  const clock = { at: 0 };
  const progress = new Progress({
    isTerminal,
    width: 30,
    write: (text) => written.push(text),
    now: () => clock.at,
  });
  return Object.assign(clock, { written, progress });
}

it('redraws one line on a terminal, and takes it away', () => {
  const state = screen(true);
  state.progress.report('importing', 0, 100);
  state.at = 100;
  state.progress.report('importing', 50, 100);
  state.progress.report('importing', 51, 100);
  state.at = 200;
  state.progress.report('done', 100, 100);
  state.progress.clear();
  state.progress.clear();
  expect(state.written).toEqual(['\rimporting: 50.0 %', '\rdone: 100 %      ', `\r${' '.repeat(11)}\r`]);
});

it('says at once what has begun, on a terminal only', () => {
  const terminal = screen(true);
  terminal.progress.begin('summarizing');
  expect(terminal.written).toEqual(['\rsummarizing']);
  const pipe = screen(false);
  pipe.progress.begin('summarizing');
  expect(pipe.written).toEqual([]);
});

it('never draws a line that wraps', () => {
  const state = screen(true);
  state.at = 100;
  state.progress.report('x'.repeat(100), 1, 2);
  expect(state.written).toEqual([`\r${'x'.repeat(28)}…`]);
});

it('writes a plain line now and then where nothing can be redrawn', () => {
  const state = screen(false);
  for (state.at = 0; state.at < 11_000; state.at += 100) state.progress.report('verifying', state.at, null);
  state.progress.clear();
  expect(state.written).toEqual(['palimpsest: verifying: 5000\n', 'palimpsest: verifying: 10000\n']);
});
