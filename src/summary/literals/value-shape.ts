import { isPathLike } from '../extractive/path-shape.ts';
import type { LiteralKind } from './literal-kind.ts';

const EMAIL = /^[^\s@<>()[\]:;,"/\\]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}$/;
const REMOTE = /^[\w.-]{1,64}@[\w.-]{1,100}:[\w./~-]{1,200}$/;
const HOST_AND_PORT = /^(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}):\d{2,5}(?:\/\S{0,200})?$/;
const PACKAGE = /^@[a-z0-9][\w.-]{0,60}\/[\w.-]{1,60}(?:@[\w.^~-]{1,30})?$/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?:0x)?[0-9a-f]{7,64}$/i;
const ISSUE = /^#\d{2,8}$/;
/** Letters and digits in one word, as ids of orders, tickets, flights and builds have them. */
const MIXED = /^#?[A-Za-z0-9]+(?:[-_.:][A-Za-z0-9]+){0,8}$/;
/** Words of the trade that have such a form and name nothing in particular. */
const COMMON =
  /^(?:v\d|(?:utf|iso|sha|md|gpt|base|int|uint|float|fp|ipv|http|es|win|x|arm|amd|mp|h|web|oauth|log|level|part|step|phase|task|test|option|item|page|line|col|row|day|week|q|f|i|l|p|s|t|c|ec|r|k|n|python|node|java|vue|angular|type|section|chapter|tier|stage|round|issue|pr|rfc)[-_.]?\d+[a-z]?)(?:[-_.]?\d{1,3})?$/i;
const VERSION = /^v?\d{1,5}(?:\.\d{1,6}){2,3}(?:[-+][\w.+-]{1,40})?$|^v\d{1,4}(?:\.\d{1,4})?$/;

const VARIABLE = /^\$?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z][A-Z0-9_]{1,60}=\S{1,120}$/;
const SNAKE = /^_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+){1,12}_{0,2}(?:\(\))?$/;
const CAMEL = /^[a-z][a-z0-9]{0,40}(?:[A-Z][A-Za-z0-9]{0,40}){1,8}(?:\(\))?$/;
const PASCAL = /^[A-Z][a-z0-9]{1,40}(?:[A-Z][A-Za-z0-9]{1,40}){1,8}(?:\(\))?$/;
const MEMBER = /^[A-Za-z_]\w{0,60}(?:(?:\.|::|->)[A-Za-z_]\w{0,60}){0,6}(?:\(\)|::[A-Za-z_]\w{0,60})$/;
const FLAG = /^--[a-z][\w-]{1,40}(?:=\S{1,100})?$/i;

/** Endings that a bare word with a dot is a file's by; anything may stand after a dot in prose. */
const FILE_ENDING =
  /\.(?:[cm]?[jt]sx?|json[5lc]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|xml|html?|s?css|less|sass|vue|svelte|astro|py|pyi|ipynb|rb|erb|php|java|kts?|scala|swift|go|mod|sum|rs|c|cc|cpp|cxx|h|hpp|cs|fs|ex|exs|heex|erl|hs|clj|lua|pl|pm|r|jl|dart|sql|db|sqlite3?|sh|bash|zsh|fish|ps1|bat|cmd|tf|hcl|proto|graphql|gql|prisma|png|jpe?g|gif|svg|webp|ico|pdf|docx?|xlsx?|pptx?|zip|tar|gz|tgz|log|diff|patch|pem|crt|key|wasm|gradle|properties|plist|service|feature|snap|bak|map)$/i;
const DOTFILE =
  /^\.(?:env|git|npm|yarn|nvm|eslint|prettier|babel|docker|editorconfig|bash|zsh|profile|ssh|aws|vscode|idea|claude|cursor|husky|tool-versions|python-version|node-version|ruby-version|rubocop|travis)[\w.-]{0,40}$/;
const ROOTED = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|\\\\)/;
const SEGMENTS = /^@?[\w.+-]{1,80}(?:\/[\w.@+-]{1,80}){1,20}\/?$/;
const FOLDER =
  /^(?:src|lib|libs|test|tests|spec|docs?|app|apps|packages?|cmd|internal|pkg|bin|dist|build|public|scripts?|config|server|client|components?|examples?|migrations?|node_modules|\.\w{1,40})\//;
const PLACE_IN_FILE = /(?::\d{1,7}(?:-\d{1,7})?(?::\d{1,5})?|#L\d{1,7}(?:-L?\d{1,7})?)$/;

/** A token without the place in a file that may end it: `src/a.ts:42:7`. */
export function withoutPlace(token: string): string {
  const bare = token.replace(PLACE_IN_FILE, '');
  return bare !== token && pathShaped(bare) ? bare : token;
}

/**
 * What an unbroken token is by its shape alone; null for a word, a count, and what has no shape that could be told from
 * prose. Numbers with units and dates may hold blanks: they are found in lines, not here.
 */
export function shapeOf(token: string): LiteralKind | null {
  if (token.length < 3 || token.length > 400) return null;
  if (EMAIL.test(token)) return 'email';
  if (REMOTE.test(token) || HOST_AND_PORT.test(token)) return 'url';
  if (PACKAGE.test(token)) return 'code';
  if (pathShaped(token)) return 'path';
  if (VERSION.test(token)) return 'number';
  if (isId(token)) return 'id';
  if (FLAG.test(token) || VARIABLE.test(token)) return 'code';
  return isIdentifier(token) ? 'code' : null;
}

function isId(token: string): boolean {
  if (UUID.test(token) || ISSUE.test(token)) return true;
  const digits = countOf(token, /[0-9]/g);
  if (digits === 0 || digits === token.length) return false;
  if (HEX.test(token)) return true;
  if (digits < 2 || token.length > 64 || !/[A-Za-z]/.test(token)) return false;
  if (COMMON.test(token) || /^\d[\d.]*[A-Za-z]{1,12}$/.test(token)) return false;
  if (!MIXED.test(token)) return false;
  // A long unbroken run of both cases and digits may be a key that has no known beginning.
  return token.length <= 40 || /[-_.:]/.test(token);
}

function isIdentifier(token: string): boolean {
  return SNAKE.test(token) || CAMEL.test(token) || PASCAL.test(token) || MEMBER.test(token);
}

function pathShaped(token: string): boolean {
  if (!isPathLike(token)) return SEGMENTS.test(token) && folderShaped(token);
  if (ROOTED.test(token)) return /[\p{L}\p{N}]/u.test(token) && !token.startsWith('/dev/');
  return (
    (FILE_ENDING.test(token) && /[\p{L}\p{N}_]\./u.test(token)) ||
    (token.includes('/') && folderShaped(token)) ||
    DOTFILE.test(token)
  );
}

/** `and/or` is no folder, `src/summary` is one. */
function folderShaped(token: string): boolean {
  if (FOLDER.test(token)) return true;
  const segments = token.split('/').filter((segment) => segment !== '').length;
  return segments >= 3 && /[._\d-]|\/$/.test(token) && /[A-Za-z]/.test(token);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
