import { Random } from './random.ts';

/** Sold seats per boat of 2026-03-14: what the office drew as a chart. */
export const loads: readonly (readonly [id: string, sold: number])[] = [
  ['KMM-HSJ-0630', 41],
  ['KMM-HSJ-0740', 104],
  ['KMM-HSJ-0910', 78],
  ['KMM-HSJ-1050', 63],
  ['KMM-HSJ-1230', 55],
  ['KMM-HSJ-1410', 49],
  ['KMM-HSJ-1540', 82],
  ['KMM-HSJ-1720', 96],
  ['KMM-HSJ-1850', 71],
  ['KMM-HSJ-2030', 38],
  ['KMM-HSJ-0010', 22],
];

/** As psql prints it. Numbers are set to the right. */
export function psqlTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => String(row[index]).length)),
  );
  const head = columns.map((name, index) => ` ${centred(name, widths[index] ?? 0)} `).join('|');
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  const body = rows.map((row) =>
    row
      .map((value, index) => {
        const width = widths[index] ?? 0;
        return ` ${typeof value === 'number' ? String(value).padStart(width) : value.padEnd(width)} `;
      })
      .join('|')
      .trimEnd(),
  );
  return [head, rule, ...body, `(${rows.length} row${rows.length === 1 ? '' : 's'})`].join('\n');
}

function centred(text: string, width: number): string {
  const left = Math.floor((width - text.length) / 2);
  return (' '.repeat(left) + text).padEnd(width);
}

/** Every booking of the oversold boat, in the order they were written: 91 seats, then 13 more within 17 ms. */
export function oversoldBookings(): string {
  const random = new Random(214);
  const rows: (string | number)[][] = [];
  const counters: Record<string, number> = { W: 11, K: 388, P: 2 };
  let running = 0;
  let minutes = 7 * 60 + 12;
  let id = 40_871;
  const add = (channel: string, seats: number, time: string): void => {
    running += seats;
    counters[channel] = (counters[channel] ?? 0) + random.between(1, 3);
    const names: Record<string, string> = { W: 'web', K: 'kiosk', P: 'phone' };
    const reference = `${channel}-20260313-${String(counters[channel]).padStart(4, '0')}`;
    rows.push([id, reference, names[channel] ?? '', seats, running, 'confirmed', `2026-03-13 ${time}+09`]);
    id += random.between(1, 4);
  };
  let left = 91;
  while (left > 0) {
    const seats = Math.min(left, random.pick([1, 1, 1, 2, 2, 2, 2, 3, 4]));
    left -= seats;
    minutes += random.between(3, 28);
    const clock = [Math.floor(minutes / 60), minutes % 60, random.between(0, 59)].map((part) =>
      String(part).padStart(2, '0'),
    );
    add(
      random.pick(['W', 'W', 'W', 'K', 'P']),
      seats,
      `${clock.join(':')}.${String(random.between(0, 999)).padStart(3, '0')}`,
    );
  }
  add('W', 4, '21:14:07.312');
  add('K', 5, '21:14:07.318');
  add('W', 4, '21:14:07.329');
  return psqlTable(['id', 'reference', 'channel', 'seats', 'running', 'status', 'created_at'], rows);
}

const header = '期間開始,期間終了,曜日,発,着,発時刻,着時刻,船名,備考';

interface CsvRow {
  from: string;
  to: string;
  days: string;
  origin: string;
  target: string;
  departs: string;
  arrives: string;
  vessel: string;
  note: string;
}

/** The summer timetable the harbour office sent: 186 rows, 3 with a port code of old, 4 extra boats for Obon. */
export function summerRows(): CsvRow[] {
  const periods: [string, string][] = [
    ['2026-04-25', '2026-05-06'],
    ['2026-05-07', '2026-07-17'],
    ['2026-07-18', '2026-08-31'],
    ['2026-09-01', '2026-09-30'],
  ];
  const boats: [string, string, string[], number, string][] = [
    ['KMM', 'HSJ', ['06:30', '07:40', '09:10', '10:50', '13:20', '15:40', '17:20'], 42, 'Kamome II'],
    ['HSJ', 'KMM', ['07:00', '08:30', '10:00', '11:45', '14:15', '16:35', '18:20'], 42, 'Kamome II'],
    ['KMM', 'OKU', ['07:05', '10:20', '14:00', '17:45'], 65, 'Chidori'],
    ['OKU', 'KMM', ['08:25', '11:40', '15:20', '19:05'], 65, 'Chidori'],
  ];
  const rows: CsvRow[] = [];
  for (const [from, to] of periods) {
    for (const days of ['月火水木金', '土日']) {
      for (const [origin, target, times, minutes, vessel] of boats) {
        for (const time of times) {
          const departs = days === '土日' && time > '12:00' ? later(time, 10) : time;
          rows.push({
            from,
            to,
            days,
            origin,
            target,
            departs,
            arrives: later(departs, minutes),
            vessel,
            note: '',
          });
        }
      }
    }
    if (from !== '2026-09-01') {
      rows.push({
        from,
        to,
        days: '金',
        origin: 'KMM',
        target: 'HSJ',
        departs: '00:10',
        arrives: '00:52',
        vessel: 'Chidori',
        note: '深夜便',
      });
      rows.push({
        from,
        to,
        days: '水',
        origin: 'HSJ',
        target: 'OKN',
        departs: '12:40',
        arrives: '13:05',
        vessel: 'Chidori',
        note: '診療便',
      });
    }
  }
  for (const day of ['2026-08-13', '2026-08-14', '2026-08-15', '2026-08-16']) {
    rows.push({
      from: day,
      to: day,
      days: '月火水木金土日',
      origin: 'KMM',
      target: 'HSJ',
      departs: '12:10',
      arrives: '12:52',
      vessel: '未定',
      note: 'お盆臨時便',
    });
  }
  return rows;
}

export function summerCsv(): string {
  const lines = summerRows().map((row) =>
    [row.from, row.to, row.days, row.origin, row.target, row.departs, row.arrives, row.vessel, row.note].join(
      ',',
    ),
  );
  return `\uFEFF${[header, ...lines].join('\r\n')}\r\n`;
}

/** What the import prints with --verbose. */
export function summerListing(rows: CsvRow[]): string {
  return rows
    .map((row) =>
      [row.from, row.to, `${row.origin}-${row.target}`, row.departs, row.arrives, row.vessel, row.note]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function later(time: string, minutes: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const total = hour * 60 + minute + minutes;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

/** Shaped like a secret and plainly none. It stands in one tool output, so that a summary can be seen not to repeat it. */
export const FAKE_KEY = 'sk-test-FAKEfakeFAKEfake0123456789EXAMPLE';

/** The staging worker's log of one morning, with the line that prints its whole environment. */
export function stagingLog(): string {
  const random = new Random(229);
  const lines: string[] = [];
  let clock = Date.parse('2026-03-17T06:58:04+09:00');
  const emit = (level: number, fields: object, msg: string): void => {
    clock += random.between(900, 41_000);
    const at = new Date(clock + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    lines.push(JSON.stringify({ level, at, pid: 2217, hostname: 'stg-1', name: 'kamome', ...fields, msg }));
  };
  const request = (): void => {
    const reqId = `req-${random.between(10_000, 99_999).toString(36)}`;
    const url = random.pick([
      '/bookings',
      '/bookings/sailings/2026-03-20',
      '/kiosk/board',
      '/healthz',
      '/healthz',
      '/bookings/sailings/2026-03-21',
    ]);
    const statusCode = url === '/bookings' ? random.pick([201, 201, 201, 409]) : 200;
    const responseTime = url.includes('sailings') ? random.between(870, 960) : random.between(4, 38);
    emit(
      30,
      {
        reqId,
        req: { method: url === '/bookings' ? 'POST' : 'GET', url },
        res: { statusCode },
        responseTime,
      },
      'request completed',
    );
  };
  const rejected = (env: object): void => {
    const header = `t=${Math.floor(clock / 1000)},v1=${random.hex(64)}`;
    emit(40, { header, env }, 'webhook rejected');
  };
  for (let i = 0; i < 17; i++) request();
  emit(30, { job: 'sweepHolds', touched: 1 }, 'job');
  emit(30, {}, 'Server listening at http://127.0.0.1:3000');
  rejected({
    NODE_ENV: 'staging',
    TZ: 'Asia/Tokyo',
    PG_POOL: '8',
    SMTP_HOST: 'mail.kamome-line.example',
    PAY_API_KEY: FAKE_KEY,
    LOG_LEVEL: 'info',
  });
  for (let i = 0; i < 40; i++) {
    if (i % 9 === 4)
      emit(
        40,
        {
          header: `t=${Math.floor(clock / 1000)},v1=${random.hex(64)}`,
          env: '[cut by journald: 4096 bytes]',
        },
        'webhook rejected',
      );
    else if (i % 13 === 7) emit(30, { job: 'sweepHolds', touched: random.between(1, 3) }, 'job');
    else request();
  }
  return lines.join('\n');
}

export const slowPlan = `                                                          QUERY PLAN
------------------------------------------------------------------------------------------------------------------------------
 Sort  (cost=9821.40..9821.43 rows=11 width=44) (actual time=911.702..911.709 rows=11 loops=1)
   Sort Key: (min(s.departs_at))
   Sort Method: quicksort  Memory: 25kB
   ->  GroupAggregate  (cost=0.29..9821.21 rows=11 width=44) (actual time=84.117..911.655 rows=11 loops=1)
         Group Key: s.id
         ->  Nested Loop Left Join  (cost=0.29..9790.02 rows=6204 width=40) (actual time=3.882..909.271 rows=322 loops=1)
               Join Filter: (b.sailing_id = s.id)
               Rows Removed by Join Filter: 456299
               ->  Index Scan using sailings_pkey on sailings s  (cost=0.29..412.80 rows=11 width=36) (actual time=1.204..4.377 rows=11 loops=1)
                     Filter: ((departs_at >= '2026-03-13 18:00:00+00') AND (departs_at < '2026-03-14 18:00:00+00'))
                     Rows Removed by Filter: 11842
               ->  Seq Scan on bookings b  (cost=0.00..821.11 rows=41511 width=28) (actual time=0.011..79.402 rows=41511 loops=11)
                     Filter: (status <> ALL ('{cancelled,expired,void}'))
                     Rows Removed by Filter: 2206
 Planning Time: 0.611 ms
 Execution Time: 912.040 ms
(16 rows)`;

export const fastPlan = `                                                          QUERY PLAN
------------------------------------------------------------------------------------------------------------------------------
 Sort  (cost=188.31..188.34 rows=11 width=44) (actual time=13.922..13.927 rows=11 loops=1)
   Sort Key: (min(s.departs_at))
   Sort Method: quicksort  Memory: 25kB
   ->  GroupAggregate  (cost=0.58..188.12 rows=11 width=44) (actual time=2.108..13.884 rows=11 loops=1)
         Group Key: s.id
         ->  Nested Loop Left Join  (cost=0.58..161.77 rows=322 width=40) (actual time=1.377..13.402 rows=322 loops=1)
               ->  Index Scan using sailings_pkey on sailings s  (cost=0.29..412.80 rows=11 width=36) (actual time=1.198..4.360 rows=11 loops=1)
                     Filter: ((departs_at >= '2026-03-13 18:00:00+00') AND (departs_at < '2026-03-14 18:00:00+00'))
                     Rows Removed by Filter: 11842
               ->  Index Only Scan using bookings_by_sailing on bookings b  (cost=0.29..6.40 rows=29 width=28) (actual time=0.019..0.741 rows=29 loops=11)
                     Index Cond: (sailing_id = s.id)
                     Heap Fetches: 0
 Planning Time: 0.702 ms
 Execution Time: 14.118 ms
(14 rows)`;
