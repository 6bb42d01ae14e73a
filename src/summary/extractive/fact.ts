import { isQuestion } from './sentences.ts';

const FIRST_PERSON =
  /(?<![\p{L}])(?:my|mine|our|i am|i['’]m|i have|i['’]ve|i live|i work|name is|mi|nuestr[oa]s?|soy|mon|ma|mes|notre|je suis|mein\p{L}{0,2}|unser\p{L}{0,2}|ich bin|meu|minha|nosso|sou|мой|моя|мои|меня|наш\p{L}{0,2})(?![\p{L}])|私|僕|俺|我的|我是|我叫|我们|저는|제\s|나는|내\s/iu;

/** How telling a statement is: numbers, names, quoted things, and who speaks of themselves. */
export function factStrength(sentence: string): 0 | 1 | 2 {
  if (sentence.length < 10 || sentence.length > 500 || isQuestion(sentence)) return 0;
  let signs = 0;
  if (/\p{N}/u.test(sentence)) signs += 1;
  if (/[\p{Ll},]\s\p{Lu}[\p{L}-]/u.test(sentence)) signs += 1;
  if (/[`"“「『«]|https?:|\w\/\w/.test(sentence)) signs += 1;
  if (FIRST_PERSON.test(sentence)) signs += 1;
  return signs >= 2 ? 2 : signs === 1 ? 1 : 0;
}
