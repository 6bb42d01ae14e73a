import { SECTION_NAMES, type SectionName } from '../grammar/check-sections.ts';

/** Items of each section: an item is one string, and may have further lines of its own. */
export type SectionItems = { readonly [S in SectionName]: readonly string[] };

/** Text as XML content, of characters XML allows. `>` stays bare but where it would end a CDATA section. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(']]>', ']]&gt;');
}

/** An item as it stands in a section: marked, its further lines indented. */
export function itemLine(item: string): string {
  return `- ${escapeText(item).replaceAll('\n', '\n  ')}`;
}

/** The document: an empty optional section closes itself, one item stands alone, several stand on lines of their own. */
export function summaryDocument(items: SectionItems): string {
  const sections = SECTION_NAMES.map((section) => {
    const [first, ...more] = items[section];
    if (first === undefined) return `  <${section}/>`;
    if (more.length === 0) return `  <${section}>${itemLine(first).slice(2)}</${section}>`;
    return `  <${section}>\n${items[section].map(itemLine).join('\n')}\n  </${section}>`;
  });
  return `<conversation_summary>\n${sections.join('\n')}\n</conversation_summary>`;
}

/**
 * Items of a section's content, as {@link summaryDocument} writes them. A line indented as {@link itemLine} indents goes
 * on with the item before it; any other is an item of its own.
 */
export function itemsOf(content: string): string[] {
  const items: string[] = [];
  for (const line of content.split('\n')) {
    const text = line.trim();
    if (text === '' || SECTION_TAG.test(text)) continue;
    const last = items.length - 1;
    if (/^ {2}\S/.test(line) && last >= 0) items[last] += `\n${text}`;
    else items.push(text.replace(/^- /, ''));
  }
  return items;
}

/** A summary that some summarizer put into another's text whole. */
const SECTION_TAG = /^<\/?(?:conversation_summary|goal|constraints|decisions|state|open_items)\s*\/?>$/;
