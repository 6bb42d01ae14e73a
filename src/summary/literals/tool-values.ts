import type { Part, ToolOutput } from '../../event/part.ts';
import { pieces } from '../extractive/plain-text.ts';
import { jsonText } from '../json-text.ts';
import type { SourceEvent } from '../summarizer.ts';
import type { Candidates } from './candidates.ts';
import { withoutPlace } from './value-shape.ts';

const TOKEN = /[^\s"'`“”‘’「」（）()[\]{}<>,;|、。]{2,200}/gu;

/**
 * Looks up in tools' output which of the values that a user or an assistant uses come from there. Nothing else is taken
 * from it. Yields the code units read.
 */
export function* seeToolValues(candidates: Candidates, event: SourceEvent, at: number): Generator<number> {
  for (const part of event.parts) {
    const text = outputOf(part);
    if (text === undefined) continue;
    for (const piece of pieces(text)) {
      for (const [token] of piece.matchAll(TOKEN)) {
        candidates.seeInTool(token, at);
        if (!/^[\p{L}\p{N}_/]+$/u.test(token)) {
          candidates.seeInTool(withoutPlace(token.replace(/^[*~=:!?.]+|[*~=:.!?]+$/g, '')), at);
        }
      }
      yield piece.length;
    }
  }
}

function outputOf(part: Part): string | undefined {
  if (part.type === 'codeResult') return part.output;
  if (part.type !== 'toolResult') return undefined;
  return textOf(part.output);
}

function textOf(output: ToolOutput): string {
  if ('json' in output) return typeof output.json === 'string' ? output.json : jsonText(output.json);
  return output.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
