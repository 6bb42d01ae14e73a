import { EMPTY } from './frame.ts';
import { mediaLabel } from './media.ts';
import type { Block, Result } from './turn.ts';

/** A block as text: media by label; '' for media that the text before it names. */
export function blockText(block: Block): string {
  if (block.type === 'text') return block.text;
  return block.labelled ? '' : mediaLabel(block.media);
}

/** A result as one text that says when the tool failed, for providers that have no other word for it. */
export function resultText({ output, isError }: Result): string {
  const text = 'json' in output ? JSON.stringify(output.json) : output.blocks.map(blockText).join('\n');
  return (isError ? '[error] ' : '') + (text === '' ? EMPTY : text);
}

/** The blocks of a result that are not text. */
export function resultMedia({ output }: Result): Block[] {
  return 'json' in output ? [] : output.blocks.filter((block) => block.type === 'media');
}
