import type { Role } from '../event/event.ts';

/** Groups what a model says in a row into replies: anything else said in between ends one. */
export class ReplyRuns {
  #reply: string | null = null;

  /** The reply an event belongs to; the first names it. */
  of(role: Role, id: string): { readonly reply?: string } {
    if (role !== 'assistant') {
      this.#reply = null;
      return {};
    }
    this.#reply ??= `reply:${id}`;
    return { reply: this.#reply };
  }

  end(): void {
    this.#reply = null;
  }
}
