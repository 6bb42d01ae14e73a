import type { Emit } from './numbers.ts';

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’_-]*|[^\s]/gu;
/** What begins with a capital in scripts that have them, and is not all capitals. */
const CAPITALIZED = /^\p{Lu}(?!['’])[\p{L}\p{M}'’-]*\p{Ll}/u;
/** Capitals inside: an identifier, found by its shape. */
const HUMPED = /\p{Ll}\p{Lu}/u;
/** A line that announces others: its capitals are a heading's. */
const HEADING =
  /^\s{0,3}#{1,6}\s|^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?[*_]{0,2}[^.!?:：]{1,60}[*_]{0,2}[:：][*_]{0,2}\s*$|^\s*\*\*[^*]{1,80}\*\*\s*$/u;
const ENDS_SENTENCE = /^[.!?:;…。！？；：(（[{"“「『*#>|•–—-]$/u;
/** Words between the capitalized ones of a name. */
const BETWEEN =
  /^(?:of|de|da|do|dos|di|del|della|der|den|von|van|vom|zu|la|le|les|du|des|el|al|bin|ibn|y|e|of the|and|&)$/;
/** Open a sentence, in capitals, and are no part of a name after them. */
const OPENS =
  /^(?:when|then|this|that|these|those|with|from|please|what|where|which|while|also|after|before|does|have|will|would|could|should|let['’]s|here|there|using|every|each|some|both|only|once|since|until|note|next|first|finally|unlike|like|under|over|into|visit|call|send|show|find|tell|give|make|move|update|change|check|open|close|start|stop|keep|remember|wenn|dann|dies|diese|bitte|nach|avec|dans|pour|cette|cuando|donde|este|esta|quando|dove|questo)$/iu;
/** A word that opens a sentence and is said to be something is a name all the same. */
const IS = /^(?:is|was|es|era|est|ist|war|é|è)$/u;
const STANDS_FOR =
  /^(?:it|this|that|there|here|he|she|what|who|where|which|how|why|when|everything|nothing|something|anything|everyone|nobody|one|all|each|mine|yours|es|das|dies|er|sie|wer|was|wo|esto|eso|este|esta|ese|ella|él|ce|ceci|cela|elle|il|on|qui|isso|isto|ele|ela|questo|quello)$/iu;
/** German capitalizes every noun: where so many words are capitals inside sentences, one alone is no name. */
const MOST_NAMES = 0.14;
const LONGEST_NAME = 60;

/** Chinese, Japanese and Korean names by what follows them. */
const ADDRESSED =
  /(?<![\p{Script=Han}])[\p{Script=Han}]{1,4}(?:さん|さま|様|氏|先生|先輩|部長|社長|課長|くん|ちゃん|女士|经理|經理)|[\p{Script=Katakana}ー]{2,12}(?:さん|さま|様|氏|先生|くん|ちゃん)|[\p{Script=Hangul}]{2,4}(?:님|씨)(?![\p{Script=Hangul}])/gu;

/**
 * Finds proper names by their capitals inside sentences, in the written lines of a text. Where a person wrote them, two
 * capitals that open a sentence are a name too; an assistant reports so what it did (`Created Foo`).
 */
export function findNames(lines: readonly string[], byUser: boolean, emit: Emit): void {
  let words = 0;
  let inside = 0;
  const found: Name[] = [];
  for (const line of lines) {
    if (HEADING.test(line)) continue;
    for (const match of line.matchAll(ADDRESSED)) emit('name', match[0]);
    const run = new NameRun(found, byUser);
    let end = 0;
    let opens = true;
    for (const match of line.matchAll(WORD)) {
      const [word] = match;
      const isWord = word.length > 1 || /\p{L}/u.test(word);
      if (isWord) {
        words += 1;
        const capitalized = CAPITALIZED.test(word);
        if (capitalized && !opens) inside += 1;
        if (match.index !== end + 1 || opens) run.close();
        if (capitalized) run.add(word, opens);
        else if (!run.between(word)) run.close(IS.test(word));
        opens = false;
      } else {
        run.close();
        opens = ENDS_SENTENCE.test(word);
      }
      end = match.index + word.length;
    }
    run.close();
  }
  const crowded = words >= 20 && inside / words > MOST_NAMES;
  for (const name of found) if (!(crowded && name.words === 1)) emit('name', name.text);
}

interface Name {
  readonly text: string;
  readonly words: number;
}

/** Capitalized words that follow one another. */
class NameRun {
  readonly #found: Name[];
  readonly #byUser: boolean;
  #words: string[] = [];
  #pending: string[] = [];
  #opened = false;

  constructor(found: Name[], byUser: boolean) {
    this.#found = found;
    this.#byUser = byUser;
  }

  add(word: string, opens: boolean): void {
    if (this.#words.length === 0) this.#opened = opens;
    this.#words.push(...this.#pending, word.replace(/['’]s?$/u, ''));
    this.#pending = [];
  }

  /** Whether a small word may stand between two of the run. */
  between(word: string): boolean {
    if (this.#words.length === 0 || this.#pending.length > 1 || !BETWEEN.test(word)) return false;
    this.#pending.push(word);
    return true;
  }

  /** `subject`: it is said what the run is. */
  close(subject = false): void {
    const words = this.#words;
    this.#words = [];
    this.#pending = [];
    const [first = ''] = words;
    const named = subject && this.#byUser && words.length === 1 && !STANDS_FOR.test(first);
    // A sentence's first word is a capital whatever it is.
    if (
      !named &&
      this.#opened &&
      (!this.#byUser || words.length === 1 || first.length <= 3 || OPENS.test(first))
    )
      words.shift();
    while (words.length > 0 && BETWEEN.test(words[0] ?? '')) words.shift();
    const text = words.join(' ');
    if (words.length === 1 && HUMPED.test(text)) return;
    if (text.length >= 3 && text.length <= LONGEST_NAME) this.#found.push({ text, words: words.length });
  }
}
