import { NO_ID } from './fingerprint-table.ts';
import { type LineIndex, LineKind } from './line-index.ts';

/**
 * Where each line stands: `laneOf[line]` is 0 for the active conversation, n > 0 for the branch abandoned at line
 * `forks[n]`, and -n - 1 for the sidechain that begins at line n.
 */
export interface LinePlaces {
  readonly laneOf: Int32Array;
  /** The first line of each abandoned branch; `forks[0]` is unused. */
  readonly forks: readonly number[];
}

const ROOT = 0;
const UNPLACED = -0x80000000;
const WALKING = -0x7fffffff;

/**
 * Tells the active conversation from what was abandoned, by the tree the lines' parents make.
 *
 * The active conversation is the path from the last line of it back to the beginning, across compaction boundaries; all
 * lines of a reply on it, and the results of its calls, stay with it, for parallel calls make the tree fork without
 * anything being abandoned. Another path that leaves it with a prompt or a reply of its own is an abandoned branch, from
 * there on. The same rule tells branches of branches apart. What cannot be placed (a parent that is not in the log, a
 * cycle, a tree of its own) stays in the active conversation: visible is recoverable.
 */
export function placeLines(index: LineIndex): LinePlaces {
  return new Placing(index).run();
}

class Placing {
  readonly #index: LineIndex;
  readonly #laneOf: Int32Array;
  readonly #parentLine: Int32Array;
  /** The kind of the nearest line at or before a placed one, on its path, that is conversation. */
  readonly #near: Uint8Array;
  readonly #forks: number[] = [-1];
  /** The lane a reply was first met in. */
  readonly #laneOfReply = new Map<number, number>();
  /** The first line of the active conversation, when the walk back to it ended at a prompt without a parent. */
  #start = -1;
  #allSidechain = false;

  constructor(index: LineIndex) {
    this.#index = index;
    this.#laneOf = new Int32Array(index.count).fill(UNPLACED);
    this.#parentLine = new Int32Array(index.count).fill(-1);
    this.#near = new Uint8Array(index.count);
  }

  run(): LinePlaces {
    this.#allSidechain = this.#holdsOnlySidechains();
    const chained = this.#findParents();
    const last = this.#lastConversational();
    if (last !== -1) {
      const { path, base } = this.#walk(last);
      this.#placeOn(ROOT, path, base);
      const first = path.at(-1) as number;
      if (chained && this.#isFirstPrompt(first)) this.#start = first;
    }
    for (let line = this.#index.count - 1; line >= 0; line -= 1) {
      if (this.#laneOf[line] !== UNPLACED || this.#index.kind[line] === LineKind.skipped) continue;
      const { path, base } = this.#walk(line);
      this.#placeBranch(path, base);
    }
    for (let line = 0; line < this.#index.count; line += 1) {
      if (this.#laneOf[line] === UNPLACED) this.#laneOf[line] = ROOT;
    }
    return { laneOf: this.#laneOf, forks: this.#forks };
  }

  /** A sub-agent's own log marks every line as sidechain: there it is the conversation. */
  #holdsOnlySidechains(): boolean {
    const { kind, sidechain, count } = this.#index;
    for (let line = 0; line < count; line += 1) {
      if ((kind[line] as number) > LineKind.neutral && sidechain[line] === 0) return false;
    }
    return true;
  }

  /**
   * Finds every line's parent, and places sidechains. Returns whether this log's writer chains prompts to what came
   * before them and never starts with a reply, so that a prompt without a parent is a beginning on purpose.
   */
  #findParents(): boolean {
    const { kind, parent, table, logicalParent, count } = this.#index;
    let chainedPrompts = false;
    let strayReplies = false;
    for (let line = 0; line < count; line += 1) {
      const id = parent[line] as number;
      let found = id === NO_ID ? -1 : table.find(id);
      if (found === line) found = -1;
      if (this.#isSidechain(line)) {
        const inherits = found !== -1 && found < line && this.#isSidechain(found);
        this.#laneOf[line] = inherits ? (this.#laneOf[found] as number) : -line - 1;
        continue;
      }
      const lineKind = kind[line] as LineKind;
      if (lineKind === LineKind.compaction && found === -1) {
        const logical = logicalParent.get(line);
        found = logical === undefined ? -1 : table.find(logical);
      }
      if (found !== -1 && this.#isSidechain(found)) found = -1;
      this.#parentLine[line] = found;
      if (lineKind === LineKind.prompt && found !== -1) chainedPrompts = true;
      if (lineKind === LineKind.assistant && id === NO_ID) strayReplies = true;
    }
    return chainedPrompts && !strayReplies;
  }

  #isSidechain(line: number): boolean {
    return !this.#allSidechain && this.#index.sidechain[line] === 1;
  }

  #lastConversational(): number {
    const { kind, count } = this.#index;
    for (let line = count - 1; line >= 0; line -= 1) {
      if ((kind[line] as number) > LineKind.neutral && !this.#isSidechain(line)) return line;
    }
    return -1;
  }

  #isFirstPrompt(line: number): boolean {
    return this.#index.kind[line] === LineKind.prompt && this.#index.parent[line] === NO_ID;
  }

  /** The unplaced lines from `line` back, and the placed one they lead to, or -1 where they lead to none. */
  #walk(line: number): { readonly path: readonly number[]; readonly base: number } {
    const path: number[] = [];
    let at = line;
    while (at !== -1 && this.#laneOf[at] === UNPLACED) {
      this.#laneOf[at] = WALKING;
      path.push(at);
      at = this.#parentLine[at] as number;
    }
    return { path, base: at === -1 || this.#laneOf[at] === WALKING ? -1 : at };
  }

  #placeBranch(path: readonly number[], base: number): void {
    if (base !== -1) {
      this.#placeOn(this.#laneOf[base] as number, path, base);
      return;
    }
    const first = path.at(-1) as number;
    // Going back to before the first prompt makes a second beginning.
    const rewound = this.#start !== -1 && this.#start !== first && this.#isFirstPrompt(first);
    this.#placeAll(rewound ? this.#forks.push(first) - 1 : ROOT, path, path.length - 1, -1);
  }

  /** Places a path that leaves `lane` at `base`: on it as long as it belongs to the replies there, then on a lane of its own. */
  #placeOn(lane: number, path: readonly number[], base: number): void {
    if (base === -1) {
      this.#placeAll(lane, path, path.length - 1, -1);
      return;
    }
    let from = path.length - 1;
    let near = this.#near[base] as number;
    for (let at = path.length - 1; at >= 0; at -= 1) {
      const line = path[at] as number;
      const kind = this.#index.kind[line] as LineKind;
      if (kind <= LineKind.neutral) continue;
      if (!this.#belongs(line, kind, near, lane)) {
        // Context that stands between is the branch's own.
        let first = from;
        while (this.#index.kind[path[first] as number] === LineKind.skipped) first -= 1;
        this.#placeAll(lane, path, from, base, first + 1);
        this.#placeAll(this.#forks.push(path[first] as number) - 1, path, first, base);
        return;
      }
      near = kind;
      this.#placeAll(lane, path, from, base, at);
      from = at - 1;
    }
    this.#placeAll(lane, path, from, base);
  }

  #belongs(line: number, kind: LineKind, near: number, lane: number): boolean {
    if (kind === LineKind.result) return near === LineKind.assistant || near === LineKind.result;
    if (kind !== LineKind.assistant) return false;
    const reply = this.#index.reply[line] as number;
    return reply !== NO_ID && this.#laneOfReply.get(reply) === lane;
  }

  /** Places `path[to..from]`, which leads back to `path[from + 1]` or `base`. */
  #placeAll(lane: number, path: readonly number[], from: number, base: number, to = 0): void {
    const { kind, reply } = this.#index;
    for (let at = from; at >= to; at -= 1) {
      const line = path[at] as number;
      this.#laneOf[line] = lane;
      const before = path[at + 1] ?? base;
      const lineKind = kind[line] as number;
      this.#near[line] =
        lineKind > LineKind.neutral ? lineKind : before === -1 ? 0 : (this.#near[before] as number);
      const lineReply = reply[line] as number;
      if (lineReply !== NO_ID && !this.#laneOfReply.has(lineReply)) this.#laneOfReply.set(lineReply, lane);
    }
  }
}
