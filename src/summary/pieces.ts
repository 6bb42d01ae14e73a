import type { Part } from '../event/part.ts';
import { codePoints } from './code-points.ts';
import { withLiterals } from './literals/literal-lines.ts';
import { inputValue, NAME_CAP, outputValue } from './part-fields.ts';
import { capText, cutQuoted } from './quoted.ts';
import type { Piece, PreviousSummary, SourceEvent } from './summarizer.ts';
import type { TranscriptCaps } from './transcript-caps.ts';
import { cappedValue, partLine, previousLine } from './transcript-line.ts';

/** Stands for any piece's number when lines are measured: none is longer. */
const WIDEST_PIECE: Piece = { index: 999_999_999, of: 999_999_999 };

/**
 * An event whose lines take more than `room` code points as several that do not: between its parts first, and a part too
 * large alone inside its text. Numbered, in order; the texts of a part's pieces joined are its text, as the caps leave it.
 */
export function pieceEvent(event: SourceEvent, room: number, caps: TranscriptCaps): readonly SourceEvent[] {
  const measured: SourceEvent = { ...event, piece: WIDEST_PIECE };
  const costOf = (part: Part): number => codePoints(partLine(measured, part, 'event', caps)) + 1;
  const groups: Part[][] = [];
  let left = 0;
  for (const part of event.parts.flatMap((whole) =>
    costOf(whole) <= room ? [whole] : cutPart(whole, room, costOf, caps),
  )) {
    const cost = costOf(part);
    if (cost > left) {
      groups.push([]);
      left = room;
    }
    groups.at(-1)?.push(part);
    left -= cost;
  }
  return groups.map((parts, index) =>
    Object.freeze({ ...event, parts: Object.freeze(parts), piece: numbered(index, groups.length) }),
  );
}

/** A previous summary whose line takes more than `room` code points as several that do not. */
export function piecePrevious(previous: PreviousSummary, room: number): readonly PreviousSummary[] {
  const { literals = [], ...rest } = previous;
  const fields = codePoints(previousLine({ ...rest, text: '', piece: WIDEST_PIECE })) + 1;
  const texts = cutQuoted(withLiterals({ text: previous.text, literals }), room - fields + 2);
  return texts.map((text, index) => Object.freeze({ ...rest, text, piece: numbered(index, texts.length) }));
}

function numbered(index: number, of: number): Piece {
  return Object.freeze({ index: index + 1, of });
}

/** A part too large alone, as parts of its type that each fit. */
function cutPart(
  part: Part,
  room: number,
  costOf: (part: Part) => number,
  caps: TranscriptCaps,
): readonly Part[] {
  const cut = (text: string, withText: (text: string) => Part): readonly Part[] =>
    cutQuoted(text, room - costOf(withText('')) + 2).map((piece) => Object.freeze(withText(piece)));
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return cut(part.text, (text) => ({ ...part, text }));
    case 'code':
      return cut(cappedValue(part.code, caps.toolInput).text, (code) => ({ ...part, code }));
    case 'codeResult':
      return cut(cappedValue(part.output, caps.toolOutput).text, (output) => ({ ...part, output }));
    case 'toolCall':
      return cut(cappedValue(inputValue(part.input), caps.toolInput).text, (raw) => ({
        ...part,
        input: Object.freeze({ raw }),
      }));
    case 'toolResult':
      return cut(cappedValue(outputValue(part.output, caps), caps.toolOutput).text, (text) => ({
        ...part,
        output: Object.freeze({ parts: Object.freeze([Object.freeze({ type: 'text', text } as const)]) }),
      }));
    case 'opaque':
      return cut(cappedValue(part.json, caps.toolOutput).text, (json) => ({ ...part, json }));
    case 'media':
      // Labels are all that is shown of it; longer than a call only where their cap is off.
      return [
        Object.freeze({
          ...part,
          mimeType: capText(part.mimeType, NAME_CAP),
          ...(part.name === undefined ? {} : { name: capText(part.name, NAME_CAP) }),
          ...(part.url === undefined ? {} : { url: capText(part.url, NAME_CAP) }),
        }),
      ];
    default:
      return part satisfies never;
  }
}
