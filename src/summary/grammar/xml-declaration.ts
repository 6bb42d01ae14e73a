const VERSION = /^version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')$/u;
const ENCODING = /^encoding[ \t\r\n]*=[ \t\r\n]*(?:"utf-8"|'utf-8')$/iu;
const STANDALONE = /^standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)')$/u;

/** Whether what an XML declaration says is said in its order and means what is read here. */
export function isDeclaration(said: readonly string[]): boolean {
  const [version = '', ...rest] = said;
  if (!VERSION.test(version)) return false;
  const last = rest.at(-1);
  if (last !== undefined && STANDALONE.test(last)) rest.pop();
  return rest.length === 0 || (rest.length === 1 && ENCODING.test(rest[0] ?? ''));
}
