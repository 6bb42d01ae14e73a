import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ConfigError, nameForMessage } from '../event/errors.ts';
import type { SessionKey } from '../event/ids.ts';
import { checkKey, keyText } from '../store/session-key.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { SetTimer } from '../summary/call.ts';
import { OpenSession } from './open-session.ts';
import { type CheckedPolicy, checkPolicy, type Policy } from './policy.ts';
import type { Session } from './session.ts';

/** What a `Palimpsest` is made of. */
export interface PalimpsestOptions extends Policy {
  readonly store: SessionStore;
  /** Names this process in leases; default: host and process id. */
  readonly holder?: string;
  /** Makes the nonces that fence summaries: at least 16 hexadecimal digits, not to be guessed. */
  readonly nonce?: () => string;
  /** Timers for deadlines; default: the process's. */
  readonly setTimer?: SetTimer;
  /** Milliseconds that only ever grow, to tell whether a provider's cache has gone cold; default: the process's. */
  readonly clock?: () => number;
}

/**
 * The way in: a store and a policy. Sessions opened from it share them. Throws `ConfigError` for a policy
 * that cannot work.
 */
export class Palimpsest {
  readonly store: SessionStore;
  readonly policy: CheckedPolicy;
  readonly #holder: string;
  readonly #nonce: () => string;
  readonly #setTimer: SetTimer | undefined;
  readonly #clock: () => number;
  readonly #sessions = new Map<string, WeakRef<OpenSession>>();
  /** A server opens sessions for ever: what nobody holds any more leaves no entry behind. */
  readonly #collected = new FinalizationRegistry<string>((text) => {
    if (this.#sessions.get(text)?.deref() === undefined) this.#sessions.delete(text);
  });

  constructor(options: PalimpsestOptions) {
    checkNames(options);
    this.store = options.store;
    this.policy = checkPolicy(options, options.store.counter);
    this.#holder = options.holder ?? `${hostname()}:${process.pid}`;
    this.#nonce = options.nonce ?? (() => randomBytes(8).toString('hex'));
    this.#setTimer = options.setTimer;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** The session of that key; it comes into being with its first event. Nothing is read. */
  session(key: SessionKey): Session {
    const text = keyText(checkKey(key));
    const known = this.#sessions.get(text)?.deref();
    if (known !== undefined) return known;
    const session = new OpenSession(key, {
      store: this.store,
      policy: this.policy,
      holder: this.#holder,
      nonce: this.#nonce,
      clock: this.#clock,
      ...(this.#setTimer === undefined ? {} : { setTimer: this.#setTimer }),
    });
    this.#sessions.set(text, new WeakRef(session));
    this.#collected.register(session, text);
    return session;
  }

  /** Waits for compactions under way, then closes the store. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(async (reference) => reference.deref()?.idle()));
    await this.store.close();
  }
}

const OPTIONS: ReadonlySet<string> = new Set<keyof PalimpsestOptions>([
  'store',
  'holder',
  'nonce',
  'setTimer',
  'clock',
  'summarizer',
  'sliding',
  'keep',
  'minimumTokens',
  'maxSummaryTokens',
  'literals',
  'literalsFloor',
  'tail',
  'rollUp',
  'contextLimit',
  'overheadTokens',
  'maxWindowTokens',
  'allowance',
  'deadlineMilliseconds',
  'turnLeaseMilliseconds',
]);

/** For programs without types: a misspelt option would silently do nothing. */
function checkNames(options: unknown): void {
  if (typeof options !== 'object' || options === null || !('store' in options)) {
    throw new ConfigError('store', 'is missing: pass a MemoryStore or one of openSqliteStore');
  }
  for (const name of Object.keys(options)) {
    if (!OPTIONS.has(name)) throw new ConfigError(nameForMessage(name), 'is no option');
  }
}
