import { describe, expect, it } from 'vitest';
import type { Part } from '../../event/part.ts';
import { shownEvent } from '../source.fixture.ts';
import {
  asking,
  assistant,
  did,
  gave,
  judged,
  ran,
  type Step,
  sectionsOf,
  summarized,
  unansweredCall,
  user,
} from './extractive.fixture.ts';

describe('state', () => {
  it('names files by what was last done to them, by the shape of the values', async () => {
    const { state } = await sectionsOf([
      user('Clean up.'),
      ...did('Read', { file_path: '/srv/app/src/a.ts' }, '1→x'),
      ...did('Edit', { file_path: '/srv/app/src/a.ts', old_string: 'x', new_string: 'y' }, 'updated'),
      ...did('make_document', { where: '/srv/app/docs/b.md', content: '# B' }, 'ok'),
      ...did(
        'apply_patch',
        { input: '*** Begin Patch\n*** Delete File: src/c.ts\n*** Update File: src/a.ts\n@@\n*** End Patch' },
        'Done',
      ),
      ...did(
        'shell',
        { command: ['bash', '-lc', 'cat /srv/app/src/d.ts && rm -f /srv/app/src/e.ts'] },
        'text',
      ),
      ...did('Read', { file_path: '/srv/app/src/a.ts' }, '1→y'),
    ]);
    expect(state.split('\n').map((line) => line.replace(/^- /, ''))).toEqual([
      '',
      'root: /srv/app/src',
      'edited: a.ts',
      'written: /srv/app/docs/b.md',
      'deleted: e.ts, src/c.ts',
      'ok: `cat /srv/app/src/d.ts && rm -f /srv/app/src/e.ts`',
      'read: d.ts',
      '  ',
    ]);
  });

  it('keeps the last outcome of a command, with what it counted', async () => {
    const { state, open_items } = await sectionsOf([
      user('Make the tests pass.'),
      ...ran(
        'cd /srv && npm test 2>&1 | tail -20',
        'FAIL a.test.ts\nTypeError: x is not a function\n    at run (a.ts:1:2)\nTests: 1 failed, 4 passed',
      ),
      ...ran('npm test', 'Tests: 5 passed, 5 total'),
      ...ran(
        'git add -A && git commit -m "Fix the parser"',
        '[main 1a2b3c4] Fix the parser\n 1 file changed',
      ),
      ...ran('ls -la', 'total 8'),
    ]);
    expect(state).toContain('- ok: `npm test`: Tests: 5 passed, 5 total\n');
    expect(state).toContain('- commit: [main 1a2b3c4] Fix the parser\n');
    expect(state).not.toContain('ls -la');
    expect(open_items).not.toContain('TypeError');
  });

  it('says what the assistant said it did last, without code and filler', async () => {
    const { state } = await sectionsOf([
      user('Fix it.'),
      assistant('Perfect! The race is gone.\n\n```ts\nconst x = 1;\n```\n\n- The lock is taken first'),
    ]);
    expect(state).toBe('last: The race is gone.\n  - The lock is taken first');
  });
});

describe('open items', () => {
  it('says what was asked last and how it stands', async () => {
    const asked = async (...steps: Step[]): Promise<string> =>
      (await sectionsOf([user('Start.'), user('Fix the build.'), ...steps])).open_items;
    expect(await asked()).toBe('asked last (unanswered): Fix the build.');
    expect(await asked(assistant('It builds.'))).toBe('asked last (answered): Fix the build.');
    expect(await asked(...ran('npm run lint', ''))).toBe('asked last (in progress): Fix the build.');
    expect(await asked(assistant('Building:'), user('[Request interrupted by user]'))).toBe(
      'asked last (interrupted): Fix the build.',
    );
  });

  it('keeps a failure until the same thing, or all it was a case of, succeeds', async () => {
    const failure = ran(
      'npm test && npm run lint',
      'src/a.ts: error TS2304: Cannot find name x\nExit code 2',
      true,
    );
    const open = async (...steps: Step[]): Promise<string> =>
      (await sectionsOf([user('Go.'), ...failure, ...steps])).open_items;
    const shown = 'error: `npm test && npm run lint`: src/a.ts: error TS2304: Cannot find name x';
    expect(await open()).toContain(shown);
    expect(await open(...ran('npm test', '5 passed'))).toContain(shown);
    expect(await open(...ran('npm test', '5 passed'), ...ran('npm run lint -- src', ''))).not.toContain(
      'error:',
    );
  });

  it('closes a failed test of one file when all tests pass, and not the other way', async () => {
    const one = (output: string, isError: boolean): Step[] =>
      ran('npx vitest run test/a.test.ts', output, isError);
    const all = (output: string, isError: boolean): Step[] => ran('npm test', output, isError);
    const open = async (...steps: Step[]): Promise<string> =>
      (await sectionsOf([user('Go.'), ...steps])).open_items;
    expect(await open(...one('1 failed', true), ...all('9 passed', false))).not.toContain('error:');
    expect(await open(...all('1 failed', true), ...one('2 passed', false))).toContain(
      'error: `npm test`: 1 failed',
    );
  });

  it('keeps a failed edit until that file is changed', async () => {
    const failed = did(
      'Edit',
      { file_path: 'src/a.ts', old_string: 'x' },
      '<tool_use_error>String to replace not found in file.</tool_use_error>',
      true,
    );
    const other = did('Edit', { file_path: 'src/b.ts', old_string: 'x' }, 'updated');
    const mended = did('Write', { file_path: 'src/a.ts', content: 'x' }, 'written');
    expect((await sectionsOf([user('Go.'), ...failed, ...other])).open_items).toContain(
      'error: `Edit(src/a.ts)`: String to replace not found in file.',
    );
    expect((await sectionsOf([user('Go.'), ...failed, ...mended])).open_items).not.toContain('error:');
  });

  it('lists calls without an answer, open items of the newest plan, and the assistant’s question', async () => {
    const plan = (state: string): Step[] =>
      did(
        'update_plan',
        {
          plan: [
            { step: 'read', status: 'completed' },
            { step: 'write', status: state },
            { step: 'ship', status: 'pending' },
          ],
        },
        'ok',
      );
    const { open_items } = await sectionsOf([
      user('Go.'),
      ...plan('pending'),
      ...plan('in_progress'),
      unansweredCall('c9', 'deploy', { target: 'staging' }),
      assistant('The plan stands. Shall I ship to production too?'),
    ]);
    expect(open_items).toBe(
      '\n- asked last (answered): = goal\n- doing: write\n- todo: ship\n- asked user: Shall I ship to production too?\n- no result: `deploy(target=staging)`\n  ',
    );
  });

  it('names no result whose call is nowhere, and forgets a missing answer once the same was done', async () => {
    const steps = [
      user('Go.'),
      gave('lost', 'Bash', 'Error: boom', true),
      unansweredCall('a', 'bash', { command: 'npm run build' }),
    ];
    expect((await sectionsOf(steps)).open_items).toBe(
      '\n- asked last (in progress): = goal\n- no result: `npm run build`\n  ',
    );
    expect((await sectionsOf([...steps, ...ran('npm run build', '')])).open_items).toBe(
      'asked last (in progress): = goal',
    );
  });

  it('reads a result for a call of the context', async () => {
    const context = [
      shownEvent(
        1,
        [{ type: 'toolCall', id: 'c1', name: 'bash', input: { json: { command: 'npm test' } } }],
        { role: 'assistant' },
      ),
    ];
    const { state } = await sectionsOf([user('Go.'), gave('c1', 'bash', '3 passed')], { context });
    expect(state).toBe('ok: `npm test`: 3 passed');
  });
});

describe('parts that are no talk', () => {
  it('are read for what they are', async () => {
    const parts: Part[] = [
      { type: 'media', kind: 'image', mimeType: 'image/png', data: 'AAAA', name: 'login.png' },
      { type: 'code', language: 'python', code: 'print(1)' },
      { type: 'codeResult', outcome: 'OUTCOME_FAILED', output: 'NameError: x' },
      { type: 'reasoning', text: 'We decided to never tell.' },
      { type: 'opaque', provider: 'openai', kind: 'compaction', json: { encrypted: 'abc' } },
    ];
    const request = asking([user('Look.')]);
    const events = [...request.events, shownEvent(2, parts, { role: 'assistant' })];
    const sections = judged(await summarized({ ...request, events }));
    expect(sections).toEqual({
      goal: 'Look.',
      constraints: '',
      decisions: '',
      state: 'attached: login.png',
      open_items: '\n- asked last (in progress): = goal\n- error: `python code(print(1))`: NameError: x\n  ',
    });
  });
});
