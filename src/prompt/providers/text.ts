import { isBlank, quoteName } from '../one-line.ts';
import type { Prompt } from '../prompt.ts';
import { inputText, opaqueLabel } from '../render-part.ts';
import { blockText, resultText } from '../result-text.ts';
import type { ReplyTurn, Turn } from '../turn.ts';
import { turnsOf } from '../turns.ts';

const INTRODUCTION = [
  'This is the record of a conversation; go on from its end.',
  'A line that begins with "=== " opens a section. A summary stands for the events it names.',
].join('\n');
/** A line of content that looks like one that opens a section, after any Unicode line break. */
const OPENS_SECTION = /(?<=^|[\n\v\f\r\u0085\u2028\u2029])=== /gu;

/**
 * The prompt as plain text: readable, and enough to go on with the work when pasted into another chat. Sections are
 * opened by lines that content cannot forge: a line of content that looks like one is indented by a space. Media are
 * named, not included.
 */
export function toText(prompt: Prompt): string {
  const sections = turnsOf(prompt).flatMap(sectionsOf);
  return [INTRODUCTION, ...sections].join('\n\n').concat('\n');
}

function sectionsOf(turn: Turn): string[] {
  switch (turn.kind) {
    case 'system':
      return [section(`instructions, event ${turn.seq}`, turn.texts.join('\n'))];
    case 'summaries':
      return turn.texts.map((text) => section('summary', text));
    case 'user': {
      const text = turn.blocks.map(blockText).filter((block) => block !== '');
      return [section(turn.origin === 'user' ? speaker(turn, 'user') : 'note', text.join('\n'))];
    }
    case 'reply':
      return replySections(turn);
    default:
      return turn satisfies never;
  }
}

function replySections({ seq, author, blocks, results }: ReplyTurn): string[] {
  const said = blocks.flatMap((block): string[] => {
    switch (block.type) {
      case 'reasoning':
        return [];
      case 'text':
      case 'refusal':
        return isBlank(block.text) ? [] : [block.text];
      case 'opaque':
        return [opaqueLabel(block)];
      case 'call':
        return [`[calls tool ${quoteName(block.name)} with]\n${inputText(block.input)}`];
      default:
        return block satisfies never;
    }
  });
  return [
    section(speaker({ seq, author }, 'assistant'), said.join('\n')),
    ...results.map((result) => section(`result of ${quoteName(result.call.name)}`, resultText(result))),
  ];
}

function speaker({ seq, author }: { readonly seq: number; readonly author: string }, role: string): string {
  return `${role}${author === role ? '' : ` ${quoteName(author)}`}, event ${seq}`;
}

function section(title: string, text: string): string {
  return `=== ${title} ===\n${text.replace(OPENS_SECTION, () => ' === ')}`;
}
