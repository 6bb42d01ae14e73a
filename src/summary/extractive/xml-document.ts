import { SECTION_NAMES, type SectionName } from '../grammar/check-sections.ts';
import { skim } from './plain-text.ts';

/** A section longer than this was not written to any budget; its middle is not read. */
const READ_HEAD = 96 * 1024;
const READ_TAIL = 64 * 1024;

/** Lines of each section: an item is one string, and may have further lines of its own. */
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

function unescapeText(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (all, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

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

/** Items of each section of a document of this form; undefined for any other text. Lenient: for reading on, not for judging. */
export function readDocument(text: string): Record<SectionName, string[]> | undefined {
  if (!text.trimStart().startsWith('<conversation_summary')) return undefined;
  const items: Record<SectionName, string[]> = {
    goal: [],
    constraints: [],
    decisions: [],
    state: [],
    open_items: [],
  };
  for (const section of SECTION_NAMES) {
    const open = new RegExp(`<${section}\\s*>`).exec(text);
    if (open === null) continue;
    const from = open.index + open[0].length;
    const close = text.indexOf(`</${section}`, from);
    const content = text.slice(from, close < 0 ? undefined : close);
    items[section] = itemsOf(unescapeText(skim(content, READ_HEAD, READ_TAIL)));
  }
  return items;
}

/** A line indented as {@link itemLine} indents goes on with the item before it; any other is an item of its own. */
function itemsOf(content: string): string[] {
  const items: string[] = [];
  for (const line of content.split('\n')) {
    const text = line.trim();
    if (
      text === '' ||
      /^<\/?(?:conversation_summary|goal|constraints|decisions|state|open_items)\s*\/?>$/.test(text)
    )
      continue;
    const last = items.length - 1;
    if (/^ {2}\S/.test(line) && last >= 0) items[last] += `\n${text}`;
    else items.push(text.replace(/^- /, ''));
  }
  return items;
}
