// The locale is fixed: the machine's must not change what a summary says. The rules used here serve every script.
const bySentence = new Intl.Segmenter('en', { granularity: 'sentence' });
const byGrapheme = new Intl.Segmenter('en', { granularity: 'grapheme' });

const LIST_MARK = /^\s*(?:[-*•·▪◦‣+]|\d{1,3}[.)、]|[（(]\d{1,3}[)）]|[a-zA-Z][.)]|#{1,6}|>)\s+/;
const EMPHASIS = /\*\*([^*\n]{1,300})\*\*/g;
const ENDS_MID_LINE = /[.!?…؟।։።"'”’)\]]\s|[。！？｡]./;

/** Sentences of one line, in any language, blanks at their ends removed. */
export function sentencesOf(line: string): string[] {
  const text = line.trim();
  if (text === '') return [];
  if (!ENDS_MID_LINE.test(text)) return [text];
  const out: string[] = [];
  let open = '';
  for (const { segment } of bySentence.segment(text)) {
    open += segment;
    // A mark in a word ends no sentence: `https://host/page?id=1`.
    if (!/[\s。！？｡]$/.test(segment)) continue;
    out.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') out.push(open.trim());
  return out;
}

/** Whether a line is an item of a list. */
export function isListItem(line: string): boolean {
  return LIST_MARK.test(line);
}

/** A line without the mark that makes it a list item, heading or quotation, and without emphasis. */
export function withoutMarks(line: string): string {
  let text = line.trim();
  for (let depth = 0; depth < 3 && LIST_MARK.test(text); depth += 1) text = text.replace(LIST_MARK, '');
  return text.replace(EMPHASIS, (_all, inner: string) => inner).trim();
}

/** Whether a sentence asks. */
export function isQuestion(sentence: string): boolean {
  return (
    /[?？؟][)"'”’»」』*_\s]{0,4}$/.test(sentence) ||
    /(?:ですか|ますか|でしょうか|吗|嗎|呢|까요|나요)[。.]?$/.test(sentence)
  );
}

/** The nearest index at or before `at` where a reader would see no character torn. */
export function graphemeBoundary(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  return byGrapheme.segment(text).containing(at)?.index ?? 0;
}

/** The start of a text, at most `length` code units: whole sentences if they fill most of it, else whole words, else whole characters. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, graphemeBoundary(text, length));
  const sentence = lastSentenceEnd(cut, text);
  if (sentence >= cut.length * 0.6) return cut.slice(0, sentence).trimEnd();
  const blank = cut.search(/\s\S*$/);
  return cut.slice(0, blank >= cut.length * 0.6 ? blank : cut.length).trimEnd();
}

/** The end of a text, at most `length` code units, beginning at a word or character. */
export function tail(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = graphemeBoundary(text, text.length - length);
  const start = from < text.length - length ? nextBoundary(text, from) : from;
  const cut = text.slice(start);
  const blank = cut.search(/\s/);
  return blank >= 0 && blank <= cut.length * 0.25 ? cut.slice(blank).trimStart() : cut.trimStart();
}

function nextBoundary(text: string, from: number): number {
  const cluster = byGrapheme.segment(text).containing(from);
  return cluster === undefined ? text.length : cluster.index + cluster.segment.length;
}

/** Where the last sentence of `cut` ends that ends in `text` too: followed there by a blank, or ended by a full-width mark. */
function lastSentenceEnd(cut: string, text: string): number {
  for (let at = cut.length - 1; at + 1 >= cut.length * 0.6; at -= 1) {
    const char = cut.charAt(at);
    if ('。！？'.includes(char) || char === '\n') return at + 1;
    if ('.!?'.includes(char) && /\s/.test(text.charAt(at + 1))) return at + 1;
  }
  return 0;
}
