import type { Session } from './session.ts';
import type { TestSuite } from './test-suite.ts';
import { bash, edit, failing, grep, read, say, type Todo, think, todo, write } from './tools.ts';
import { Workspace } from './workspace.ts';

/** The second day. KB-226: refunds; then the conversation is compacted and the mails of a cancelled sailing leave the transaction. */
export function refunds(s: Session, suite: TestSuite): void {
  s.title('Kamome booking: oversold 07:40, holds, service day and vehicle deck (KB-214 to KB-222)');
  s.resume({ at: '2026-03-16T23:58:20.000Z', version: '2.1.17', slug: 'brisk-harbour-lantern' });
  s.user(
    `Good morning. Read docs/handover.md, then KB-226, the refunds. Agreed with Saeki-san last night:
- weather: 100 %, the 110 yen handling fee included
- customer, 24 h or more before departure: 90 %; from 24 h down to 2 h: 50 %; under 2 h: nothing
- a customer never gets the handling fee back, and the shares are taken from the rest
- round down to 10 yen
One function, src/pricing/refund.ts. The desk must not type amounts in by hand any more.`,
    0,
    ['src/pricing/refund.ts', 'src/booking/cancel.ts', 'test/pricing/refund.test.ts'],
  );
  s.reply(
    [
      think(
        `Handover first, then fare.ts for the fee constant and cancel.ts for where the refund is decided. Rules still in force: brief, npm test before done, integer yen, 0007 frozen, never db:reset, no dependency, KB- commits, no push.`,
      ),
      read('docs/handover.md'),
      read('src/pricing/fare.ts'),
      read('src/booking/cancel.ts'),
      bash(
        'git status --short && git log --oneline -5',
        'See where we are',
        `?? docs/handover.md
c9d3e15 KB-222 Measure the vehicle deck in decimetres
5e80c7b KB-221 Days are service days in Japan, whatever the machine says
91ad4e2 KB-219 Unpaid web bookings give their seats back after 12 minutes
b7702d9 KB-215 Count life jackets apart from seats
3c1f0ae KB-214 Lock the sailing before counting its seats`,
        60,
      ),
    ],
    [0, 1, 3, 2],
  );
  const plan: Todo[] = [
    ['refundFor in src/pricing/refund.ts, with tests', 'Writing refundFor', 'in_progress'],
    ['Use it in cancelBooking and cancelSailing', 'Using refundFor', 'pending'],
    ['Move the mail out of the transaction', 'Moving the mail', 'pending'],
  ];
  s.reply([
    todo([], plan),
    write('src/pricing/refund.ts'),
    write('test/pricing/refund.test.ts'),
    edit(
      'src/booking/cancel.ts',
      `    // TODO KB-226: real refund rules. Until then the desk decides and types the amount in by hand.
    const refundYen = 0;`,
      `    const refundYen = refundFor(booking.fare_yen, 'customer', now(), booking.departs_at);`,
    ),
    edit(
      'src/booking/cancel.ts',
      `      const refundYen = booking.fare_yen;
      await markCancelled(tx, booking.id, reason, refundYen);`,
      `      const refundYen = refundFor(booking.fare_yen, reason, now(), sailing.departs_at);
      await markCancelled(tx, booking.id, reason, refundYen);`,
    ),
    edit(
      'src/booking/cancel.ts',
      `import { BookingError } from './types.ts';`,
      `import { refundFor } from '../pricing/refund.ts';\nimport { BookingError } from './types.ts';`,
    ),
  ]);
  suite.add(
    'test/pricing/refund.test.ts',
    'refundFor > gives everything back for weather, the fee included',
    'refundFor > gives 90 % at 24 hours to the minute',
    'refundFor > gives 50 % a minute later',
    'refundFor > gives nothing under two hours',
    'refundFor > is whole tens for every fare we can charge',
  );
  s.reply(
    [
      failing(
        'npm run typecheck',
        'Check types',
        `
> kamome-booking@1.14.0 typecheck
> tsc --noEmit

src/booking/cancel.ts(54,55): error TS2345: Argument of type 'string' is not assignable to parameter of type 'CancelledBy'.
src/booking/cancel.ts(54,70): error TS2304: Cannot find name 'sailing'.`,
        5_000,
        2,
      ),
      bash(
        'npx vitest run test/pricing/refund.test.ts',
        'Run the refund tests',
        suite.run('default', { only: /pricing\/refund/, script: false }),
        1_400,
      ),
    ],
    [1, 0],
  );
  s.queue('enqueue', 'refund.ts を見た。0.9 と 0.5 は小数だよね？ お金に小数は使わないって言ったはず 🙏');
  s.reply([
    think(`cancelSailing needs the departure and its reason typed. The UPDATE can return departs_at.`),
    edit(
      'src/booking/cancel.ts',
      `    await tx.query('UPDATE sailings SET closed = true WHERE id = $1', [sailingId]);
    const { rows } = await tx.query(`,
      `    const closed = await tx.query('UPDATE sailings SET closed = true WHERE id = $1 RETURNING departs_at', [sailingId]);
    const sailing = closed.rows[0];
    if (!sailing) throw new BookingError('SAILING_NOT_FOUND', { sailingId });
    const { rows } = await tx.query(`,
    ),
    edit(
      'src/booking/cancel.ts',
      `sailingId: string, reason: string): Promise<Cancelled[]>`,
      `sailingId: string, reason: CancelledBy): Promise<Cancelled[]>`,
    ),
    edit('src/booking/cancel.ts', `import { refundFor } from`, `import { type CancelledBy, refundFor } from`),
    bash(
      'npm run typecheck',
      'Check types again',
      `\n> kamome-booking@1.14.0 typecheck\n> tsc --noEmit\n`,
      4_900,
    ),
  ]);
  s.queue('dequeue');
  s.user(`refund.ts を見た。0.9 と 0.5 は小数だよね？ お金に小数は使わないって言ったはず 🙏`, 1);
  s.reply([
    think(
      `Right: rule 4. 0.9 is a float, even though Math.floor gives the same result for all 5,989 fares in the test. Shares become whole percents and the division is integer: Math.trunc(rest * percent / 1000) * 10. rest * percent is an integer under 2^53, the division by 1000 is followed by trunc; write it as (n - n % 1000) / 100 so that no fraction exists at any time.`,
    ),
    edit(
      'src/pricing/refund.ts',
      `  const share = shareAt(departsAt.getTime() - cancelledAt.getTime());
  return Math.floor(((fareYen - HANDLING_FEE_YEN) * share) / 10) * 10;`,
      `  const hundredths = (fareYen - HANDLING_FEE_YEN) * percentAt(departsAt.getTime() - cancelledAt.getTime());
  // Whole numbers all the way: drop what is below ten yen, then the percent.
  return (hundredths - (hundredths % 1000)) / 100;`,
    ),
    edit(
      'src/pricing/refund.ts',
      `function shareAt(leftMs: number): number {
  if (leftMs >= 24 * HOUR_MS) return 0.9;
  if (leftMs >= 2 * HOUR_MS) return 0.5;
  return 0;
}`,
      `function percentAt(leftMs: number): number {
  if (leftMs >= 24 * HOUR_MS) return 90;
  if (leftMs >= 2 * HOUR_MS) return 50;
  return 0;
}`,
    ),
    bash('npm test', 'Run the whole suite', suite.run('dot'), 8_700),
  ]);
  s.reply([
    bash(
      `git add -A && git commit -m "KB-226 Refund rules in one place"`,
      'Commit',
      ({ workspace }) => workspace.commit('kb-214-oversold', '20b6f81', 'KB-226 Refund rules in one place'),
      120,
    ),
  ]);
  s.reply([
    say(
      `ご指摘のとおりです。百分率を整数（90・50）で持ち、途中も整数だけで計算するように直しました。npm test は 117 件すべて通り、コミット済みです（20b6f81）。`,
    ),
  ]);

  s.compact(SUMMARY);

  s.user(
    `KB-226 part two. cancelSailing sends mail inside its transaction. Last November the SMTP server hung for 40 minutes and 31 refunds were rolled back with it. Mail goes into an outbox table in the same transaction (migration 0011) and a job sends it afterwards; two servers run the job, so no mail twice. Retries after 1, 5, 20, 60 and 240 minutes, then a person looks.`,
    1_900,
    ['src/notify/outbox.ts', 'src/booking/cancel.ts', 'src/jobs/minutely.ts'],
  );
  s.reply(
    [
      think(
        `Outbox: insert in tx, drain with FOR UPDATE SKIP LOCKED. cancel.ts calls enqueueMail instead of sendMail. The job goes into minutely.ts after sweepHolds. One issue: draining holds row locks while sending; with a 10 s SMTP timeout and a batch of 25 that is up to 250 s in one transaction. Acceptable? The rows are only read by drains. Fine, but say so.`,
      ),
      read('src/booking/cancel.ts', 36, 34),
      read('src/notify/mail.ts'),
      read('src/jobs/minutely.ts'),
    ],
    [2, 1, 0],
  );
  s.reply([
    write('migrations/0011_mail_outbox.sql'),
    write('src/notify/outbox.ts'),
    write('test/notify/outbox.test.ts'),
    edit(
      'src/booking/cancel.ts',
      `        await sendMail(booking.contact_mail, 'sailing-cancelled', { reference: booking.reference, refundYen });`,
      `        await enqueueMail(tx, booking.contact_mail, 'sailing-cancelled', { reference: booking.reference, refundYen });`,
    ),
    edit(
      'src/booking/cancel.ts',
      `import { sendMail } from '../notify/mail.ts';`,
      `import { enqueueMail } from '../notify/outbox.ts';`,
    ),
    edit('src/jobs/minutely.ts', `  sweepHolds,\n};`, `  sweepHolds,\n  drainOutbox,\n};`),
    edit(
      'src/jobs/minutely.ts',
      `import { log } from '../log.ts';`,
      `import { log } from '../log.ts';\nimport { drainOutbox } from '../notify/outbox.ts';`,
    ),
  ]);
  suite.add(
    'test/notify/outbox.test.ts',
    'outbox > keeps the refunds when the mail server hangs',
    'outbox > tries again after 1, 5, 20, 60 and 240 minutes, then stops',
    'outbox > sends once with two servers draining',
  );
  s.reply([
    failing(
      'npm test',
      'Run the whole suite',
      suite.run('dot', {
        failures: [
          {
            file: 'test/notify/outbox.test.ts',
            test: 'outbox > sends once with two servers draining',
            error: `TypeError: Cannot redefine property: sendMail
 ❯ Module.spyOn node_modules/@vitest/spy/dist/index.js:58:10`,
            at: `mockResolvedValue();`,
          },
          {
            file: 'test/booking/cancel.test.ts',
            test: 'cancelSailing > writes to everybody with an address',
            error: `AssertionError: expected "sendMail" to be called 2 times, but got 0 times
 ❯ test/booking/cancel.test.ts:88:18`,
          },
        ],
      }),
      9_100,
    ),
    grep('sendMail', 'src/'),
  ]);
  s.reply([
    think(
      `Two different things. ESM namespaces cannot be spied on: use vi.mock with a factory. And cancel.test.ts expected the mail at once; now it must look into mail_outbox. Both are tests of the old way.`,
    ),
    write('test/notify/outbox.test.ts', withMockedMail(Workspace.written('test/notify/outbox.test.ts'))),
    bash(
      `sed -i '84,88s/expect(send).toHaveBeenCalledTimes(2)/expect(await outboxRecipients()).toEqual(["a@example.com", "b@example.com"])/' test/booking/cancel.test.ts && npm test`,
      'Look into the outbox instead, and run the suite',
      suite.run('dot'),
      9_000,
    ),
  ]);
  s.reply([
    bash(
      `git add -A && git commit -m "KB-226 Mail goes through an outbox"`,
      'Commit',
      ({ workspace }) => workspace.commit('kb-214-oversold', 'f3a9d70', 'KB-226 Mail goes through an outbox'),
      120,
    ),
  ]);
  s.reply([
    say(
      `Committed (f3a9d70): cancelSailing only writes to mail_outbox (0011), and drainOutbox sends it with SKIP LOCKED, so the 31 refunds would have stood. npm test passes, 120 of 120. A drain of 25 mails against a hanging SMTP server can take 250 s; the refunds no longer wait for it.`,
    ),
  ]);
}

/** The outbox test as it is after the first failure: the module is mocked instead of spied on. */
function withMockedMail(test: string): string {
  return test
    .replace(
      `import * as mail from '../../src/notify/mail.ts';`,
      `import { sendMail } from '../../src/notify/mail.ts';`,
    )
    .replace(
      `const MORNING`,
      `vi.mock('../../src/notify/mail.ts', () => ({ sendMail: vi.fn() }));\nconst send = vi.mocked(sendMail);\n\nconst MORNING`,
    )
    .replaceAll(/(?:const send = )?vi\.spyOn\(mail, 'sendMail'\)/g, 'send.mockReset()');
}

const SUMMARY = `This session is being continued from a previous conversation that was compacted. What follows is its summary.

Goal: repair the booking service after the oversold 07:40 of 2026-03-14 (KB-214), then work through the tickets the user names, one at a time, on branch kb-214-oversold.

Standing instructions from the user:
- Never touch migrations/0007_vehicle_deck.sql (the quay kiosk has its checksum); new migration files only.
- Run npm test before saying something is done. The test script uses the dot reporter; show failures only.
- Reply briefly: three sentences, lists only when asked. The user writes English or Japanese; answer in the same language.
- Money is whole yen; no floats anywhere near it, not even 0.9 as a share.
- No new runtime dependency without asking. Commit messages begin with the ticket id. Never push.
- Never run npm run db:reset (drops the kiosk seed, 40 minutes to reload). Only db:reset:test against kamome_test.

Decided, and why:
- Row lock on the sailing (lockSailing), not SERIALIZABLE (the kiosk gateway takes anything but 2xx and 5xx as fatal) and not advisory locks (pgbouncer in transaction mode).
- Infants under 3 take no seat but a life jacket: 112 on Kamome II, 56 on Chidori.
- Holds last 12 minutes (payment page 10, webhook up to 2 late); expired holds are free when counting; a late payment takes its seats under the lock or is refunded, never oversold.
- The service day turns at 03:00 JST; ids keep the calendar date because tickets are printed with it. Intl only. The logger stays local because ops greps it.
- The deck is measured in decimetres, two lanes of 420 dm with gaps of 5; placeOnDeck is exact because longest-first refused 7 of 400 decks that fit.
- Refunds: weather 100 % with the 110 yen fee; customer 90 % from 24 h, 50 % from 2 h, then nothing, without the fee, rounded down to 10 yen.

Files, last state: src/booking/reserve.ts, src/booking/hold.ts, src/booking/cancel.ts (refundFor in use; still sends mail inside the transaction), src/sailing/capacity.ts, src/sailing/timetable.ts, src/sailing/deck.ts, src/clock.ts, src/pricing/refund.ts, migrations 0008, 0009, 0010. All committed, last 20b6f81; npm test 117 of 117.

Open: GET /bookings/sailings/:day takes a service day now but was to be looked at with KB-224; question to Saeki-san whether the phone desk may sell past the deck limit on stand-by.

Next: KB-226 part two, the mails of a cancelled sailing.`;
