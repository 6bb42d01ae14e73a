import type { Moment } from './session.ts';
import { ROOT } from './workspace.ts';

export interface Failure {
  file: string;
  test: string;
  /** The message, and the diff below it if there is one. */
  error: string;
  /** Text on the line the stack points at. */
  at?: string;
}

type Reporter = 'verbose' | 'default' | 'dot';

/** The tests of the invented project, and what running them prints. */
export class TestSuite {
  private readonly tests = new Map<string, string[]>();

  constructor(initial: Record<string, string[]>) {
    for (const [file, names] of Object.entries(initial)) this.add(file, ...names);
  }

  add(file: string, ...names: string[]): void {
    this.tests.set(file, [...(this.tests.get(file) ?? []), ...names]);
  }

  names(file: string): string[] {
    return this.tests.get(file) ?? [];
  }

  run(
    reporter: Reporter,
    options: { only?: RegExp; failures?: Failure[]; script?: boolean } = {},
  ): (moment: Moment) => string {
    return (moment) => {
      const { random } = moment;
      const failures = options.failures ?? [];
      const files = [...this.tests.keys()].filter((file) => !options.only || options.only.test(file)).sort();
      const failed = (file: string, test: string): boolean =>
        failures.some((each) => each.file === file && each.test === test);
      const out: string[] =
        options.script === false
          ? []
          : ['', '> kamome-booking@1.14.0 test', `> vitest run --reporter=${reporter}`, ''];
      out.push(` RUN  v3.0.9 ${ROOT}`, '');
      let dots = '';
      let took = 0;
      for (const file of files) {
        const names = this.tests.get(file) ?? [];
        const times = names.map(() => random.between(2, 61));
        took += times.reduce((sum, ms) => sum + ms, 180);
        if (reporter === 'default') {
          const bad = names.filter((name) => failed(file, name)).length;
          const total = times.reduce((sum, ms) => sum + ms, 0);
          out.push(
            ` ${bad > 0 ? '❯' : '✓'} ${file} (${names.length} tests${bad > 0 ? ` | ${bad} failed` : ''}) ${total}ms`,
          );
        }
        for (const [index, name] of names.entries()) {
          const bad = failed(file, name);
          if (reporter === 'verbose') out.push(` ${bad ? '×' : '✓'} ${file} > ${name} ${times[index]}ms`);
          dots += bad ? 'x' : '·';
        }
      }
      if (reporter === 'dot') out.push(dots);
      if (failures.length > 0) out.push('', `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failures.length} ⎯⎯⎯⎯⎯⎯⎯`);
      for (const [index, failure] of failures.entries()) {
        out.push('', ` FAIL  ${failure.file} > ${failure.test}`, failure.error, ...frame(moment, failure));
        out.push('', `⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[${index + 1}/${failures.length}]⎯`);
      }
      const all = files.reduce((sum, file) => sum + (this.tests.get(file)?.length ?? 0), 0);
      const badFiles = new Set(failures.map((failure) => failure.file)).size;
      out.push(
        '',
        ` Test Files  ${tally(badFiles, files.length)}`,
        `      Tests  ${tally(failures.length, all)}`,
        `   Start at  ${new Date(moment.now.getTime() + 9 * 3_600_000).toISOString().slice(11, 19)}`,
        `   Duration  ${((took + 1_900) / 1000).toFixed(2)}s (transform ${random.between(402, 811)}ms, setup 0ms, collect ${(
          random.between(1200, 2900) / 1000
        ).toFixed(
          2,
        )}s, tests ${(took / 1000).toFixed(2)}s, environment 3ms, prepare ${(random.between(700, 1600) / 1000).toFixed(2)}s)`,
      );
      return out.join('\n');
    };
  }
}

function tally(failed: number, all: number): string {
  return failed === 0 ? `${all} passed (${all})` : `${failed} failed | ${all - failed} passed (${all})`;
}

/** The lines around the one that failed, as Vitest prints them. */
function frame(moment: Moment, failure: Failure): string[] {
  if (failure.at === undefined) return [];
  const lines = moment.workspace.read(failure.file).split('\n');
  const at = lines.findIndex((line) => line.includes(failure.at ?? ''));
  if (at === -1) throw new Error(`${failure.file} has no line with ${failure.at}`);
  const column = (lines[at] ?? '').indexOf(failure.at) + 1;
  const out = [` ❯ ${failure.file}:${at + 1}:${column}`];
  for (let index = Math.max(0, at - 2); index <= Math.min(lines.length - 1, at + 2); index++) {
    out.push(`    ${String(index + 1).padStart(3)}| ${lines[index]}`);
    if (index === at) out.push(`       | ${' '.repeat(column - 1)}^`);
  }
  return out;
}

export const initialTests: Record<string, string[]> = {
  'test/booking/reserve.test.ts': [
    'reserveSeats > sells seats and quotes the fare',
    'reserveSeats > refuses a party that does not fit',
    'reserveSeats > sells the last seat',
    'reserveSeats > refuses a sailing that has left',
    'reserveSeats > refuses an unknown sailing',
    'reserveSeats > confirms a kiosk sale at once',
    'confirmBooking > confirms once and shrugs the second time',
  ],
  'test/booking/reference.test.ts': [
    'nextReference > starts at 0001 every day in Japan',
    'nextReference > counts each channel on its own',
    'nextReference > pads to four digits and does not wrap at 9999',
    'nextReference > gives no number twice to 20 callers at once',
  ],
  'test/booking/cancel.test.ts': [
    'cancelBooking > gives the seats back',
    'cancelBooking > refuses after departure',
    'cancelBooking > refuses the second time',
    'cancelBooking > refuses an unknown reference',
    'cancelSailing > closes the sailing',
    'cancelSailing > cancels pending and confirmed bookings',
    'cancelSailing > leaves what was cancelled before as it was',
    'cancelSailing > writes to everybody with an address',
  ],
  'test/sailing/capacity.test.ts': [
    'remainingCapacity > is the whole vessel at first',
    'remainingCapacity > counts pending bookings as sold',
    'remainingCapacity > gives back what was cancelled',
    'remainingCapacity > knows the Chidori is smaller',
    'remainingCapacity > goes negative when oversold',
    'loadOn > lists the day in order of departure',
    'loadOn > lists a sailing nobody booked',
  ],
  'test/sailing/timetable.test.ts': [
    'sailingId > is route, time and day',
    'runsOn > follows the weekday',
    'runsOn > includes the first and the last day of the period',
    'runsOn > excludes the day before and the day after',
    'departure > is the quay clock',
    'sailingsOn > leaves closed sailings out',
    'sailingsOn > is in order of departure',
    'materialize > writes every sailing of a period once',
    'materialize > does not double when run again',
  ],
  'test/pricing/fare.test.ts': [
    'quoteFare > adds the handling fee once a booking',
    'quoteFare > charges a kei less than a car',
    'quoteFare > knows no fare for KMM-KMM',
    'passengerFare > adult pays the filed fare on KMM-HSJ',
    'passengerFare > adult pays the filed fare on KMM-OKU',
    'passengerFare > adult pays the filed fare on HSJ-OKU',
    'passengerFare > child of 6 pays half, rounded up to 10 yen',
    'passengerFare > child of 11 pays half, rounded up to 10 yen',
    'passengerFare > 12 pays full',
    'passengerFare > 5 travels free',
    'passengerFare > resident pays 70 %, rounded down to 10 yen',
    'passengerFare > a resident child pays the child fare',
  ],
  'test/http/bookings.test.ts': [
    'POST /bookings > 201 with the booking',
    'POST /bookings > 404 for an unknown sailing',
    'POST /bookings > 409 when full, and says how many are left',
    'POST /bookings > 422 without passengers',
    'POST /bookings > 422 for an age of 3.5',
    'POST /bookings > 422 for a sailing id with a dash missing',
    'POST /bookings > takes at most 4 vehicles',
    'DELETE /bookings/:reference > cancels',
    'DELETE /bookings/:reference > 404',
    'DELETE /bookings/:reference > 409 the second time',
    'GET /bookings/sailings/:day > lists the day',
    'GET /bookings/sailings/:day > is empty on a day without boats',
  ],
  'test/http/health.test.ts': ['GET /healthz > 200', 'GET /healthz > 500 when the database is gone'],
  'test/payments/webhook.test.ts': [
    'POST /webhooks/payment > confirms the booking',
    'POST /webhooks/payment > 400 for a wrong signature',
    'POST /webhooks/payment > 400 for a signature of yesterday',
    'POST /webhooks/payment > 204 for a kind we do not use',
    'POST /webhooks/payment > 204 when told twice',
  ],
  'test/notify/subject.test.ts': [
    'subjectLine > leaves a short one alone',
    'subjectLine > cuts at 30 and marks the cut',
    'subjectLine > makes one line of two',
  ],
  'test/notify/mail.test.ts': ['sendMail > fills the template', 'sendMail > gives up after 10 s'],
  'test/kiosk/kiosk-sync.test.ts': [
    'POST /kiosk/sales > books a sale',
    'POST /kiosk/sales > logs a fare that differs and books all the same',
  ],
  'test/jobs/minutely.test.ts': [
    'runMinutely > closes what has left',
    'runMinutely > goes on after a job that throws',
    'runMinutely > logs nothing when there was nothing to do',
  ],
  'test/scripts/import-timetable.test.ts': [
    'import > reads the winter timetable',
    'import > names the column that is missing',
    'import > names the line of an unknown port',
    'import > writes nothing on a dry run',
  ],
  'test/migrations.test.ts': [
    'migrations > apply to an empty database',
    'migrations > apply twice without a change',
    'migrations > have numbers without a gap',
    'migrations > keep the checksums of docs/kiosk-checksums.txt',
  ],
};
