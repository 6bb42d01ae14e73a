import type { Part } from '../event/part.ts';
import { mediaLabel } from './media.ts';
import { quoteName } from './one-line.ts';
import { inputText, opaqueLabel } from './render-part.ts';

/** A piece of an event's content that can be read, and found by its words. */
export interface Passage {
  /** A line that says what it is; '' where it speaks for itself. */
  readonly label: string;
  /** Of a call or a result: its tool. */
  readonly name: string;
  readonly text: string;
}

/**
 * What there is to read in parts, in their order: what is found by its words is what is shown for it. No ids of calls: a
 * result repeats those of its call, which may be in a lane its reader does not see. No reasoning: it is only ever sent
 * back to the provider that gave it.
 */
export function passagesOf(parts: readonly Part[]): readonly Passage[] {
  return parts.flatMap((part): readonly Passage[] => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [passage('', part.text)];
      case 'reasoning':
        return [];
      case 'media':
        return [passage('', mediaLabel(part))];
      case 'code':
        return [passage(`[code ${quoteName(part.language)}]`, part.code)];
      case 'codeResult':
        return [passage(`[code result ${quoteName(part.outcome)}]`, part.output)];
      case 'toolCall':
        return [passage(`[calls tool ${quoteName(part.name)}]`, inputText(part.input), part.name)];
      case 'toolResult': {
        const label = `[${part.isError ? 'error' : 'result'} of tool ${quoteName(part.name)}]`;
        return 'json' in part.output
          ? [passage(label, JSON.stringify(part.output.json), part.name)]
          : [passage(label, '', part.name), ...passagesOf(part.output.parts)];
      }
      case 'opaque':
        return [passage(opaqueLabel(part), '')];
      default:
        return part satisfies never;
    }
  });
}

function passage(label: string, text: string, name = ''): Passage {
  return { label, name, text };
}
