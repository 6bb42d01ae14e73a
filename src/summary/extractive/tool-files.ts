import { COMMAND_KEY, type Leaf, LONGEST_LEAF } from './leaves.ts';
import { patchFiles } from './patch-files.ts';
import { isPathKey, isPathLike } from './path-shape.ts';
import { plain } from './plain-text.ts';
import type { FileEffect } from './shell.ts';

/** Keys of what goes into files or is looked for in them. */
const CONTENT_KEY =
  /content|text|string|str|query|pattern|regex|url|uri|prompt|description|data|source|code$/i;
const READS = /read|view|open|cat|show|get/i;
const WRITES = /write|create|add_?file|new_?file|save/i;
const EDITS = /edit|replace|update|patch|modify|insert|append|rename|move|apply|change/i;
const DELETES = /delete|remove|unlink|^rm$/i;

/** Files a call names, and what it does to them: by patches in its values, its tool's name, and the values' shapes. */
export function fileEffects(name: string, leaves: readonly Leaf[]): Map<string, FileEffect> {
  const effects = new Map<string, FileEffect>();
  for (const { value } of leaves) {
    if (typeof value !== 'string' || !patched(value)) continue;
    for (const [path, effect] of patchFiles(plain(value.slice(0, LONGEST_LEAF)))) effects.set(path, effect);
  }
  if (effects.size > 0) return effects;
  const effect = effectOf(name, leaves);
  if (effect === undefined) return effects;
  for (const { key, value } of leaves) {
    if (typeof value !== 'string' || effects.size >= 20) continue;
    if (CONTENT_KEY.test(key)) continue;
    const named = isPathKey(key);
    if (isPathLike(value, named) && (named || key === '' || /[\\/]/.test(value)))
      effects.set(plain(value), effect);
  }
  return effects;
}

/** Whether a text holds a patch. */
export function patched(text: string): boolean {
  return text.includes('*** Begin Patch') || text.includes('*** Update File: ') || text.includes('\n+++ ');
}

/** What a tool does to the files it names: by its name, a sub-command, or by carrying their content. */
function effectOf(name: string, leaves: readonly Leaf[]): FileEffect | undefined {
  const verb = leaves.find((leaf) => COMMAND_KEY.test(leaf.key) || leaf.key === 'action')?.value;
  const said = typeof verb === 'string' && verb.length < 40 ? `${name} ${verb}` : name;
  const keys = new Set(leaves.map((leaf) => leaf.key));
  const replaces = ['old_string', 'new_string', 'old_str', 'new_str', 'diff', 'edits', 'replacement'].some(
    (key) => keys.has(key),
  );
  if (DELETES.test(said)) return 'deleted';
  if (replaces) return 'edited';
  const carries = ['content', 'contents', 'file_text', 'text', 'data', 'new_source'].some((key) =>
    keys.has(key),
  );
  if (WRITES.test(said) && !EDITS.test(said)) return 'written';
  if (carries) return EDITS.test(said) ? 'edited' : 'written';
  if (EDITS.test(verb === undefined ? name : String(verb).slice(0, 40))) return 'edited';
  return READS.test(said) ? 'read' : undefined;
}
