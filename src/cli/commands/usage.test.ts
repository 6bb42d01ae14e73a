import { expect, it } from 'vitest';
import { cli, SAMPLE } from '../cli.fixture.ts';

const COMMANDS = [
  'compact',
  'import',
  'prompt',
  'explain',
  'records',
  'attempts',
  'verify',
  'undo',
  'redo',
  'pin',
  'sessions',
  'spend',
  'validate-summary',
  'demo',
];

it('helps without being asked, and on being asked', async () => {
  const bare = await cli([]);
  const asked = await cli(['--help']);
  expect(bare).toEqual(asked);
  expect(bare).toMatchObject({ code: 0, err: '' });
  for (const name of COMMANDS) expect(bare.out).toContain(`\n  ${name} `);
  expect(bare.out).toContain('Exit codes:');
});

it.each(COMMANDS)('%s --help has its flags, --json among them, and examples', async (name) => {
  const { code, out, err } = await cli([name, '--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('--json');
  expect(out).toContain(`Examples:\n  $ palimpsest ${name}`);
});

it('says its version', async () => {
  expect((await cli(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
});

it.each([
  [['compct'], "unknown command 'compct' (Did you mean compact?); see palimpsest --help"],
  [['compact'], "missing required argument 'file'; see palimpsest compact --help"],
  [['verify'], "required option '--store <db>' not specified; see palimpsest verify --help"],
  [
    ['verify', '--stroe', 'x'],
    "unknown option '--stroe' (Did you mean --store?); see palimpsest verify --help",
  ],
  [
    ['explain', '-1', '--store', 'x'],
    "command-argument value '-1' is invalid for argument 'seq'. Give a whole number of at least 1 (events are numbered from 1); see palimpsest explain --help",
  ],
  [
    ['compact', 'x', '--sesion', 'y'],
    "unknown option '--sesion' (Did you mean --session?); see palimpsest compact --help",
  ],
  [
    ['compact', 'x', '--interval', '0'],
    "option '--interval <n>' argument '0' is invalid. Give a whole number of at least 1 (turns); see palimpsest compact --help",
  ],
])('%j is called wrongly, and one line says how', async (args, line) => {
  expect(await cli(args)).toEqual({ code: 2, out: '', err: `palimpsest: ${line}\n` });
});

it.each([
  '--interval=0',
  '--interval=-1',
  '--interval=1.5',
  '--interval=NaN',
  '--interval=Infinity',
  '--interval=',
  '--interval=1e3',
  '--interval=99999999999999999999',
  '--overlap=-1',
  '--keep-events=0',
  '--keep-events=-5',
  '--keep-tokens=0',
  '--keep-tokens=many',
  '--as=xml',
])('%s is refused before anything is read', async (flag) => {
  const { code, out, err } = await cli(['compact', '/nowhere', flag]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^palimpsest: option '--[^\n]+\n$/);
});

it('refuses an overlap without windows to overlap', async () => {
  const { code, err } = await cli(['compact', '/nowhere', '--overlap', '1']);
  expect(code).toBe(2);
  expect(err).toMatch(/^palimpsest: --overlap .* --interval too\n$/);
});

it.each([
  ['nonsense', 'provider/model'],
  ['nobody/gpt', 'nobody'],
])('refuses the summarizer %s, and says what there is', async (name, hint) => {
  const { code, err } = await cli(['compact', import.meta.filename, '--summarizer', name]);
  expect(code).toBe(2);
  expect(err).toMatch(/^palimpsest: --summarizer: [^\n]+extractive[^\n]+\n$/);
  expect(err).toContain(hint);
});

it('refuses an empty name for a session', async () => {
  // Left to the import, this is a failure that blames the log.
  const { code, err } = await cli(['compact', SAMPLE, '--session', '']);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'palimpsest: --session is empty; give a name, or leave it out\n',
  });
});

it.each([
  [import.meta.dirname, 'it is a folder; give a file in it'],
  ['/no/such/folder/prompt.json', 'there is no folder /no/such/folder'],
])('refuses --out %s before anything is read', async (path, why) => {
  // Left to the writing, this costs the summaries first and names a temporary file.
  const { code, out, err } = await cli(['compact', '/nowhere', '--out', path]);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: `palimpsest: --out ${path}: ${why}\n` });
});

it('does not let an argument write to the terminal', async () => {
  const { err } = await cli(['compact', 'a\u001b[2Jb\nc']);
  expect(err).toMatch(/^palimpsest: a\\u001b\[2Jb\\u000ac: there is no such file[^\n]*\n$/);
});
