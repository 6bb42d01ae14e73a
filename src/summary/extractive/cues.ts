import {
  type CueWords,
  DECIDING,
  FINDING,
  OPTIONS,
  PREFERENCE,
  REASON,
  REQUEST,
  REQUIREMENTS,
  RULES,
  STANDING,
  TEMPORARY,
} from './cue-words.ts';
import { isQuestion } from './sentences.ts';

/** Words of many languages are matched together: a sentence is of one of them, and need not say which. */
function matcher(cue: CueWords): RegExp {
  const words = `(?<![\\p{L}\\p{N}_])(?:${cue.words.join('|')})(?![\\p{L}\\p{N}_])`;
  return new RegExp(`${words}|${cue.strings.join('|')}`, 'iu');
}

const standing = matcher(STANDING);
const preference = matcher(PREFERENCE);
const rules = matcher(RULES);
const requirements = matcher(REQUIREMENTS);
const options = matcher(OPTIONS);
const temporary = matcher(TEMPORARY);
const deciding = matcher(DECIDING);
const finding = matcher(FINDING);
const reason = matcher(REASON);
const request = matcher(REQUEST);

/** How strongly a user's sentence lays down a rule: 2 always or never, 1 a wish, 0 not at all. */
export type Strength = 0 | 1 | 2;

/** Whether a line may lay down a rule, before it is parted into sentences. */
export function mayConstrain(line: string): boolean {
  return standing.test(line) || preference.test(line);
}

/** How strongly a sentence of the user's lays down a rule. Questions do not, unless they politely order. */
export function constraintStrength(sentence: string): Strength {
  if (
    isQuestion(sentence) &&
    !/^(?:can|could|would|will) you (?:please )?(?:always|never|only|make sure|not)/i.test(sentence)
  )
    return 0;
  if (standing.test(sentence)) return temporary.test(sentence) ? 1 : 2;
  return preference.test(sentence) ? 1 : 0;
}

/** What a list is a list of: rules that hold, things wanted, or things settled. */
export type Announced = 'rules' | 'wishes' | 'decisions';

/** What a heading, or a sentence that ends in a colon, says the list below it holds: `Rules:`, `ルール：`, `We agreed:`. */
export function announces(sentence: string): Announced | undefined {
  if (sentence.length > 200 || !/[:：]\s*$|^\s*#/.test(sentence)) return undefined;
  if (rules.test(sentence)) return 'rules';
  if (deciding.test(sentence)) return 'decisions';
  return requirements.test(sentence) ? 'wishes' : undefined;
}

/** Whether a text puts a choice to somebody. */
export function offersChoice(text: string): boolean {
  return options.test(text);
}

/** An assistant that says what it does next has settled nothing. */
const NARRATION =
  /^(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect)[,.!]?\s+)*(?:let me|let['’]s (?:check|look|see|run|read|verify|start|first|try)|i(?:['’]ll| will| need to|['’]m going to| should)? (?:check|look|see|read|run|start|verify|examine|search|review|now|first|continue|begin))/i;

/** How much a sentence settles: 2 a decision, 1 a finding, 0 nothing. */
export function decisionStrength(sentence: string): Strength {
  if (isQuestion(sentence) || NARRATION.test(sentence)) return 0;
  if (deciding.test(sentence)) return 2;
  return finding.test(sentence) ? 1 : 0;
}

/** Whether a line may settle something, before it is parted into sentences. */
export function mayDecide(line: string): boolean {
  return deciding.test(line) || finding.test(line);
}

/** What its speaker is about to do. */
const INTENTION =
  /^(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|alright)[,.!]?\s+)*i(?:['’]ll| will| need to|['’]m going to|['’]m now|['’]d like to)\s/i;

/** Whether a sentence only says what its speaker is about to do. */
export function isNarration(sentence: string): boolean {
  return NARRATION.test(sentence) || INTENTION.test(sentence) || /[:：]$/.test(sentence);
}

/** Whether a sentence gives a reason. */
export function givesReason(sentence: string): boolean {
  return reason.test(sentence);
}

/** Whether a sentence asks for something. */
export function asksFor(sentence: string): boolean {
  return isQuestion(sentence) || request.test(sentence);
}

const ACKNOWLEDGEMENT =
  /^(?:hi|hello|hey|hola|bonjour|salut|hallo|olá|привет|здравствуйте|ciao|こんにちは|你好|您好|안녕하세요|ok(?:ay)?|yes|y|yep|yeah|sure|no|nope|continue|go on|go ahead|proceed|thanks|thank you|great|perfect|good|nice|do it|yes please|please continue|keep going|resume|はい|うん|了解|続けて|続けてください|お願いします|ありがとう|ありがとうございます|继续|繼續|好|好的|是|是的|可以|谢谢|謝謝|行|네|예|응|계속|계속해|좋아|감사합니다|sí|si|vale|continúa|sigue|gracias|oui|d['’]accord|continue|merci|ja|weiter|danke|sim|continua|obrigad[oa]|да|продолжай|дальше|спасибо|хорошо|continua|grazie)$/iu;

/** Whether a message only agrees, thanks or says to go on. */
export function isAcknowledgement(text: string): boolean {
  return text.length <= 40 && ACKNOWLEDGEMENT.test(text.replace(/[\s.!。！,，~～]+$/u, '').trim());
}
