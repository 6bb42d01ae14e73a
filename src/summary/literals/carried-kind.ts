import type { Literal } from '../../coverage/record.ts';
import { constraintStrength } from '../extractive/cues.ts';
import { isCommand, kindOfValue } from './find-values.ts';
import type { LiteralKind } from './literal-kind.ts';

/** What a record's literal is: only its text and who said it are stored. */
export function kindOfCarried({ text, from }: Literal): LiteralKind {
  const kind = kindOfValue(text);
  if (kind !== null) return kind;
  if (from === 'user' && /\s|[\u3040-\u9fff\uac00-\ud7af]/u.test(text) && constraintStrength(text) === 2)
    return 'instruction';
  if (isCommand(text)) return 'command';
  return /[_(){}=$<>\\/]|^\W/.test(text) ? 'code' : 'name';
}
