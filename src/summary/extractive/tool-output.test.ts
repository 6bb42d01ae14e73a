import { expect, it } from 'vitest';
import type { JsonValue } from '../../event/json.ts';
import type { ToolOutput } from '../../event/part.ts';
import { intentOf } from './tool-input.ts';
import { type Outcome, outcomeOf } from './tool-output.ts';

function outcome(command: string, output: string | { readonly json: JsonValue }, isError = false): Outcome {
  const intent = intentOf({ type: 'toolCall', id: 'a', name: 'bash', input: { json: { command } } });
  const given: ToolOutput = typeof output === 'string' ? { parts: [{ type: 'text', text: output }] } : output;
  return outcomeOf({ type: 'toolResult', id: 'a', name: 'bash', output: given, isError }, intent);
}

it.each([
  ['npm test', 'ok', false, ''],
  ['npm test', 'Error: x is broken\n    at a (b.ts:1:2)\nExit code 1', true, 'Error: x is broken'],
  [
    'npm test',
    '{"output":"Tests: 2 failed, 3 passed\\n","metadata":{"exit_code":0}}',
    true,
    'Tests: 2 failed, 3 passed',
  ],
  ['npm test', '{"output":"no such file\\n","metadata":{"exit_code":127}}', true, 'no such file'],
  ['mix test', '14 doctests, 87 tests, 0 failures', false, '14 doctests, 87 tests, 0 failures'],
  ['git commit -m x', '[main 1a2b3c4] Fix\n 2 files changed, 3 insertions(+)', false, '[main 1a2b3c4] Fix'],
  ['cat log', 'Error: this is what the file says', false, ''],
  ['grep x a.ts', '   12→  throw new Error("failed")', false, ''],
  ['make', '\u001b[31merror\u001b[0m: boom', true, 'error: boom'],
  ['テスト実行', 'エラー: 接続できません', true, 'エラー: 接続できません'],
])('%s: %j', (command, output, failed, line) => {
  expect(outcome(command, output)).toEqual({ failed, line });
});

it('reads JSON results by what they declare', () => {
  expect(outcome('npm test', { json: { success: false, error: 'port in use' } })).toEqual({
    failed: true,
    line: 'error: port in use',
  });
  expect(outcome('npm test', { json: { stdout: '5 passed', exitCode: 0 } })).toEqual({
    failed: false,
    line: '5 passed',
  });
  expect(outcome('npm test', { json: null })).toEqual({ failed: false, line: '' });
});

it('skims ten megabytes', () => {
  const output = `start\n${'noise of the build\n'.repeat(600_000)}FAILED: 3 tests failed`;
  expect(outcome('npm test', output)).toEqual({ failed: true, line: 'FAILED: 3 tests failed' });
});
