import type { Usage } from '../../event/event.ts';

/** A call that failed after another one that was paid for: `usage` is what that cost, `cause` what was thrown. */
export class PaidCallError extends Error {
  readonly usage: Usage;
  constructor(usage: Usage, cause: unknown) {
    super('a call failed after one that was paid for', { cause });
    this.name = 'PaidCallError';
    this.usage = usage;
  }
}
