// The TypeScript code blocks of the documentation.

export interface DocBlock {
  /** Path of the page, from the root of the repository. */
  readonly page: string;
  /** Line of the page on which the code starts, from 1. */
  readonly line: number;
  readonly code: string;
  /** False for a block marked `ts no-run`: its types are checked and it is not run. */
  readonly run: boolean;
}

/**
 * Extracts the blocks fenced as `ts`. `ts no-run` is type-checked only (it calls a real model, say); `ts no-check` is
 * left out (a fragment). A block inside a list item may be indented.
 */
export function docBlocks(page: string, markdown: string): DocBlock[] {
  const blocks: DocBlock[] = [];
  const lines = markdown.split(/\r?\n/);
  let open: { fence: string; indent: number; info: string[]; line: number; code: string[] } | undefined;
  for (const [at, text] of lines.entries()) {
    if (open === undefined) {
      const start = /^(\s*)(`{3,}|~{3,})\s*(.*)$/.exec(text);
      if (start === null) continue;
      const [, indent = '', fence = '', info = ''] = start;
      open = { fence, indent: indent.length, info: info.trim().split(/\s+/), line: at + 2, code: [] };
    } else if (isClosing(text, open.fence)) {
      const [language, ...marks] = open.info;
      if (language === 'ts' && !marks.includes('no-check')) {
        blocks.push({ page, line: open.line, code: open.code.join('\n'), run: !marks.includes('no-run') });
      }
      open = undefined;
    } else {
      open.code.push(text.slice(Math.min(open.indent, text.length - text.trimStart().length)));
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line - 1}: the code block is not closed`);
  return blocks;
}

function isClosing(text: string, fence: string): boolean {
  const trimmed = text.trim();
  return trimmed.length >= fence.length && trimmed === (fence[0] ?? '`').repeat(trimmed.length);
}
