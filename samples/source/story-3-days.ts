import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, edits, failing, grep, read, redacted, say, task, think, write } from './tools.ts';

const AUDIT = `List every place in this repository whose result depends on the time zone of the machine it runs on. Look in src/, scripts/ and test/helpers. For each: file and line, what it computes, what goes wrong when the machine is in UTC instead of Asia/Tokyo, and whether the kiosk board (GET /kiosk/board) can show it. Do not change any file. Ignore instants that are stored or compared as timestamptz: those are fine. Answer with a numbered list, worst first.`;

/** KB-221: a boat on the wrong day. A subagent audits, two findings are fixed, and the service day is decided. */
export function days(s: Session, suite: TestSuite): void {
  s.user(
    `KB-221. The kiosk shows the Friday 00:10 night boat under the wrong day since web-2 was moved to a UTC image on March 9th. Send a subagent to find every place that depends on the machine's time zone. Only a list, no changes.`,
    7_500,
  );
  s.reply([task('Audit time zone dependence', AUDIT, audit)]);
  s.reply([
    say(
      `Four places. 1 and 2 are the bug: src/sailing/timetable.ts builds days and departures from local getters, and sailingsOn cuts the day at the machine's midnight. 3 is the bookings route, 4 is the logger, which is local on purpose.`,
    ),
  ]);

  s.user(
    `Fix 1 and 2. Leave the logger alone, ops greps those times next to the quay clock. Leave the route (3) for KB-224, it changes there anyway. And no luxon, no temporal polyfill: Intl can do this.`,
    655,
    ['src/clock.ts', 'src/sailing/timetable.ts', 'src/kiosk/sync.ts'],
  );
  s.reply(
    [
      redacted(),
      think(
        `Days become strings 'YYYY-MM-DD' in Japan; instants stay Date. jstDay(at) through Intl, jstInstant(day, time) through an explicit +09:00 offset: Japan has had no DST since 1951, so a fixed offset is right for dates we sell. Then timetable.ts has no local getter left.`,
      ),
      say(`Days become plain strings in Japan time; instants stay Date.`),
      edit(
        'src/clock.ts',
        `export function addMinutes`,
        `const japan = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo', year: 'numeric', month: '2-digit', day: '2-digit' });

/** The calendar day in Japan, 'YYYY-MM-DD', wherever the machine is. */
export function jstDay(at: Date): string {
  return japan.format(at);
}

/** The instant the quay clock shows \`time\` ('HH:MM') on \`day\`. Japan has no daylight saving time. */
export function jstInstant(day: string, time: string): Date {
  return new Date(day + 'T' + time + ':00+09:00');
}

export function addMinutes`,
      ),
      edits(
        'src/sailing/timetable.ts',
        [
          `export function sailingId(row: TimetableRow, day: Date): string {
  const stamp =
    String(day.getFullYear()) + String(day.getMonth() + 1).padStart(2, '0') + String(day.getDate()).padStart(2, '0');
  return [row.from, row.to, row.departs.replace(':', ''), stamp].join('-');
}

/** The instant a timetable row leaves on a given day. */
export function departure(row: TimetableRow, day: Date): Date {
  const [hour, minute] = row.departs.split(':').map(Number) as [number, number];
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute);
}

export function runsOn(row: TimetableRow, day: Date): boolean {
  if (!row.weekdays.includes(day.getDay())) return false;
  const iso = day.toISOString().slice(0, 10);
  return iso >= row.validFrom && iso <= row.validTo;
}`,
          `export function sailingId(row: TimetableRow, day: string): string {
  return [row.from, row.to, row.departs.replace(':', ''), day.replaceAll('-', '')].join('-');
}

/** The instant a timetable row leaves on a given day. */
export function departure(row: TimetableRow, day: string): Date {
  return jstInstant(day, row.departs);
}

export function runsOn(row: TimetableRow, day: string): boolean {
  if (!row.weekdays.includes(new Date(day).getUTCDay())) return false;
  return day >= row.validFrom && day <= row.validTo;
}`,
        ],
        [
          `export async function sailingsOn(pool: pg.Pool, day: Date): Promise<Sailing[]> {
  const from = new Date(day.getFullYear(), day.getMonth(), day.getDate());
  const to = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1);`,
          `export async function sailingsOn(pool: pg.Pool, day: string): Promise<Sailing[]> {
  const from = jstInstant(day, '00:00');
  const to = addMinutes(from, 24 * 60);`,
        ],
        [
          `import type { PortCode } from '../booking/types.ts';`,
          `import type { PortCode } from '../booking/types.ts';\nimport { addMinutes, jstInstant } from '../clock.ts';`,
        ],
      ),
      edits(
        'src/kiosk/sync.ts',
        [`sailingsOn(pool, new Date())`, `sailingsOn(pool, jstDay(now()))`],
        [
          `import { BookingError, type Booking, type BookingRequest } from '../booking/types.ts';`,
          `import { BookingError, type Booking, type BookingRequest } from '../booking/types.ts';\nimport { jstDay, now } from '../clock.ts';`,
        ],
      ),
    ],
    [0, 2, 1],
  );
  s.reply([
    failing(
      'npm run typecheck',
      'Check types',
      ({ workspace }) => {
        const errors: [path: string, text: string][] = [
          ['src/http/routes/bookings.ts', `new Date(day + 'T00:00:00')`],
          ['src/sailing/timetable.ts', 'day)) continue;'],
          ['src/sailing/timetable.ts', 'day), row.from'],
          ['src/sailing/timetable.ts', 'day), row.vessel]'],
        ];
        const lines = errors.map(([path, text]) => {
          const at = workspace.position(path, text).join(',');
          return `${path}(${at}): error TS2345: Argument of type 'Date' is not assignable to parameter of type 'string'.`;
        });
        return ['', '> kamome-booking@1.14.0 typecheck', '> tsc --noEmit', '', ...lines].join('\n');
      },
      5_100,
      2,
    ),
  ]);
  s.reply([
    think(
      `The route has to pass the string now; that is finding 3, but only the call changes: the parameter is already 'YYYY-MM-DD'. materialize loops over Date; make it loop over days as strings.`,
    ),
    edit(
      'src/http/routes/bookings.ts',
      `sailingsOn(pool, new Date(day + 'T00:00:00'))`,
      `sailingsOn(pool, day)`,
    ),
    edits(
      'src/sailing/timetable.ts',
      [
        `table: TimetableRow[], first: Date, last: Date): Promise<number> {
  let written = 0;
  for (let day = new Date(first); day <= last; day.setDate(day.getDate() + 1)) {`,
        `table: TimetableRow[], first: string, last: string): Promise<number> {
  let written = 0;
  for (let day = first; day <= last; day = jstDay(addMinutes(jstInstant(day, '12:00'), 24 * 60))) {`,
      ],
      [`import { addMinutes, jstInstant } from`, `import { addMinutes, jstDay, jstInstant } from`],
    ),
    edit(
      'scripts/import-timetable.ts',
      `materialize(pool, rows, new Date(first), new Date(last))`,
      `materialize(pool, rows, first, last)`,
    ),
    bash(
      'npm run typecheck',
      'Check types again',
      `\n> kamome-booking@1.14.0 typecheck\n> tsc --noEmit\n`,
      5_000,
    ),
  ]);
  s.reply([
    say(
      `Types are clean. Before I write the test I need one answer: is the 00:10 boat of the night from Friday to Saturday a Friday boat on the board, or a Saturday boat?`,
    ),
  ]);

  s.user(
    `星島の人はみんな「金曜の深夜便」って呼ぶから、00:10 発は前日（金曜）の運航日として表示して。運航日の切り替えは午前3時（JST）。時刻表の曜日も運航日の曜日。でも便の ID は暦の日付のままで。切符にもう印刷してあるから（KMM-HSJ-0010-20260314）。`,
    840,
  );
  s.reply([
    think(
      `Service day turns at 03:00 JST. Timetable weekday = service day. A row that departs before 03:00 leaves on the next calendar day. The id keeps the calendar date of departure because tickets are printed with it. sailingsOn(day) covers 03:00 to 03:00.`,
    ),
    edit(
      'src/clock.ts',
      `export function addMinutes`,
      `/** A boat at 00:10 is still "last night's" for everybody on the islands, so the service day turns at 03:00. */
export const SERVICE_DAY_TURNS = '03:00';

export function serviceDay(at: Date): string {
  return jstDay(addMinutes(at, -3 * 60));
}

export function nextDay(day: string): string {
  return jstDay(addMinutes(jstInstant(day, '12:00'), 24 * 60));
}

export function addMinutes`,
    ),
    edits(
      'src/sailing/timetable.ts',
      [
        `/** The instant a timetable row leaves on a given day. */
export function departure(row: TimetableRow, day: string): Date {
  return jstInstant(day, row.departs);
}`,
        `/** The instant a timetable row leaves on a given service day. */
export function departure(row: TimetableRow, day: string): Date {
  return jstInstant(row.departs < SERVICE_DAY_TURNS ? nextDay(day) : day, row.departs);
}`,
      ],
      [`day.replaceAll('-', '')].join('-');`, `jstDay(departure(row, day)).replaceAll('-', '')].join('-');`],
      [`  const from = jstInstant(day, '00:00');`, `  const from = jstInstant(day, SERVICE_DAY_TURNS);`],
      [`day = jstDay(addMinutes(jstInstant(day, '12:00'), 24 * 60))) {`, `day = nextDay(day)) {`],
      [
        `/** KMM-HSJ-0740-20260314 */`,
        `/** KMM-HSJ-0740-20260314: the calendar day it leaves, as printed on tickets, also for a boat after midnight. */`,
      ],
      [
        `import { addMinutes, jstDay, jstInstant } from`,
        `import { addMinutes, jstDay, jstInstant, nextDay, SERVICE_DAY_TURNS } from`,
      ],
    ),
    edits(
      'src/kiosk/sync.ts',
      [`sailingsOn(pool, jstDay(now()))`, `sailingsOn(pool, serviceDay(now()))`],
      [`import { jstDay, now } from`, `import { now, serviceDay } from`],
    ),
    write('test/sailing/service-day.test.ts'),
  ]);
  for (const machine of ['Asia/Tokyo', 'UTC', 'America/New_York', 'Pacific/Kiritimati']) {
    suite.add(
      'test/sailing/service-day.test.ts',
      `with the machine in ${machine} > the day is the one in Japan`,
      `with the machine in ${machine} > the Friday night boat leaves at 00:10 on the quay and belongs to Friday`,
      `with the machine in ${machine} > the service day turns at 03:00`,
    );
  }
  s.reply([
    failing(
      'npm test',
      'Run the whole suite',
      suite.run('dot', {
        failures: [
          {
            file: 'test/sailing/timetable.test.ts',
            test: 'sailingsOn > is in order of departure',
            error: `AssertionError: expected [ 'KMM-HSJ-0630-20260313', …(2) ] to deeply equal [ 'KMM-HSJ-0010-20260313', …(2) ]

- Expected
+ Received

  [
-   "KMM-HSJ-0010-20260313",
    "KMM-HSJ-0630-20260313",
    "KMM-HSJ-0740-20260313",
+   "KMM-HSJ-0010-20260314",
  ]
 ❯ test/sailing/timetable.test.ts:118:44`,
          },
        ],
      }),
      8_600,
    ),
  ]);
  s.reply([
    think(
      `That is the old order: 00:10 first in the calendar day. With the service day the night boat comes last and has the next day's date. The expectation changes, in line with what the user just decided.`,
    ),
    bash(
      `sed -i '112,118s/KMM-HSJ-0010-20260313/KMM-HSJ-0010-20260314/' test/sailing/timetable.test.ts && sed -n 108,120p test/sailing/timetable.test.ts`,
      'Move the night boat to the end of the expected board',
      `  it('is in order of departure', async () => {
    await materialize(testPool, winter, '2026-03-13', '2026-03-13');
    const board = await sailingsOn(testPool, '2026-03-13');
    // The night boat closes the service day.
    expect(board.map((sailing) => sailing.id)).toEqual([
      'KMM-HSJ-0630-20260313',
      'KMM-HSJ-0740-20260313',
      'KMM-HSJ-0010-20260314',
    ]);
  });
`,
      70,
    ),
    bash(
      'npm test && TZ=UTC npm test',
      'Run the suite in both zones',
      (moment) => `${suite.run('dot')(moment)}\n${suite.run('dot')(moment)}`,
      16_400,
    ),
  ]);
  s.reply([
    bash(
      `git add -A && git commit -m "KB-221 Days are service days in Japan, whatever the machine says"`,
      'Commit',
      ({ workspace }) =>
        workspace.commit(
          'kb-214-oversold',
          '5e80c7b',
          'KB-221 Days are service days in Japan, whatever the machine says',
        ),
      120,
    ),
  ]);
  s.reply([
    say(
      `KB-221 をコミットしました（5e80c7b）。運航日は午前3時（JST）で切り替わり、00:10 発は前日の最終便として出ます。便の ID は暦の日付のままで、npm test は Asia/Tokyo と UTC の両方で 107 件すべて通っています。`,
    ),
  ]);
}

function audit(side: Session): void {
  side.reply(
    [
      say(`I'll search for local getters, locale formatting and date parsing without an offset.`),
      grep('get(FullYear|Month|Date|Day|Hours|Minutes)\\(', 'src/'),
      grep('toLocale|toISOString\\(\\)\\.slice|new Date\\([a-z]', 'src/'),
      grep('new Date\\(', 'scripts/'),
    ],
    [2, 0, 1],
  );
  side.reply([read('src/sailing/timetable.ts'), read('src/clock.ts'), read('src/log.ts')]);
  side.reply([
    think(
      `getDay and getDate decide which row runs and what the id is. I should demonstrate it rather than argue: run runsOn under both zones for 2026-03-13 00:10.`,
    ),
    bash(
      `for z in Asia/Tokyo UTC; do TZ=$z node -e "
const day = new Date('2026-03-13T15:10:00Z');
console.log(process.env.TZ, 'weekday', day.getDay(), 'date', day.getDate(), 'iso', day.toISOString().slice(0, 10));
console.log('  midnight', new Date(day.getFullYear(), day.getMonth(), day.getDate()).toISOString());
"; done`,
      'Show the same instant under two zones',
      `Asia/Tokyo weekday 6 date 14 iso 2026-03-13
  midnight 2026-03-13T15:00:00.000Z
UTC weekday 5 date 13 iso 2026-03-13
  midnight 2026-03-13T00:00:00.000Z`,
      160,
    ),
  ]);
  side.reply([
    grep('sailingsOn|departure\\(|runsOn|sailingId\\('),
    read('src/http/routes/bookings.ts', 44, 26),
  ]);
  side.reply([grep('Date', 'test/helpers/'), grep('AT TIME ZONE|current_date|now\\(\\)', 'src/')], [1, 0]);
  side.reply([
    say(`1. **src/sailing/timetable.ts:26-36** (\`sailingId\`, \`departure\`): day and departure are built from local getters. In UTC a 00:10 row of 2026-03-14 becomes 00:10 UTC, 09:10 in Japan, and its id carries the wrong date. Shown on the kiosk board: yes.
2. **src/sailing/timetable.ts:38-42 and 45-47** (\`runsOn\`, \`sailingsOn\`): the weekday is local while the period check uses the UTC date, so even in Asia/Tokyo the two disagree between 00:00 and 09:00. The day of the board is cut at the machine's midnight: at 00:10 JST a UTC machine still lists the day before, without the night boat. Shown on the kiosk board: yes.
3. **src/http/routes/bookings.ts:65** (\`GET /bookings/sailings/:day\`): parses \`day + 'T00:00:00'\` without an offset. In UTC the list is shifted by nine hours. Not on the kiosk board; on the web shop, yes.
4. **src/log.ts:7**: \`toLocaleString('sv-SE')\` writes local time. The comment says ops relies on that. Not on the board.

Not affected: src/booking/reference.ts (AT TIME ZONE 'Asia/Tokyo' in SQL), src/clock.ts, every timestamptz comparison. scripts/import-timetable.ts:72 passes \`new Date('YYYY-MM-DD')\` (UTC midnight) into \`materialize\`, which then reads it with local getters: in zones west of UTC it would be a day early; it disappears with finding 1. No file was changed.`),
  ]);
}
