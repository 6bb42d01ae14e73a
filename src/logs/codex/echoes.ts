/** How many messages back a repetition is looked for: it stands next to what it repeats. */
const REACH = 32;

/** What became of a message of the user interface: an item repeats it, it stands alone, or the log ended before that showed. */
export type EchoFate = 'repeated' | 'alone' | 'open';

/** An agent's message of the interface whose item has not come yet. */
interface HeldEcho {
  readonly text: string;
  readonly settle: (fate: EchoFate) => void;
}

interface Written {
  readonly texts: readonly string[];
  echoed: boolean;
}

/**
 * Rollouts say most messages twice: as an item of the model's history, and for the user interface. The latter is a
 * repetition, unless the former is missing: some versions and tools write only the latter, and then it is all there is.
 *
 * A user's message is written after its item where there is one, and at once an event where there is none. An agent's is
 * written before or after its item, so it is held until its item comes or the turn ends without it. What is decided
 * depends on earlier lines only, so a grown log decides the same.
 */
export class Echoes {
  readonly #userItems: Written[] = [];
  readonly #agentItems: Written[] = [];
  /** Texts of users' messages that became events; their items may still come. */
  readonly #standing: string[] = [];
  #held: HeldEcho[] = [];

  /** A user's message of the interface: whether an item says the same. If not, it is to become an event. */
  user(text: string): boolean {
    const trimmed = text.trim();
    if (take(this.#userItems, trimmed)) return true;
    push(this.#standing, trimmed);
    return false;
  }

  /** A user's item: whether it only repeats a message that became an event. `textOnly`: it holds nothing but text. */
  userItem(texts: readonly string[], textOnly: boolean): boolean {
    const written = asWritten(texts);
    const whole = written.texts.at(-1) ?? '';
    const at = textOnly ? this.#standing.indexOf(whole) : -1;
    if (at !== -1) {
      this.#standing.splice(at, 1);
      return true;
    }
    push(this.#userItems, written);
    return false;
  }

  /** An agent's message of the interface: settled now or later. */
  agent(text: string, settle: (fate: EchoFate) => void): void {
    const echo = { text: text.trim(), settle };
    if (take(this.#agentItems, echo.text)) {
      settle('repeated');
      return;
    }
    this.#held.push(echo);
    if (this.#held.length > REACH) this.#held.shift()?.settle('alone');
  }

  /** An agent's item. */
  agentItem(texts: readonly string[]): void {
    const written = asWritten(texts);
    let at = this.#held.findIndex((echo) => written.texts.includes(echo.text));
    if (at === -1) at = this.#held.findIndex((echo) => holds(written, echo.text));
    if (at === -1) push(this.#agentItems, written);
    else this.#held.splice(at, 1)[0]?.settle('repeated');
  }

  /** The turn is over, or the log: what is held has no item, or may yet get one. */
  release(fate: 'alone' | 'open'): void {
    const held = this.#held;
    this.#held = [];
    for (const echo of held) echo.settle(fate);
  }
}

/** The parts' texts and, last, all of them together. */
function asWritten(texts: readonly string[]): Written {
  const trimmed = texts.map((text) => text.trim());
  if (trimmed.length !== 1) trimmed.push(texts.join('\n').trim());
  return { texts: trimmed, echoed: false };
}

/** The interface may show a part of what the model was sent: nothing is lost when that part is not stored twice. */
function holds(written: Written, text: string): boolean {
  return text !== '' && written.texts.some((each) => each.includes(text));
}

function take(items: Written[], text: string): boolean {
  const newest = items.findLast((each) => !each.echoed);
  const match =
    items.findLast((each) => !each.echoed && each.texts.includes(text)) ??
    (newest !== undefined && holds(newest, text) ? newest : undefined);
  if (match === undefined) return false;
  match.echoed = true;
  return true;
}

function push<Value>(list: Value[], value: Value): void {
  list.push(value);
  if (list.length > REACH) list.shift();
}
