import type { OpaquePart, Part, ToolInput, ToolOutput } from '../event/part.ts';
import { mediaLabel } from './media.ts';
import { isBlank, quoteName } from './one-line.ts';
import type { Block } from './turn.ts';

/** Arguments as text: the provider's own, else JSON. */
export function inputText(input: ToolInput): string {
  return 'raw' in input ? input.raw : JSON.stringify(input.json);
}

/** A part of a provider's own, named by its kind; its content is nobody else's. */
export function opaqueLabel({ provider, kind }: OpaquePart): string {
  return `[${quoteName(kind)} of ${quoteName(provider)}, not shown]`;
}

/**
 * A part as text, for readers to whom it is not a part of their own: '' for reasoning, which is only ever sent back to
 * the provider that gave it.
 */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'reasoning':
      return '';
    case 'media':
      return mediaLabel(part);
    case 'code':
      return `[code ${quoteName(part.language)}]\n${part.code}`;
    case 'codeResult':
      return `[code result ${quoteName(part.outcome)}]\n${part.output}`;
    case 'toolCall':
      return `[calls tool ${quoteName(part.name)} (id ${quoteName(part.id)})]\n${inputText(part.input)}`;
    case 'toolResult':
      return `[${part.isError ? 'error' : 'result'} of tool call ${quoteName(part.name)} (id ${quoteName(part.id)})]\n${outputText(part.output)}`;
    case 'opaque':
      return opaqueLabel(part);
    default:
      return part satisfies never;
  }
}

/** What a tool gave, as one text; media by label. */
export function outputText(output: ToolOutput): string {
  return 'json' in output ? JSON.stringify(output.json) : partsText(output.parts);
}

/** Parts as one text, blank ones left out. */
export function partsText(parts: readonly Part[]): string {
  return parts
    .map(partText)
    .filter((text) => !isBlank(text))
    .join('\n');
}

/** What a tool gave, as blocks: media whole, all else as text. */
export function outputBlocks(parts: readonly Part[]): Block[] {
  return parts.flatMap((part): Block[] => {
    if (part.type === 'media') return [{ type: 'media', media: part, labelled: false }];
    const text = partText(part).toWellFormed();
    return isBlank(text) ? [] : [{ type: 'text', text }];
  });
}

/** Media inside parts, at any depth. */
export function mediaIn(parts: readonly Part[]): Block[] {
  return parts.flatMap((part): Block[] => {
    if (part.type === 'media') return [{ type: 'media', media: part, labelled: true }];
    return part.type === 'toolResult' && 'parts' in part.output ? mediaIn(part.output.parts) : [];
  });
}
