import type { StoredEvent } from '../../event/event.ts';
import type {
  MediaPart,
  Part,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../../event/part.ts';
import { countParts, EVENT_TOKENS, PART_TOKENS } from '../../tokens/count-parts.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { sizedMediaLabel } from '../media.ts';
import { inputCutter } from './cut-input.ts';
import { cutPieces } from './cut-pieces.ts';
import { cutText, cutTexts, type Measure, weigh } from './cut-texts.ts';
import { cutMarker } from './marker.ts';
import type { CountedParts, Piece } from './piece.ts';

/** Whose parts are cut, and who counts them. */
export interface PieceSource {
  readonly event: Pick<StoredEvent, 'id' | 'seq' | 'role'>;
  readonly counter: TokenCounter;
}

/** Parts as pieces, in their order. Texts that follow one another are one: of many the first and the last are shown. */
export function piecesOf(parts: readonly Part[], source: PieceSource): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < parts.length; ) {
    const run = plainTexts(parts, at);
    const part = parts[at];
    if (run.length > 0) pieces.push(textRun(run, source));
    else if (part !== undefined) pieces.push(pieceOf(part, source));
    at += Math.max(1, run.length);
  }
  return pieces;
}

function plainTexts(parts: readonly Part[], from: number): readonly TextPart[] {
  const run: TextPart[] = [];
  for (let part = parts[from]; part?.type === 'text'; part = parts[from + run.length]) {
    // What a provider wants back with a text is that text's.
    if (part.providerState !== undefined) break;
    run.push(part);
  }
  return run;
}

function textRun(run: readonly TextPart[], { event, counter }: PieceSource): Piece {
  const measure = measureOf(counter);
  const texts = run.map(({ text }) => weigh(text, measure));
  const tokens = texts.reduce((sum, text) => sum + PART_TOKENS + text.tokens, 0);
  const cut = (room: number): CountedParts =>
    counted(cutTexts(texts, { event, measure, each: PART_TOKENS, room }).map(textPart), counter);
  return { kind: 'text', parts: run, tokens, cut };
}

function pieceOf(part: Part, source: PieceSource): Piece {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return textPiece(part, part.text, (text) => ({ ...part, text }), source);
    case 'code':
      return textPiece(part, part.code, (code) => ({ ...part, code }), source);
    case 'codeResult':
      return textPiece(part, part.output, (output) => ({ ...part, output }), source);
    case 'media':
      return mediaPiece(part, source);
    case 'toolCall':
      return callPiece(part, source);
    case 'toolResult':
      return resultPiece(part, source);
    case 'reasoning':
    case 'opaque':
      return { kind: 'whole', ...counted([part], source.counter) };
    default:
      return part satisfies never;
  }
}

function textPiece(
  part: Part,
  text: string,
  withText: (text: string) => Part,
  { event, counter }: PieceSource,
): Piece {
  const measure = measureOf(counter);
  const weighed = weigh(text, measure);
  const rest = counted([withText('')], counter).tokens;
  const cut = (room: number): CountedParts =>
    counted([Object.freeze(withText(cutText(weighed, { event, measure, room: room - rest })))], counter);
  return { kind: 'text', parts: [part], tokens: rest + weighed.tokens, cut };
}

function mediaPiece(part: MediaPart, { event, counter }: PieceSource): Piece {
  const whole = counted([part], counter);
  // Media of a system event are quoted as data; a text of it is an instruction, and a file's name must not become one.
  if (event.role === 'system') return { kind: 'whole', ...whole };
  const label = sizedMediaLabel(part);
  const text = `${label} ${cutMarker(event, whole.tokens, [label, ''])}`;
  return { kind: 'media', ...whole, label: counted([textPart(text)], counter) };
}

function callPiece(part: ToolCallPart, { event, counter }: PieceSource): Piece {
  const rest = counted([{ ...part, input: { raw: '' } }], counter).tokens;
  const cutInput = once(() => inputCutter(part, event, measureOf(counter)));
  const cut = (room: number): CountedParts =>
    counted([Object.freeze({ ...part, input: cutInput()(room - rest) })], counter);
  return { kind: 'text', ...counted([part], counter), cut };
}

function resultPiece(part: ToolResultPart, source: PieceSource): Piece {
  const { counter } = source;
  const rest = counted([{ ...part, output: { parts: [] } }], counter).tokens;
  const pieces = once(() => piecesOf(outputParts(part.output), source));
  const cut = (room: number): CountedParts => {
    const { parts, tokens } = cutPieces(pieces(), room - rest);
    const output = Object.freeze({ parts });
    return { parts: [Object.freeze({ ...part, output })], tokens: rest + tokens };
  };
  return { kind: 'text', ...counted([part], counter), cut };
}

/** A result's JSON is cut as the text it is sent as. */
function outputParts(output: ToolOutput): readonly Part[] {
  return 'parts' in output ? output.parts : [textPart(JSON.stringify(output.json))];
}

function counted(parts: readonly Part[], counter: TokenCounter): CountedParts {
  return { parts, tokens: countParts(parts, counter) - EVENT_TOKENS };
}

function measureOf(counter: TokenCounter): Measure {
  return (text) => counter.count(text);
}

function textPart(text: string): TextPart {
  return Object.freeze({ type: 'text', text });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
