import { loads, oversoldBookings, psqlTable } from './outputs.ts';
import { barChart } from './png.ts';
import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, edits, failing, glob, grep, read, say, type Todo, think, todo, write } from './tools.ts';

const LOG = `e41c7d0 KB-209 Kiosk: log a fare that differs instead of refusing the sale
9b03a55 KB-207 Deck slots and closures (0007)
77d1f2e KB-205 Island residents: card number on the passenger
1f6c9aa KB-201 Close sailings that have left, once a minute
c0b8e13 KB-198 References count per channel and day
5a9920d KB-196 Vehicles
0d4471c KB-190 Payment webhook`;

/** KB-214: a boat sold 104 of 96 seats. Found, decided, fixed. Then KB-215: infants on laps. */
export function oversold(s: Session, suite: TestSuite): void {
  s.user(
    `Morning. KB-214: on Saturday 2026-03-14 the 07:40 from Kamome to Hoshijima had 104 seats sold and has 96. Eight people stood on the quay in the rain, two of them over 80. I want to know how that could happen before anybody changes a line.

Some rules for this whole session, please keep to them:
1. Never touch migrations/0007_vehicle_deck.sql. The kiosk on the quay has its checksum and will not boot if it changes. New migration files only.
2. Always run npm test before you say something is done.
3. Reply briefly: three sentences, no bullet lists unless I ask for one.
4. Money is whole yen, an integer. No floats anywhere near it.
5. No new runtime dependency without asking me first.
6. A commit message begins with the ticket id. Never push, I do that.

So: how did 104 happen? Don't fix anything yet.`,
    0,
    [],
  );
  s.reply(
    [
      think(
        `The user wants a diagnosis of an oversold sailing, no fix. The rules: 0007 is frozen, npm test before "done", brief replies, integer yen, no new dependencies, ticket id in commits, no push. I should look at the layout, the history, and everything that decides how many seats are left.`,
      ),
      say(`I'll look at how a seat gets sold, without changing anything.`),
      read('package.json'),
      glob('src/**/*.ts', /^src\/.*\.ts$/),
      bash('git log --oneline -7', 'Show recent commits', LOG, 40),
      grep('remainingCapacity'),
    ],
    [0, 2, 1, 3],
  );
  s.reply(
    [
      read('src/booking/reserve.ts'),
      read('src/sailing/capacity.ts'),
      read('src/db.ts'),
      read('src/kiosk/sync.ts'),
    ],
    [0, 1, 3, 2],
  );
  s.reply([
    think(
      `reserveSeats reads remainingCapacity through the pool, outside the transaction, then opens a transaction and inserts. Two requests between the read and the commit both see the same free seats. READ COMMITTED would not save it even inside the transaction: the sum does not see uncommitted rows and nothing conflicts. The kiosk goes through the same function. The data should show bookings milliseconds apart where the running total passes 96.`,
    ),
    bash(
      `psql "$READONLY_URL" -c "SELECT id, reference, channel, seats, SUM(seats) OVER (ORDER BY id) AS running, status, created_at FROM bookings WHERE sailing_id = 'KMM-HSJ-0740-20260314' ORDER BY id"`,
      'List the bookings of the oversold sailing with a running total',
      oversoldBookings,
      690,
    ),
  ]);
  s.reply([
    say(
      `Three bookings (4, 5 and 4 seats) were written within 17 ms on 2026-03-13 at 21:14:07, when 91 seats were sold: each had read "5 left" and each fitted. reserveSeats in src/booking/reserve.ts reads remainingCapacity before its transaction begins and nothing locks the sailing, so the check and the insert can interleave. Web and kiosk both go through it, so either can lose the race.`,
    ),
  ]);

  s.user(
    [
      {
        type: 'text',
        text: 'That fits. This is the load chart the harbour office mailed for that day, the red line is 96. Is the 17:20 the same thing? It touches the line.',
      },
      {
        type: 'image',
        source: {
          type: 'base64',
          media_type: 'image/png',
          data: Buffer.from(
            barChart(
              loads.map(([, sold]) => sold),
              96,
            ),
          ).toString('base64'),
        },
      },
    ],
    412,
  );
  s.reply([
    think(
      `The chart has eleven bars; the second is over the red line and the eighth reaches it. 07:40 and 17:20. Better to check the numbers than the pixels.`,
    ),
    bash(
      `psql "$READONLY_URL" -c "SELECT left(s.id, 12) AS sailing, COALESCE(SUM(b.seats), 0) AS sold FROM sailings s LEFT JOIN bookings b ON b.sailing_id = s.id AND b.status <> 'cancelled' WHERE s.route = 'KMM-HSJ' AND s.departs_at >= '2026-03-14 03:00+09' AND s.departs_at < '2026-03-15 03:00+09' GROUP BY s.id ORDER BY MIN(s.departs_at)"`,
      'Seats sold per sailing on 2026-03-14',
      () => psqlTable(['sailing', 'sold'], loads),
      510,
    ),
  ]);
  s.reply([
    say(`No: the 17:20 sold exactly 96 of 96, which is full and legal. Only the 07:40 is over, by 8.`),
  ]);

  s.user(`Good. What are the options? Two sentences each, a list is fine this time.`, 190);
  s.reply([
    think(
      `Options: SERIALIZABLE with retry; a row lock on the sailing; an advisory lock; a counter column with a CHECK. docs/ops.md may say something about pgbouncer that matters for advisory locks. Let me check before I recommend.`,
    ),
    grep('pgbouncer|transaction mode|firmware', 'docs/'),
  ]);
  s.reply([
    say(`1. **Row lock**: SELECT … FROM sailings WHERE id = $1 FOR UPDATE, then count and insert in the same transaction. Sales of one boat queue behind each other, other boats do not notice.
2. **SERIALIZABLE**: Postgres finds the conflict and fails one side with 40001. Every caller then has to retry, and the kiosk gateway is a caller.
3. **Advisory lock** on the sailing id: cheap, and no row is touched. With pgbouncer in transaction mode only the transaction-level kind is safe, and nothing shows in the schema that it exists.
4. **Counter with CHECK (sold <= seats)** on sailings: the database itself refuses. It has to be kept right by every cancel and every expiry, a second truth beside bookings.`),
  ]);

  s.user(
    `Row lock. Not SERIALIZABLE, because the gateway on the quay treats anything that isn't 2xx or 5xx as fatal and we'd be adding a retry loop to three callers. And no advisory locks: pgbouncer is in transaction mode and the next person will use the session kind. Write the failing test first, with the real numbers.`,
    760,
    ['src/booking/reserve.ts', 'test/booking/reserve-concurrency.test.ts'],
  );
  const plan: Todo[] = [
    ['Write the failing concurrency test', 'Writing the failing concurrency test', 'in_progress'],
    ['Lock the sailing row in reserveSeats', 'Locking the sailing row', 'pending'],
    ['Run npm test and commit KB-214', 'Running npm test', 'pending'],
  ];
  s.reply([
    say(`Test first: 91 sold, then 4, 5 and 4 at once.`),
    todo([], plan),
    read('test/helpers/db.ts'),
    read('test/booking/reserve.test.ts', 1, 30),
  ]);
  s.reply([write('test/booking/reserve-concurrency.test.ts')]);
  suite.add(
    'test/booking/reserve-concurrency.test.ts',
    'reserveSeats under load > never sells more seats than the vessel has',
    'reserveSeats under load > fills the vessel exactly when 120 people come alone',
    'reserveSeats under load > does not make two sailings wait for each other',
  );
  const racy = 'test/booking/reserve-concurrency.test.ts';
  s.reply([
    failing(
      'npx vitest run test/booking/reserve-concurrency.test.ts',
      'Run the new test against the unfixed code',
      suite.run('verbose', {
        only: /reserve-concurrency/,
        script: false,
        failures: [
          {
            file: racy,
            test: 'reserveSeats under load > never sells more seats than the vessel has',
            error:
              'AssertionError: expected [ { …(2) }, { …(2) }, …(1) ] to have a length of 1 but got 3\n\n- Expected\n+ Received\n\n- 1\n+ 3\n',
            at: 'toHaveLength(1)',
          },
          {
            file: racy,
            test: 'reserveSeats under load > fills the vessel exactly when 120 people come alone',
            error:
              'AssertionError: expected [ { …(2) }, { …(2) }, …(118) ] to have a length of 96 but got 120\n\n- Expected\n+ Received\n\n- 96\n+ 120\n',
            at: 'toHaveLength(96)',
          },
        ],
      }),
      3_100,
    ),
  ]);
  s.reply([
    think(
      `Reproduced: all three of 4+5+4 go through, and all 120 singles. Now the fix: move the check inside the transaction and take the row lock first. Simplest would be FOR UPDATE on the capacity query itself.`,
    ),
    say(`Both races reproduce (104 of 96, and 120 of 96). Now the lock.`),
    edit(
      'src/booking/reserve.ts',
      `  const wanted = request.passengers.length;
  const capacity = await remainingCapacity(pool, sailing.id);
  if (capacity.seats < wanted) {
    throw new BookingError('SAILING_FULL', { sailingId: sailing.id, wanted, left: capacity.seats });
  }

  return withTransaction(pool, async (tx) => {
    const fareYen`,
      `  const wanted = request.passengers.length;
  return withTransaction(pool, async (tx) => {
    const capacity = await remainingCapacity(tx, sailing.id);
    if (capacity.seats < wanted) {
      throw new BookingError('SAILING_FULL', { sailingId: sailing.id, wanted, left: capacity.seats });
    }
    const fareYen`,
    ),
    edit(
      'src/sailing/capacity.ts',
      `      WHERE s.id = $1\n      GROUP BY v.seats\``,
      `      WHERE s.id = $1\n      GROUP BY v.seats\n        FOR UPDATE OF s\``,
    ),
  ]);
  s.reply([
    failing(
      'npx vitest run test/booking/reserve-concurrency.test.ts',
      'Run the concurrency test again',
      suite.run('default', {
        only: /reserve-concurrency/,
        script: false,
        failures: [
          {
            file: racy,
            test: 'reserveSeats under load > never sells more seats than the vessel has',
            error: `error: FOR UPDATE is not allowed with GROUP BY clause
 ❯ node_modules/pg-pool/index.js:45:11
 ❯ remainingCapacity src/sailing/capacity.ts:12:29
 ❯ src/booking/reserve.ts:36:28
 ❯ withTransaction src/db.ts:17:20
Serialized Error: { length: 112, severity: 'ERROR', code: '0A000', position: '305', file: 'analyze.c', line: '3339', routine: 'CheckSelectLocking' }`,
          },
          {
            file: racy,
            test: 'reserveSeats under load > does not make two sailings wait for each other',
            error: 'error: FOR UPDATE is not allowed with GROUP BY clause',
          },
        ],
      }),
      2_700,
    ),
  ]);
  s.reply([
    say(`Postgres does not lock through a GROUP BY. The lock becomes a statement of its own.`),
    edits(
      'src/sailing/capacity.ts',
      [`      GROUP BY v.seats\n        FOR UPDATE OF s\``, `      GROUP BY v.seats\``],
      [
        `/** What is left on a sailing.`,
        `/**
 * Makes every other sale of this sailing wait until the transaction is over. Whoever decides about its seats calls this
 * first, in the same transaction, and counts afterwards: KB-214 counted before.
 */
export async function lockSailing(tx: Tx, sailingId: string): Promise<void> {
  await tx.query('SELECT 1 FROM sailings WHERE id = $1 FOR UPDATE', [sailingId]);
}

/** What is left on a sailing.`,
      ],
    ),
    edits(
      'src/booking/reserve.ts',
      [
        `    const capacity = await remainingCapacity(tx, sailing.id);`,
        `    await lockSailing(tx, sailing.id);\n    const capacity = await remainingCapacity(tx, sailing.id);`,
      ],
      [`import { remainingCapacity } from`, `import { lockSailing, remainingCapacity } from`],
    ),
  ]);
  s.reply([bash('npm test', 'Run the whole suite', suite.run('verbose'), 7_900)]);
  s.reply(
    [
      todo(
        plan,
        plan.map(
          ([content, active]): Todo => [
            content,
            active,
            content.startsWith('Run') ? 'in_progress' : 'completed',
          ],
        ),
      ),
      bash('git diff src', 'Review the change', ({ workspace }) => workspace.diff('src'), 60),
    ],
    [1, 0],
  );
  s.reply([
    bash(
      `git add -A && git commit -m "KB-214 Lock the sailing before counting its seats"`,
      'Commit',
      ({ workspace }) =>
        workspace.commit('kb-214-oversold', '3c1f0ae', 'KB-214 Lock the sailing before counting its seats'),
      120,
    ),
  ]);
  s.reply([
    say(
      `KB-214 is fixed and committed (3c1f0ae): lockSailing takes the row lock, then the seats are counted and sold in that same transaction. npm test passes, 87 of 87, with the 4+5+4 race and 120 single buyers among them.`,
    ),
  ]);

  s.user(
    `ありがとう、早い👍 次は KB-215、席の数え方。3歳未満の幼児は保護者のひざに座るので席は取らない。ただし救命胴衣は必要だから、定員（Kamome II は 112 着、ちどりは 56 着）には数える。席と人数は別々に数えて、どちらか足りなければ断る。マイグレーションは 0008 で。`,
    1_720,
    ['src/sailing/capacity.ts', 'src/booking/reserve.ts'],
  );
  s.reply([
    think(
      `Seats: passengers aged 3 or more. Persons: everybody, against life_jackets. New migration 0008. bookings needs persons; the backfill counts passengers. remainingCapacity returns both, and reserve refuses with SAILING_FULL when either is short. Reply in Japanese.`,
    ),
    write('migrations/0008_life_jackets.sql'),
    edits(
      'src/sailing/capacity.ts',
      [
        `  seats: number;
  sold: number;
}

/**`,
        `  seats: number;
  sold: number;
  /** Life jackets left. An infant on a lap takes one and no seat. */
  persons: number;
}

/**`,
      ],
      [
        `  const { rows } = await db.query<{ seats: number; sold: number }>(
    \`SELECT v.seats, COALESCE(SUM(b.seats), 0)::int AS sold
       FROM sailings s`,
        `  const { rows } = await db.query<{ seats: number; sold: number; life_jackets: number; persons: number }>(
    \`SELECT v.seats, v.life_jackets, COALESCE(SUM(b.seats), 0)::int AS sold, COALESCE(SUM(b.persons), 0)::int AS persons
       FROM sailings s`,
      ],
      [
        `      GROUP BY v.seats\`,
    [sailingId],
  );
  const row = rows[0];
  if (!row) return { seats: 0, sold: 0 };
  return { seats: row.seats - row.sold, sold: row.sold };`,
        `      GROUP BY v.seats, v.life_jackets\`,
    [sailingId],
  );
  const row = rows[0];
  if (!row) return { seats: 0, sold: 0, persons: 0 };
  return { seats: row.seats - row.sold, sold: row.sold, persons: row.life_jackets - row.persons };`,
      ],
    ),
  ]);
  s.reply([
    edits(
      'src/booking/reserve.ts',
      [
        `  const wanted = request.passengers.length;
`,
        `  const persons = request.passengers.length;
  const wanted = request.passengers.filter((passenger) => passenger.age >= SEAT_FROM_AGE).length;
  if (wanted === 0) throw new BookingError('EMPTY_PARTY');
`,
      ],
      [
        `    const fareYen = quoteFare({`,
        `    if (capacity.persons < persons) {
      throw new BookingError('SAILING_FULL', { sailingId: sailing.id, wanted: persons, left: capacity.persons, of: 'life jackets' });
    }
    const fareYen = quoteFare({`,
      ],
      [
        `insertBooking(tx, request, wanted, fareYen);`,
        `insertBooking(tx, request, wanted, persons, fareYen);`,
      ],
      [
        `async function insertBooking(tx: Tx, request: BookingRequest, seats: number, fareYen: number): Promise<Booking> {`,
        `async function insertBooking(
  tx: Tx,
  request: BookingRequest,
  seats: number,
  persons: number,
  fareYen: number,
): Promise<Booking> {`,
      ],
      [
        `contact_phone, seats, fare_yen,
                           status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        `contact_phone, seats, fare_yen,
                           status, created_at, persons)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      ],
      [
        `      now(),\n    ],\n  );\n  const row = rows[0] as`,
        `      now(),\n      persons,\n    ],\n  );\n  const row = rows[0] as`,
      ],
      [
        `/**\n * Sells seats on one sailing.`,
        `/** Younger passengers sit on a lap. */\nconst SEAT_FROM_AGE = 3;\n\n/**\n * Sells seats on one sailing.`,
      ],
    ),
  ]);
  suite.add(
    'test/booking/reserve.test.ts',
    'reserveSeats > gives an infant a life jacket and no seat',
    'reserveSeats > refuses the 113th person with seats left',
    'reserveSeats > refuses a party of infants alone',
  );
  s.reply([
    edits(
      'test/booking/reserve.test.ts',
      [
        `  it('confirms a kiosk sale at once', async () => {`,
        `  it('gives an infant a life jacket and no seat', async () => {
    const booking = await reserveSeats(testPool, request(MORNING, party(34, 2, 0)));
    expect(booking.seats).toBe(1);
    expect(await remainingCapacity(testPool, MORNING)).toEqual({ seats: 95, sold: 1, persons: 109 });
  });

  it('refuses the 113th person with seats left', async () => {
    for (let n = 0; n < 37; n++) await reserveSeats(testPool, request(MORNING, party(34, 1, 1)));
    await reserveSeats(testPool, request(MORNING, party(50)));
    await expect(reserveSeats(testPool, request(MORNING, party(50)))).rejects.toMatchObject({
      code: 'SAILING_FULL',
      detail: { of: 'life jackets', left: 0 },
    });
  });

  it('refuses a party of infants alone', async () => {
    await expect(reserveSeats(testPool, request(MORNING, party(1, 2)))).rejects.toMatchObject({ code: 'EMPTY_PARTY' });
  });

  it('confirms a kiosk sale at once', async () => {`,
      ],
      [
        `import { setNow } from '../../src/clock.ts';
`,
        `import { setNow } from '../../src/clock.ts';
import { remainingCapacity } from '../../src/sailing/capacity.ts';
`,
      ],
    ),
    failing(
      'npm test',
      'Run the whole suite',
      suite.run('verbose', {
        failures: [
          {
            file: 'test/sailing/capacity.test.ts',
            test: 'remainingCapacity > goes negative when oversold',
            error: `AssertionError: expected { seats: -8, sold: 104, persons: 8 } to deeply equal { seats: -8, sold: 104 }

- Expected
+ Received

  {
+   "persons": 8,
    "seats": -8,
    "sold": 104,
  }
 ❯ test/sailing/capacity.test.ts:61:59`,
          },
        ],
      }),
      8_200,
    ),
  ]);
  s.reply([
    think(
      `The old expectation lists the whole object; the new field is right there (112 - 104 = 8). Update that expectation, not the code.`,
    ),
    bash(
      `sed -i '61s/sold: 104 }/sold: 104, persons: 8 }/' test/sailing/capacity.test.ts && npm test | tail -5`,
      'Update the expectation and run the suite',
      (moment) => suite.run('verbose')(moment).split('\n').slice(-5).join('\n'),
      8_000,
    ),
  ]);
  s.reply([
    bash(
      `git add -A && git commit -m "KB-215 Count life jackets apart from seats"`,
      'Commit',
      ({ workspace }) =>
        workspace.commit('kb-214-oversold', 'b7702d9', 'KB-215 Count life jackets apart from seats'),
      110,
    ),
  ]);
  s.reply([
    say(
      `KB-215 をコミットしました（b7702d9）。席は3歳以上、救命胴衣は全員で数え、どちらかが足りなければ SAILING_FULL で断ります。npm test は 90 件すべて通っています。`,
    ),
  ]);
}
