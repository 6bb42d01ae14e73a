import type { SqliteSession } from './sqlite-session.ts';

/** Sessions a connection keeps at hand. */
const KEPT = 64;

interface Known {
  readonly session: SqliteSession;
  /** After how many commits of others it was looked at. */
  commits: number;
}

/** The sessions a connection has at hand, each until another connection changes it. For use within transactions. */
export class KnownSessions {
  readonly #sessions = new Map<string, Known>();
  #commits = 0;

  /** Another connection committed, to whatever session. */
  othersCommitted(): void {
    this.#commits += 1;
  }

  find(text: string): SqliteSession | undefined {
    const known = this.#sessions.get(text);
    if (known === undefined) return undefined;
    if (known.commits !== this.#commits) {
      if (!known.session.isCurrent()) {
        this.#sessions.delete(text);
        return undefined;
      }
      known.commits = this.#commits;
    }
    return known.session;
  }

  keep(text: string, session: SqliteSession): void {
    if (this.#sessions.size >= KEPT) this.#sessions.clear();
    this.#sessions.set(text, { session, commits: this.#commits });
  }

  clear(): void {
    this.#sessions.clear();
  }
}
