import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionKey } from '../../event/ids.ts';
import { ROOT_LANE } from '../../event/lane.ts';
import { openSqliteStore } from '../../store/sqlite/index.ts';
import { cli, cliJson, Folder } from '../cli.fixture.ts';

const folder = new Folder();
const store = folder.at('spend.db');
const at = ['--store', store];
const HOUR = 3_600_000;
const TODAY = Date.now();

const MIKA: SessionKey = { app: 'shop', user: 'mika', session: 'order-42' };
const NOOR: SessionKey = { app: 'shop', user: 'noor', session: 'order-43' };
const DESK: SessionKey = { app: 'desk', user: 'mika', session: 'ticket-\u001b[2J' };

/** What attempts cost that ended at these times. */
const ATTEMPTS: readonly (readonly [key: SessionKey, at: number, input: number, output: number])[] = [
  [MIKA, Date.UTC(2026, 5, 30, 23, 59), 1_000, 200],
  [MIKA, Date.UTC(2026, 6, 1, 0, 0), 2_000, 400],
  [NOOR, Date.UTC(2026, 6, 1, 0, 30), 8_000, 400],
  [NOOR, Date.UTC(2026, 6, 1, 9, 0), 100, 0],
  [DESK, TODAY - 30 * HOUR, 50, 5],
  [DESK, TODAY, 40, 4],
];

beforeAll(async () => {
  let now = 0;
  const opened = await openSqliteStore(store, { clock: () => now, synchronous: 'normal' });
  for (const [key, when, inputTokens, outputTokens] of ATTEMPTS) {
    now = when;
    await opened.append(key, []);
    const window = { spans: [], events: 0, tokens: 0, invocations: 0 };
    const request = {
      lane: ROOT_LANE,
      rootView: false,
      trigger: 'manual',
      revision: 1,
      holder: 'h',
    } as const;
    const lease = await opened.takeLease(key, { ...request, window, milliseconds: 1 });
    if (!lease.taken) throw new Error('the lease is not taken');
    const spend = { inputTokens, outputTokens, calls: 2 };
    await opened.endAttempt(key, lease.attempt.id, { state: 'declined', reason: 'other', spend });
  }
  await opened.close();
});
afterAll(() => folder.remove());

/** The names of the rows, and their tokens. */
async function rows(...args: readonly string[]): Promise<readonly (readonly [string, number])[]> {
  const json = await cliJson(['spend', ...at, ...args]);
  return json.rows.map(({ inputTokens, outputTokens, calls, attempts, ...of }: Record<string, number>) => {
    if (calls !== 2 * Number(attempts)) throw new Error('two calls an attempt');
    return [Object.values(of).join(' '), Number(inputTokens) + Number(outputTokens)];
  });
}

describe('spend', () => {
  it('adds up by day, and says so in words and bars', async () => {
    const { code, out, err } = await cli(['spend', ...at, '--app', 'shop']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      '12,100 summarizer tokens: 11,100 in, 1,000 out, by 8 calls in 4 attempts',
      '',
      'day (UTC)                                   tokens      in  out  calls  attempts',
      '2026-06-30  ███                              1,200   1,000  200      2         1',
      '2026-07-01  ██████████████████████████████  10,900  10,100  800      6         3',
      '',
    ]);
  });

  it('adds up by hour, month, session and user', async () => {
    const shop = ['--app', 'shop'];
    expect(await rows(...shop, '--by', 'hour')).toEqual([
      ['2026-06-30T23:00:00.000Z', 1_200],
      ['2026-07-01T00:00:00.000Z', 10_800],
      ['2026-07-01T09:00:00.000Z', 100],
    ]);
    expect(await rows(...shop, '--by', 'month')).toEqual([
      ['2026-06', 1_200],
      ['2026-07', 10_900],
    ]);
    // Sessions and users by what they spent, most first.
    expect(await rows('--by', 'session')).toEqual([
      ['shop noor order-43', 8_500],
      ['shop mika order-42', 3_600],
      [`desk mika ${DESK.session}`, 99],
    ]);
    expect(await rows('--by', 'user', '--user', 'mika')).toEqual([
      ['shop mika', 3_600],
      ['desk mika', 99],
    ]);
    expect((await cli(['spend', ...at, ...shop, '--by', 'hour'])).out).toContain('\n2026-07-01 09:00  █ ');
  });

  it('tells whose it is where it is not all of one, and cannot be steered by a name', async () => {
    const { out } = await cli(['spend', ...at, '--by', 'session'], { COLUMNS: '100' });
    expect(out).toMatch(/\nshop\/noor\/order-43 +█+ +8,500 /);
    expect(out).toContain('desk/mika/ticket-\\u001b[2J');
    expect((await cli(['spend', ...at, '--by', 'session', '--user', 'noor'])).out).toMatch(/\norder-43 +█/);
    expect((await cli(['spend', ...at, '--by', 'user', '--app', 'shop'])).out).toMatch(/\nnoor +█+ /);
  });

  it('counts from a time, a day, or so long ago', async () => {
    const total = async (...args: readonly string[]): Promise<number> =>
      (await rows(...args)).reduce((sum, [, tokens]) => sum + tokens, 0);
    expect(await total('--app', 'shop', '--since', '2026-07-01')).toBe(10_900);
    // The hour a time falls in counts whole.
    expect(await total('--app', 'shop', '--since', '2026-07-01T00:59:59Z')).toBe(10_900);
    expect(await total('--app', 'shop', '--since', '2026-07-01T03:00:00+02:00')).toBe(100);
    expect(await total('--app', 'desk', '--since', '7d')).toBe(99);
    expect(await total('--app', 'desk', '--since', '1w')).toBe(99);
    expect(await total('--app', 'desk', '--since', '2h')).toBe(44);
    expect(await cliJson(['spend', ...at, '--since', '2026-07-01T00:59:59Z'])).toMatchObject({
      store,
      since: '2026-07-01T00:00:00.000Z',
      by: 'day',
      total: { inputTokens: expect.any(Number), calls: 10, attempts: 5 },
    });
    expect((await cli(['spend', ...at, '--app', 'shop', '--since', '2026-07-01'])).out).toMatch(
      /^10,900 summarizer tokens since 2026-07-01 00:00 UTC: /,
    );
  });

  it('takes a session by the beginning of its id, and one that spent nothing', async () => {
    expect(await rows('--session', 'order-42', '--by', 'session')).toEqual([['shop mika order-42', 3_600]]);
    expect(await rows('--session', 'tick')).toHaveLength(2);
    expect(await cli(['spend', ...at, '--session', 'order'])).toMatchObject({
      code: 1,
      err: 'palimpsest: 2 sessions fit order; give one of: order-42, order-43\n',
    });
    expect(await cli(['spend', ...at, '--session', 'nobody'])).toMatchObject({
      code: 1,
      err: 'palimpsest: the store holds no session nobody; see palimpsest sessions\n',
    });
    const quiet = folder.at('quiet.db');
    await cli(['compact', folder.chat('quiet.json', 40), '--store', quiet]);
    // What is extracted costs nothing.
    expect(await cli(['spend', '--store', quiet, '--session', 'quiet'])).toEqual({
      code: 0,
      out: 'nothing spent: no summarizer reported any tokens\n',
      err: '',
    });
  });

  // Comes back when spend belongs to the session's row: whoever deletes a session makes its tenant's bill smaller.
  it('outlives the session', async () => {
    const gone = folder.at('gone.db');
    copyFileSync(store, gone);
    const database = new DatabaseSync(gone);
    database.exec('PRAGMA foreign_keys = ON; DELETE FROM sessions');
    database.close();
    const told = await cliJson(['spend', '--store', gone, '--session', 'order-42', '--by', 'user']);
    expect(told.rows).toMatchObject([{ app: 'shop', user: 'mika', inputTokens: 3_000, outputTokens: 600 }]);
    expect((await cli(['sessions', '--store', gone])).out).toBe('no sessions\n');
  });

  it('is one line where there is nothing, and an empty list in JSON', async () => {
    const since = ['--since', '2100-01-01'];
    expect(await cli(['spend', ...at, ...since])).toEqual({
      code: 0,
      out: 'nothing spent since 2100-01-01 00:00 UTC: no summarizer reported any tokens\n',
      err: '',
    });
    expect(await cliJson(['spend', ...at, '--app', 'nobody'])).toEqual({
      store,
      since: null,
      by: 'day',
      total: { inputTokens: 0, outputTokens: 0, calls: 0, attempts: 0 },
      rows: [],
    });
  });

  it.each([30, 44, 60])('fits %s columns', async (width) => {
    const { out } = await cli(['spend', ...at, '--by', 'session'], { COLUMNS: String(width) });
    expect(out.split('\n').filter((line) => line.length > width)).toEqual([]);
    expect(out).toContain('8,500');
  });

  it('draws in ASCII where the locale has no other characters', async () => {
    const { out } = await cli(['spend', ...at, '--app', 'shop'], { LC_ALL: 'C' });
    expect(out).toContain('2026-06-30  ### ');
  });

  it.each(['yesterday', '7', '0.5d', '-7d', '2026-02-30', '2026-07-01T09:00', ''])(
    'refuses --since %s',
    async (since) => {
      const { code, out, err } = await cli(['spend', ...at, `--since=${since}`]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        /^palimpsest: option '--since <time>' argument '.*' is invalid\. Give a time [^\n]+\n$/,
      );
    },
  );

  it('refuses what spend cannot be added up by', async () => {
    const { code, err } = await cli(['spend', ...at, '--by', 'week']);
    expect(code).toBe(2);
    expect(err).toContain('Allowed choices are hour, day, month, session, user');
  });
});
