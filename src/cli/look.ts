import { styleText } from 'node:util';

/** Colours and weights, or the text as it is where there is no colour. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly accent: (text: string) => string;
}

/** The characters pictures are drawn with. */
export interface Marks {
  readonly full: string;
  readonly rest: string;
  readonly covered: string;
  readonly raw: string;
  readonly heldBack: string;
  readonly otherLane: string;
  readonly ellipsis: string;
  readonly dot: string;
  readonly arrow: string;
  readonly range: string;
}

/** How text is shown: the width of a line in cells, what pictures are drawn with, and the colours. */
export interface Look {
  readonly width: number;
  readonly marks: Marks;
  readonly paint: Paint;
}

/** What of a stream decides the look. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const WIDTH = { least: 30, most: 100, unknown: 80 };

const UNICODE: Marks = {
  full: '█',
  rest: '·',
  covered: '░',
  raw: '█',
  heldBack: '▓',
  otherLane: '·',
  ellipsis: '…',
  dot: '·',
  arrow: '→',
  range: '–',
};
const ASCII: Marks = {
  full: '#',
  rest: '.',
  covered: '-',
  raw: '#',
  heldBack: '+',
  otherLane: '.',
  ellipsis: '...',
  dot: '-',
  arrow: '->',
  range: '-',
};

const same = (text: string): string => text;
const PLAIN: Paint = { strong: same, faint: same, good: same, bad: same, warn: same, accent: same };

type Style = Parameters<typeof styleText>[0];
const styled =
  (style: Style) =>
  (text: string): string =>
    text === '' ? '' : styleText(style, text, { validateStream: false });
const COLOURED: Paint = {
  strong: styled('bold'),
  faint: styled('dim'),
  good: styled('green'),
  bad: styled('red'),
  warn: styled('yellow'),
  accent: styled('cyan'),
};

/** The look for a stream. */
export function lookFor(env: Environment, screen: Screen): Look {
  return {
    width: widthOf(env, screen),
    marks: showsUnicode(env) ? UNICODE : ASCII,
    paint: showsColour(env, screen) ? COLOURED : PLAIN,
  };
}

/** NO_COLOR wins over all; then FORCE_COLOR; else a terminal that is not dumb shows colour. */
function showsColour(env: Environment, screen: Screen): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return screen.isTTY === true && env['TERM'] !== 'dumb';
}

/** A locale that names another character set than UTF-8 shows none; no locale at all (a container) mostly does. */
function showsUnicode(env: Environment): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (name) => name !== undefined && name !== '',
  );
  return locale === undefined || /utf-?8/i.test(locale);
}

function widthOf(env: Environment, screen: Screen): number {
  const columns = screen.isTTY === true ? screen.columns : Number(env['COLUMNS']);
  const known = columns !== undefined && Number.isInteger(columns) && columns > 0;
  return Math.min(WIDTH.most, Math.max(WIDTH.least, known ? columns : WIDTH.unknown));
}
