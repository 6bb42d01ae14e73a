import type { Look } from '../look.ts';
import { visible } from '../text/visible.ts';
import type { CompactFacts } from './compact-facts.ts';
import { section } from './section.ts';

/** What was kept where, and what to do with it. Commands are not broken into lines: they are there to be copied. */
export function nextSteps(
  program: string,
  look: Look,
  { source, store, session }: CompactFacts,
  flags: { readonly as?: string; readonly out?: string },
): string[] {
  const lines: string[] = [];
  const id = session.info.key.session;
  if (flags.out !== undefined) lines.push(`the prompt is in ${visible(flags.out)} (${flags.as ?? 'text'})`);
  else if (flags.as === undefined) {
    lines.push(
      store === null
        ? `${program} compact ${word(source)} --as anthropic --out prompt.json`
        : `${program} prompt --store ${word(store)} --session ${word(id)} --as anthropic`,
    );
  }
  if (store === null) lines.push('nothing was kept: this ran in memory; --store FILE.db keeps it');
  else lines.push(`${program} explain 1 --store ${word(store)} --session ${word(id)}`);
  return ['', ...section(look, 'Next', lines).slice(0, -1)];
}

/** A word of a shell command, quoted where a shell would read it otherwise. */
function word(text: string): string {
  const shown = visible(text);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", () => `'\\''`)}'`;
}
