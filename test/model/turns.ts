/** What became of a turn, as the oracle sees it. */
export interface ModelTurn {
  readonly id: string;
  readonly ordinal: number;
  state: 'running' | 'ended' | 'failed' | 'cancelled';
  expiresAt: number;
  /** The first user event that is no answer. */
  openedBy: number | null;
}

/** The turns of a session by the store's clock, kept beside the store and never read from it. */
export class ModelTurns {
  readonly #turns = new Map<string, ModelTurn>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  begin(id: string, milliseconds: number): void {
    const known = this.#turns.get(id);
    const expiresAt = this.#clock() + milliseconds;
    if (known !== undefined) {
      known.state = 'running';
      known.expiresAt = expiresAt;
      return;
    }
    this.#turns.set(id, { id, ordinal: this.#turns.size + 1, state: 'running', expiresAt, openedBy: null });
  }

  /** An event of that turn was stored; `running`: new turns of this append run. */
  heard(id: string, seq: number, opens: boolean, running: boolean, milliseconds: number): void {
    let turn = this.#turns.get(id);
    if (turn === undefined) {
      turn = {
        id,
        ordinal: this.#turns.size + 1,
        state: running ? 'running' : 'ended',
        expiresAt: 0,
        openedBy: null,
      };
      this.#turns.set(id, turn);
    }
    // A turn taken for lost that speaks again runs again.
    if (turn.state === 'running') turn.expiresAt = this.#clock() + milliseconds;
    if (opens && turn.openedBy === null) turn.openedBy = seq;
  }

  end(id: string, state: 'ended' | 'failed' | 'cancelled'): void {
    const turn = this.#turns.get(id);
    if (turn?.state === 'running') turn.state = state;
  }

  state(id: string): ModelTurn['state'] | 'lost' {
    const turn = this.#turns.get(id);
    if (turn === undefined) return 'running';
    return turn.state === 'running' && turn.expiresAt <= this.#clock() ? 'lost' : turn.state;
  }

  isOver(id: string): boolean {
    return this.state(id) !== 'running';
  }

  get(id: string): ModelTurn | undefined {
    return this.#turns.get(id);
  }

  all(): readonly ModelTurn[] {
    return [...this.#turns.values()];
  }

  get count(): number {
    return this.#turns.size;
  }
}
