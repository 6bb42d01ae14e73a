import type { LiteralKind } from './literal-kind.ts';
import { UNSPACED } from './scripts.ts';

/** Stands where a value was taken out of a line: what touches it is part of that, not a value of its own. Texts hold none. */
export const TAKEN = '\u0001';

/** Hears a value found in a line. */
export type Emit = (kind: LiteralKind, text: string) => void;

const MONTH = [
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
  'januar|februar|märz|juni|juli|oktober|dezember',
  'janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro',
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre',
  'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря',
].join('|');

const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?';
const DATE: RegExp = new RegExp(
  [
    `\\d{4}-\\d{2}-\\d{2}(?:[T ]${CLOCK}(?:Z|[+-]\\d{2}:?\\d{2})?)?`,
    '\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}/\\d{1,2}/\\d{2,4}|\\d{1,2}\\.\\d{1,2}\\.\\d{4}',
    '\\d{4}[年년]\\s?\\d{1,2}[月월](?:\\s?\\d{1,2}[日일号號])?|\\d{1,2}[月월]\\s?\\d{1,2}[日일号號]',
    `\\d{1,2}(?:st|nd|rd|th|\\.|º)?\\s(?:de |of )?(?:${MONTH})(?![\\p{L}])\\.?(?:,? (?:de )?\\d{4})?`,
    `(?:${MONTH})(?![\\p{L}])\\.?\\s\\d{1,2}(?:st|nd|rd|th)?(?![\\d:])(?:,? \\d{4})?`,
    `(?:${MONTH})(?![\\p{L}])\\.?,?\\s\\d{4}`,
    `${CLOCK}(?:\\s?[ap]\\.?m\\b\\.?)?|\\d{1,2}\\s?[ap]m\\b`,
    '\\d{1,2}[时時시](?:\\s?\\d{1,2}[分분])?',
  ]
    .map((form) => `(?:${form})`)
    .join('|'),
  'giu',
);

const UNIT =
  /^(?:%|‰|°[cf]?|[µun]s|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|yrs?|[kmgt]i?b|bytes?|bits?|kbps|mbps|gbps|px|r?em|pt|dpi|fps|rpm|mm|cm|km|inch(?:es)?|ft|feet|foot|yd|yards?|mi|miles?|kg|mg|µg|lbs?|oz|pounds?|tons?|ml|lit(?:er|re)s?|kw|kwh|hz|khz|mhz|ghz|rps|qps|tps|usd|eur|gbp|jpy|cny|inr|dollars?|euros?|yen|cents?|percent|prozent|jahre?|tage?|stunden|minuten|sekunden|wochen|monate?|años?|días?|horas?|minutos?|segundos?|meses|mois|jours?|heures?|secondes?|лет|года?|дн(?:я|ей)|час(?:а|ов)?|минут|рублей)$/iu;
/** Letters that are a unit only right behind a number. */
const SHORT_UNIT = /^(?:[smhdwykbgtlvwa]|in)$/iu;
/** Scripts that set a counter right behind its number. */
const COUNTER =
  /^(?:小时|小時|時間|分钟|分鐘|公里|平方米|万円|万元|億円|亿元|시간|퍼센트|만원|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}])/u;

/** A number that is not part of a word, and the words after it. */
const NUMBER: RegExp = new RegExp(
  [
    `(?<![\\p{N}_.,/\\\\#@:${TAKEN}-]|(?![${UNSPACED}])\\p{L})`,
    '([$€£¥₹]\\s?)?(\\d[\\d.,]{0,20}(?<![.,])|\\d)(?![\\p{N}_/\\\\:\\u0001]|[.,]\\d|-\\d)',
    '([ \\u00a0\\u202f-]?)([%‰°][cfCF]?|\\p{L}[\\p{L}\\p{M}]{0,20})?(?: ([\\p{L}\\p{M}]{2,20}))?',
  ].join(''),
  'gu',
);
/** Numbers after such words are places in a text or counts of steps, not values. */
const PLACE =
  /(?:^|[^\p{L}])(?:lines?|l|rows?|cols?|columns?|steps?|pages?|chapters?|options?|figures?|tables?|items?|行|列|第|줄)[ :#]{0,2}$/iu;
const STOP =
  /^(?:and|or|to|of|the|is|are|was|were|in|at|on|by|for|with|from|as|if|it|but|so|then|than|that|this|these|those|be|has|have|will|would|can|could|should|not|when|more|less|out|und|oder|der|die|das|ist|für|mit|von|et|ou|le|la|les|est|pour|avec|y|o|el|los|las|es|para|con|e|os|um|uma|и|или|в|на|с)$/iu;

/** Finds dates and times in a line, and answers the line with {@link TAKEN} in their place. */
export function findDates(line: string, emit: Emit): string {
  if (!/\d/.test(line)) return line;
  return line.replace(DATE, (date: string, at: number) => {
    if (joins(line.charCodeAt(at - 1)) || joins(line.charCodeAt(at + date.length))) return date;
    emit('date', date.trim());
    return TAKEN;
  });
}

/**
 * Finds numbers that say something by themselves: with a unit, a currency or a counter, with decimals, or of four digits
 * and more. `counts`: also smaller ones with the word they count, as a person says them.
 */
export function findNumbers(line: string, counts: boolean, emit: Emit): void {
  if (!/\d/.test(line)) return;
  for (const match of line.matchAll(NUMBER)) {
    const [, currency = '', digits = '', gap = '', word = '', next = ''] = match;
    const told = currency + digits;
    if (currency === '' && PLACE.test(line.slice(Math.max(0, match.index - 12), match.index))) continue;
    const counter = COUNTER.exec(word)?.[0];
    if (counter !== undefined) emit('number', told + gap + counter);
    else if (UNIT.test(word) || (gap === '' && SHORT_UNIT.test(word)))
      emit('number', withUnit(told, gap, word, next));
    else if (currency !== '' || isTelling(digits)) emit('number', told);
    else if (counts && word.length >= 3 && gap !== '-' && !STOP.test(word) && digits.length >= 2)
      emit('number', told + gap + word + (/^(?:square|cubic|business)$/i.test(word) ? ` ${next}` : ''));
  }
}

/** `35 years old` is said of a person, `38 square feet` of a place. */
function withUnit(told: string, gap: string, unit: string, next: string): string {
  return `${told}${gap}${unit}${next === 'old' ? ' old' : ''}`;
}

function isTelling(digits: string): boolean {
  return digits.length >= 4 || /[.,]\d/.test(digits);
}

/** Whether a character would make a date part of a longer word or number. */
function joins(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
