import type { SessionKey } from '../../src/event/ids.ts';

/** One attempt that was paid for. */
export interface Payment {
  /** When it ended, in milliseconds since the epoch. */
  readonly time: number;
  readonly key: SessionKey;
  readonly input: number;
  readonly output: number;
}

/** How much of a time's text says which period it is in: `2030-01-01T09`, `2030-01-01`, `2030-01`. */
const LETTERS = { hour: 13, day: 10, month: 7 } as const;

/** The period a moment is in, as the beginning of its text. */
export function periodText(time: number, period: keyof typeof LETTERS): string {
  return new Date(time).toISOString().slice(0, LETTERS[period]);
}

/** Whether two sessions share an allowance. */
export function sameTenant(a: SessionKey, b: SessionKey, tenant: 'app' | 'user'): boolean {
  return a.app === b.app && (tenant === 'app' || a.user === b.user);
}

/** A plain list of what was paid: what a ledger of spend must say, worked out from text and not from hours. */
export class Payments {
  readonly all: Payment[] = [];

  /** The tokens a session's tenant paid in the period that holds `now`. */
  spent(
    key: SessionKey,
    allowance: { readonly period: keyof typeof LETTERS; readonly tenant: 'app' | 'user' },
    now: number,
  ): number {
    const { period, tenant } = allowance;
    return this.all
      .filter((one) => sameTenant(one.key, key, tenant))
      .filter((one) => periodText(one.time, period) === periodText(now, period))
      .reduce((sum, one) => sum + one.input + one.output, 0);
  }

  /** What the ledger must hold of the payments that pass, a line for each session and hour, in any order. */
  lines(passes: (payment: Payment) => boolean = () => true): readonly string[] {
    const groups = Map.groupBy(this.all.filter(passes), ({ key, time }) =>
      [periodText(time, 'hour'), key.app, key.user, key.session].join(' '),
    );
    return [...groups]
      .map(([name, payments]) => {
        const input = payments.reduce((sum, one) => sum + one.input, 0);
        const output = payments.reduce((sum, one) => sum + one.output, 0);
        return `${name}: ${input} in, ${output} out, ${payments.length}`;
      })
      .sort();
  }
}
