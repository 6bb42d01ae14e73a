/** What stands where a secret stood. Matches no shape itself, so redacting twice changes nothing. */
export const SECRET_MARKER = '[secret]';

/** Beginnings of issued keys and tokens; what follows, to the end of the unbroken run, is the secret. */
const ISSUED: RegExp = new RegExp(
  [
    'sk-[A-Za-z0-9_-]{16}', // OpenAI, Anthropic and those who copied them
    '[sr]k_(?:live|test)_[A-Za-z0-9]{8}', // Stripe
    'whsec_[A-Za-z0-9]{12}',
    'gh[opusr]_[A-Za-z0-9]{16}',
    'github_pat_[A-Za-z0-9_]{16}',
    'glpat-[A-Za-z0-9_-]{12}',
    'xox[abeoprs]-[A-Za-z0-9-]{8}',
    'xapp-[A-Za-z0-9-]{8}',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}',
    'AIza[A-Za-z0-9_-]{30}',
    'ya29\\.[A-Za-z0-9_-]{16}',
    'npm_[A-Za-z0-9]{24}',
    'pypi-[A-Za-z0-9_-]{24}',
    'hf_[A-Za-z0-9]{24}',
    'gsk_[A-Za-z0-9]{24}',
    'SG\\.[A-Za-z0-9_-]{16}',
    'do[op]_v1_[a-f0-9]{24}',
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24}',
    'hvs\\.[A-Za-z0-9_-]{16}',
    'dapi[a-f0-9]{32}',
    'AGE-SECRET-KEY-1[A-Z0-9]{16}',
    'AccountKey=[A-Za-z0-9+/]{24}',
  ].join('|'),
);

/** An unbroken run of the characters keys are made of. Each is looked at once, so the scan is linear. */
const RUN = /[A-Za-z0-9_.+/=~-]{16,}/g;
/** A credential has a digit or is long; `Basic information` is neither. */
const AUTHORIZATION =
  /\b(Bearer|Basic)([ \t]{1,4})(?=[A-Za-z_.+/=~-]{0,200}[0-9]|[A-Za-z_.+/=~-]{20})[A-Za-z0-9_.+/=~-]{12,}/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@'"<>]{0,100}:)[^\s/@'"<>[\]]{1,200}(?=@)/g;

/** `password = `, `"api_key": `: the name of a secret, and the sign that gives it its value. */
const ASSIGNMENT =
  /(pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|credentials?)(["']?[ \t]{0,4}(?:=>|:=|=|:)[ \t]{0,4})/gi;
const VALUE = /"[^"\n]{1,400}"?|'[^'\n]{1,400}'?|[^\s"'`,;)}\]]{1,400}/y;

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;

/**
 * Replaces what has the shape of a secret by {@link SECRET_MARKER}: private keys, issued API keys and tokens, JSON Web
 * Tokens, bearer and basic credentials, passwords in URLs, and values assigned to a name such as `password` or
 * `api_key`. Shapes only: a secret that looks like any other word is not found, and commit hashes and ids stay.
 * Linear in the text; idempotent.
 */
export function redactSecrets(text: string): string {
  const open = redactKeys(text)
    .replace(AUTHORIZATION, (_all, scheme: string, gap: string) => `${scheme}${gap}${SECRET_MARKER}`)
    .replace(URL_PASSWORD, (_all, before: string) => `${before}${SECRET_MARKER}`)
    .replace(RUN, redactRun);
  return redactAssigned(open);
}

/** Whether a text holds anything {@link redactSecrets} would replace. */
export function hasSecret(text: string): boolean {
  return redactSecrets(text) !== text;
}

/** A value that is no secret may itself name one: the search goes on inside it. */
function redactAssigned(text: string): string {
  let out = '';
  let from = 0;
  for (const match of text.matchAll(ASSIGNMENT)) {
    const [all, name = '', sign = ''] = match;
    VALUE.lastIndex = match.index + all.length;
    const value = match.index < from ? undefined : VALUE.exec(text)?.[0];
    if (value === undefined || !isSecretValue(name, sign, value)) continue;
    out += text.slice(from, match.index + all.length) + SECRET_MARKER;
    from = match.index + all.length + value.length;
  }
  return out + text.slice(from);
}

function redactRun(run: string): string {
  const issued = run.search(ISSUED);
  const token = webTokenIn(run);
  const at = issued >= 0 && token >= 0 ? Math.min(issued, token) : Math.max(issued, token);
  return at < 0 ? run : run.slice(0, at) + SECRET_MARKER;
}

/** Where a JSON Web Token begins in a run: two neighbours among its parts between dots begin as JSON does in base64. */
function webTokenIn(run: string): number {
  let start = 0;
  for (let dot = run.indexOf('.'); dot >= 0; dot = run.indexOf('.', dot + 1)) {
    const header = run.slice(start, dot).indexOf('eyJ');
    if (header >= 0 && dot - start - header >= 11 && run.startsWith('eyJ', dot + 1)) return start + header;
    start = dot + 1;
  }
  return -1;
}

/** Private key blocks; one whose other end is not in the text is taken to the text's edge. */
function redactKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const ends = [...text.matchAll(KEY_END)].map((match) => match.index + match[0].length);
  let out = '';
  let from = 0;
  let next = 0;
  for (const match of text.matchAll(KEY_BEGIN)) {
    if (match.index < from) continue;
    while (next < ends.length && (ends[next] ?? 0) <= match.index) next += 1;
    const before = closedBefore(text.slice(from, match.index));
    out += before + SECRET_MARKER;
    from = ends[next] ?? text.length;
  }
  return out + closedBefore(text.slice(from));
}

function closedBefore(text: string): string {
  let last = -1;
  for (const match of text.matchAll(KEY_END)) last = match.index + match[0].length;
  return last < 0 ? text : SECRET_MARKER + text.slice(last);
}

const PLACEHOLDER =
  /^(?:\[|<|\$|%|\*|\.|\{|…|x{3}|(?:process|os|env|import|self|this|config|settings|string|str|number|bool(?:ean)?|any|int|null|none|nil|undefined|true|false|required|optional|your|test|example|changeme|redacted)(?![a-z0-9]{3}))/i;

/** Code and prose say `token: string` and `password: required`; a value is a secret by its own look, or a password by its name. */
function isSecretValue(name: string, sign: string, quoted: string): boolean {
  const whole = quoted.replace(/^["']|["']$/g, '');
  const value = whole.split('(', 1)[0] ?? '';
  if (value.length < 4 || PLACEHOLDER.test(value) || /\s/.test(value)) return false;
  // A call (`password = read(`) is code; with digits before its bracket it may as well be a secret that holds one.
  if (value !== whole && !(/[0-9]/.test(value) && /[A-Za-z]/.test(value))) return false;
  if (/^[0-9]+$/.test(value)) return /^pass|^pwd/i.test(name) && value.length >= 4;
  const mixed = /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  if (/^(?:pass|pwd|secret)/i.test(name)) return mixed || sign.includes('=') || quoted !== whole;
  return value.length >= 12 && mixed && !/[/\\]/.test(value.slice(0, 2));
}
