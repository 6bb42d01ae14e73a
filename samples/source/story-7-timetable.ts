import { fastPlan, slowPlan, summerCsv, summerListing, summerRows } from './outputs.ts';
import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, failing, read, say, think, write } from './tools.ts';

const FILE = 'data/timetable-2026-summer.csv';

/** KB-224: the summer timetable, and the sailing page that took 900 ms. KB-230: the captain's manifest. */
export function timetable(s: Session, suite: TestSuite): void {
  s.workspace.write(FILE, summerCsv());
  s.user(
    `KB-224. Saeki-san sent the summer timetable, an Excel export: ${FILE}. Dry run first, and tell me what looks odd before anything is written.`,
    3_800,
    ['scripts/import-timetable.ts'],
  );
  s.reply(
    [
      read(FILE),
      failing(
        `npm run import:timetable -- --dry-run --verbose ${FILE}`,
        'Dry run of the import',
        `
> kamome-booking@1.14.0 import:timetable
> node scripts/import-timetable.ts --dry-run --verbose ${FILE}

file:///home/mika/src/kamome-booking/scripts/import-timetable.ts:25
  if (index === -1) throw new Error('missing column ' + name + ' (found: ' + columns.join(' ') + ')');
                          ^

Error: missing column 期間開始 (found: \uFEFF期間開始 期間終了 曜日 発 着 発時刻 着時刻 船名 備考)
    at column (scripts/import-timetable.ts:25:27)
    at scripts/import-timetable.ts:30:9`,
        780,
      ),
    ],
    [1, 0],
  );
  s.reply([
    think(
      `Excel's UTF-8 export begins with a BOM, so the first column is "\\uFEFF期間開始". Strip it. Then unknown ports: OKN appears in three rows (診療便). Vessel 未定 in four rows: the Obon boats have no vessel yet, the INSERT … SELECT FROM vessels would silently write nothing for them. That is odd enough to report.`,
    ),
    edit(
      'scripts/import-timetable.ts',
      `readFileSync(file, 'utf8').split(`,
      `readFileSync(file, 'utf8').replace(/^\\uFEFF/, '').split(`,
    ),
    failing(
      `npm run import:timetable -- --dry-run --verbose ${FILE}`,
      'Dry run again',
      `
> kamome-booking@1.14.0 import:timetable
> node scripts/import-timetable.ts --dry-run --verbose ${FILE}

Error: line 47: unknown port OKN
    at scripts/import-timetable.ts:47:33`,
      760,
    ),
  ]);
  s.reply([
    bash(
      `grep -n 'OKN\\|未定' ${FILE}`,
      'List the odd rows',
      ({ workspace }) =>
        workspace
          .grep(/OKN|未定/, FILE)
          .map((line) => line.slice(FILE.length + 1).trimEnd())
          .join('\n'),
      30,
    ),
  ]);
  s.reply([
    say(
      `Two odd things, nothing is written. Three Wednesday rows go to a port "OKN" that we do not have, and the four Obon boats (August 13 to 16) have the vessel 未定, which the import would skip without a word. The BOM Excel puts first is handled now.`,
    ),
  ]);

  s.user(
    `OKN は沖ノ浦の古いコード。OKU に読み替えて、警告だけ出して。お盆の臨時便4本は船がまだ決まっていないから、入れないで件数だけ表示。知らない船の名前で黙って飛ばすのは絶対にやめて、エラーにして。`,
    640,
    ['scripts/import-timetable.ts'],
  );
  s.reply([
    edit(
      'scripts/import-timetable.ts',
      `const rows: TimetableRow[] = [];
for (const [index, line] of lines.entries()) {
  const cell = line.split(',');
  const origin = cell[at.origin] ?? '';
  const target = cell[at.target] ?? '';`,
      `/** Codes the harbour office still writes from memory. */
const renamed: Record<string, string> = { OKN: 'OKU' };
const vessels = new Set<string>(['Kamome II', 'Chidori']);

const rows: TimetableRow[] = [];
let undecided = 0;
for (const [index, line] of lines.entries()) {
  const cell = line.split(',');
  const [origin, target] = [cell[at.origin] ?? '', cell[at.target] ?? ''].map((code) => {
    const port = renamed[code] ?? code;
    if (port !== code) console.warn('line ' + (index + 2) + ': ' + code + ' read as ' + port);
    return port;
  }) as [string, string];
  const vessel = cell[at.vessel] ?? '';
  if (vessel === '未定') {
    undecided++;
    continue;
  }
  if (!vessels.has(vessel)) throw new Error('line ' + (index + 2) + ': unknown vessel ' + vessel);`,
    ),
    edit(
      'scripts/import-timetable.ts',
      `    vessel: cell[at.vessel] as TimetableRow['vessel'],`,
      `    vessel: vessel as TimetableRow['vessel'],`,
    ),
    edit(
      'scripts/import-timetable.ts',
      `console.log(rows.length + ' rows read from ' + file);`,
      `console.log(rows.length + ' rows read from ' + file + ', ' + undecided + ' left out: no vessel yet');`,
    ),
    bash(
      `npm run import:timetable -- --dry-run --verbose ${FILE}`,
      'Dry run of the whole file',
      () => {
        const rows = summerRows()
          .filter((row) => row.vessel !== '未定')
          .map((row) => ({ ...row, target: row.target.replace('OKN', 'OKU') }));
        const warnings = summerRows().flatMap((row, index) =>
          row.target === 'OKN' ? [`line ${index + 2}: OKN read as OKU`] : [],
        );
        return `
> kamome-booking@1.14.0 import:timetable
> node scripts/import-timetable.ts --dry-run --verbose ${FILE}

${warnings.join('\n')}
${summerListing(rows)}
${rows.length} rows read from ${FILE}, 4 left out: no vessel yet`;
      },
      810,
    ),
  ]);
  suite.add(
    'test/scripts/import-timetable.test.ts',
    'import > reads past a BOM',
    'import > reads OKN as OKU and says so',
    'import > counts rows without a vessel',
    'import > refuses an unknown vessel',
  );
  s.reply([
    bash(
      `npm test && git add scripts test data && git commit -m "KB-224 Import the harbour office's Excel export"`,
      'Run everything and, if it passes, commit',
      (moment) =>
        [
          suite.run('dot')(moment),
          moment.workspace.commit(
            'kb-214-oversold',
            '07be93c',
            `KB-224 Import the harbour office's Excel export`,
            /^(scripts|test|data)\//,
          ),
        ].join('\n'),
      9_400,
    ),
  ]);
  s.reply([
    say(
      `186 行のうち 182 行を読み込み、OKN の3行は OKU に読み替えて警告を出し、お盆の4本は「船未定」として件数だけ表示します。知らない船名はエラーになります。npm test は 135 件すべて通り、コミット済みです（07be93c）。`,
    ),
  ]);

  s.user(
    `Import it into kamome_test, then look at the sailing page: 900 ms on staging. I have a copy of last night's bookings in kamome_test.bookings (43,717 rows), use EXPLAIN.`,
    930,
  );
  s.reply([
    bash(
      `DATABASE_URL=postgres://localhost:5432/kamome_test npm run import:timetable -- ${FILE} | tail -2`,
      'Import into the test database',
      `182 rows read from ${FILE}, 4 left out: no vessel yet
3534 sailings written`,
      4_900,
    ),
    bash(
      `psql postgres://localhost:5432/kamome_test -c "EXPLAIN ANALYZE SELECT s.id, COALESCE(SUM(b.seats), 0)::int AS sold FROM sailings s LEFT JOIN bookings b ON b.sailing_id = s.id AND b.status NOT IN ('cancelled', 'expired', 'void') WHERE s.departs_at >= '2026-03-14 03:00+09' AND s.departs_at < '2026-03-15 03:00+09' GROUP BY s.id ORDER BY MIN(s.departs_at)"`,
      'Explain the query behind the sailing page',
      slowPlan,
      1_300,
    ),
  ]);
  s.reply([
    think(
      `A sequential scan of bookings for each of the 11 sailings: 11 x 41,511 rows, 912 ms. There is no index on bookings.sailing_id: a foreign key does not make one. A covering index gives index-only scans.`,
    ),
    say(
      `bookings has no index on sailing_id, so every boat of the day reads all 43,717 rows: 912 ms. A covering index as 0012.`,
    ),
    write('migrations/0012_bookings_sailing_index.sql'),
    failing(
      `DATABASE_URL=postgres://localhost:5432/kamome_test npm run migrate`,
      'Apply 0012',
      `
> kamome-booking@1.14.0 migrate
> node scripts/migrate.ts

0012_bookings_sailing_index.sql  FAILED
error: CREATE INDEX CONCURRENTLY cannot run inside a transaction block
    at node_modules/pg/lib/client.js:545:17
    at async apply (scripts/migrate.ts:58:5) {
  severity: 'ERROR',
  code: '25001',
  routine: 'PreventInTransactionBlock'
}
rolled back 0012_bookings_sailing_index.sql`,
      1_500,
    ),
  ]);
  s.reply([
    think(
      `migrate.ts wraps every file in a transaction, rightly. A plain CREATE INDEX takes a lock against writes; on 43,717 rows that is tens of milliseconds, and releases go out between 13:00 and 13:40 when no boat boards. So plain.`,
    ),
    edit(
      'migrations/0012_bookings_sailing_index.sql',
      `-- KB-224: the sailing page read all of bookings for every boat of the day.
CREATE INDEX CONCURRENTLY bookings_by_sailing`,
      `-- KB-224: the sailing page read all of bookings for every boat of the day. Not CONCURRENTLY: migrations run in a
-- transaction, and building this on 43,717 rows locks writes for about 80 ms.
CREATE INDEX bookings_by_sailing`,
    ),
    bash(
      `export DATABASE_URL=postgres://localhost:5432/kamome_test; npm run migrate | tail -1; psql "$DATABASE_URL" -qc "VACUUM ANALYZE bookings" -c "EXPLAIN ANALYZE SELECT s.id, COALESCE(SUM(b.seats), 0)::int AS sold FROM sailings s LEFT JOIN bookings b ON b.sailing_id = s.id AND b.status NOT IN ('cancelled', 'expired', 'void') WHERE s.departs_at >= '2026-03-14 03:00+09' AND s.departs_at < '2026-03-15 03:00+09' GROUP BY s.id ORDER BY MIN(s.departs_at)"`,
      'Apply 0012 and explain again',
      `0012_bookings_sailing_index.sql  applied in 77 ms\n${fastPlan}`,
      2_100,
    ),
  ]);
  s.reply([
    bash(
      `npm test && git add migrations && git commit -m "KB-224 Index bookings by sailing"`,
      'Run everything and, if it passes, commit',
      (moment) =>
        [
          suite.run('dot')(moment),
          moment.workspace.commit(
            'kb-214-oversold',
            '4ff0a6b',
            'KB-224 Index bookings by sailing',
            /^migrations\//,
          ),
        ].join('\n'),
      9_300,
    ),
  ]);
  s.reply([
    say(
      `912 ms became 14 ms with 0012, a plain index because migrate.ts runs in a transaction and building it locks writes for only 77 ms. 3,534 summer sailings are in kamome_test. npm test passes, 135 of 135; committed (4ff0a6b).`,
    ),
  ]);

  s.user(
    `👏👏 Captain Mori 🧑‍✈️ wants a passenger list per sailing he can open in Excel: booking number, name, age, and which size of life jacket (under 3 infant, under 12 child, else adult). Only people who paid. KB-230.`,
    1_310,
    ['src/sailing/manifest.ts', 'src/http/routes/bookings.ts'],
  );
  s.reply([
    think(
      `CSV for Excel: BOM or Excel reads it as Shift_JIS and shows mojibake. Names come from the public web form, so a cell beginning with = + - @ would run as a formula: prefix an apostrophe. Only confirmed bookings. A passenger list must not be public: put it behind the office token. How do routes know the office? Look.`,
    ),
    write('src/sailing/manifest.ts'),
    write('test/sailing/manifest.test.ts'),
    edit(
      'src/http/routes/bookings.ts',
      `  app.get('/sailings/:day', async (request) => {`,
      `  app.get('/manifest/:sailingId', async (request, reply) => {
    if (!isOffice(request)) return reply.code(403).send({ code: 'OFFICE_ONLY' });
    const { sailingId } = request.params as { sailingId: string };
    const csv = await manifestCsv(pool, sailingId);
    // Excel takes UTF-8 for Shift_JIS without the mark.
    return reply.type('text/csv; charset=utf-8').send('\\uFEFF' + csv);
  });

  app.get('/sailings/:day', async (request) => {`,
    ),
    edit(
      'src/http/routes/bookings.ts',
      `import { sailingsOn } from '../../sailing/timetable.ts';`,
      `import { manifestCsv } from '../../sailing/manifest.ts';\nimport { sailingsOn } from '../../sailing/timetable.ts';\nimport { isOffice } from '../office.ts';`,
    ),
  ]);
  suite.add(
    'test/sailing/manifest.test.ts',
    'jacketSize > is infant under 3, child under 12, else adult',
    'csvCell > doubles quotes',
    'csvCell > disarms a formula',
  );
  suite.add('test/http/bookings.test.ts', 'GET /bookings/manifest/:sailingId > 403 without the office token');
  s.reply([
    failing(
      'npm run typecheck',
      'Check types',
      `
> kamome-booking@1.14.0 typecheck
> tsc --noEmit

src/http/routes/bookings.ts(8,26): error TS2307: Cannot find module '../office.ts' or its corresponding type declarations.`,
      5_100,
      2,
    ),
    bash(
      `ls src/http; grep -rn "office" src/http test/http | head`,
      'Find how the office is recognised',
      `routes
server.ts
test/http/bookings.test.ts:14:const office = { 'x-office-token': 'test-office' };`,
      60,
    ),
  ]);
  s.reply([
    say(
      `There is no such helper yet; the tests already send x-office-token, so I'll add the check behind that header.`,
    ),
    write(
      'src/http/office.ts',
      `import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** The harbour office sends a token nginx sets for its network; without OFFICE_TOKEN nobody is the office. */
export function isOffice(request: FastifyRequest): boolean {
  const expected = Buffer.from(process.env.OFFICE_TOKEN ?? '');
  const given = Buffer.from(String(request.headers['x-office-token'] ?? ''));
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
}
`,
    ),
    bash(
      `npm test && npm run typecheck && git add src test && git commit -m "KB-230 Passenger list for the captain"`,
      'Run everything and, if it passes, commit',
      (moment) =>
        [
          `${suite.run('dot')(moment)}\n\n> kamome-booking@1.14.0 typecheck\n> tsc --noEmit\n`,
          moment.workspace.commit(
            'kb-214-oversold',
            'be5107a',
            'KB-230 Passenger list for the captain',
            /^(src|test)\//,
          ),
        ].join('\n'),
      13_600,
    ),
  ]);
  s.reply([
    say(
      `KB-230 is committed (be5107a): GET /bookings/manifest/:sailingId gives a CSV with a BOM, confirmed passengers only, behind x-office-token. npm test passes, 139 of 139.`,
    ),
  ]);

  s.user(`Why the apostrophe before some names?`, 95);
  s.reply([
    say(
      `Names come from the public web form, and Excel runs a cell that begins with =, +, - or @ as a formula. The apostrophe makes it text; Excel does not show it.`,
    ),
  ]);
}
