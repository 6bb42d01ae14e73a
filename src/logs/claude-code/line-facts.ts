import { fingerprint, NO_ID } from './fingerprint-table.ts';
import { scanFields } from './scan-json.ts';

/** What the first pass takes from a line, unparsed. Ids are fingerprints. */
export interface LineFacts {
  type: string;
  subtype: string;
  id: number;
  parent: number;
  logicalParent: number;
  /** The model reply's id, of assistant lines. */
  reply: number;
  sidechain: boolean;
  meta: boolean;
  compactSummary: boolean;
  hasMessage: boolean;
  /** Whether its message holds a tool's result. */
  hasResult: boolean;
  /** Where `toolUseResult` stands, in bytes from the line's start: what the interface shows, never imported. */
  displayStart: number;
  displayEnd: number;
}

const RESULT_MARK = Buffer.from('"tool_result"');

/** Reads the facts of a line into `facts`; false when the line is no whole JSON object. */
export function readFacts(bytes: Buffer, start: number, end: number, facts: LineFacts): boolean {
  facts.type = '';
  facts.subtype = '';
  facts.id = NO_ID;
  facts.parent = NO_ID;
  facts.logicalParent = NO_ID;
  facts.reply = NO_ID;
  facts.sidechain = false;
  facts.meta = false;
  facts.compactSummary = false;
  facts.hasMessage = false;
  facts.hasResult = false;
  facts.displayStart = 0;
  facts.displayEnd = 0;
  let messageStart = 0;
  let messageEnd = 0;
  const after = scanFields(bytes, start, end, (nameStart, nameEnd, from, to) => {
    if (!WANTED_LENGTHS.has(nameEnd - nameStart)) return;
    switch (bytes.toString('latin1', nameStart, nameEnd)) {
      case 'type':
        facts.type = textAt(bytes, from, to) ?? '';
        break;
      case 'subtype':
        facts.subtype = textAt(bytes, from, to) ?? '';
        break;
      case 'uuid':
        facts.id = idAt(bytes, from, to);
        break;
      case 'parentUuid':
        facts.parent = idAt(bytes, from, to);
        break;
      case 'logicalParentUuid':
        facts.logicalParent = idAt(bytes, from, to);
        break;
      case 'isSidechain':
        facts.sidechain = bytes[from] === LETTER_T;
        break;
      case 'isMeta':
        facts.meta = bytes[from] === LETTER_T;
        break;
      case 'isCompactSummary':
        facts.compactSummary = bytes[from] === LETTER_T;
        break;
      case 'toolUseResult':
        facts.displayStart = from - start;
        facts.displayEnd = to - start;
        break;
      case 'message':
        messageStart = from;
        messageEnd = to;
        break;
      default:
    }
  });
  if (after === -1 || !isBlankFrom(bytes, after, end)) return false;
  facts.hasMessage = messageEnd > messageStart;
  if (facts.type === 'assistant' && facts.hasMessage) {
    scanFields(bytes, messageStart, messageEnd, (nameStart, nameEnd, from, to) => {
      if (nameEnd - nameStart === 2 && bytes.toString('latin1', nameStart, nameEnd) === 'id') {
        facts.reply = idAt(bytes, from, to);
      }
    });
  } else if (facts.type === 'user' && facts.hasMessage) {
    facts.hasResult = bytes.subarray(messageStart, messageEnd).includes(RESULT_MARK);
  }
  return true;
}

/** Facts of no line yet. */
export function noFacts(): LineFacts {
  return {
    type: '',
    subtype: '',
    id: NO_ID,
    parent: NO_ID,
    logicalParent: NO_ID,
    reply: NO_ID,
    sidechain: false,
    meta: false,
    compactSummary: false,
    hasMessage: false,
    hasResult: false,
    displayStart: 0,
    displayEnd: 0,
  };
}

const LETTER_T = 0x74;
const QUOTE = 0x22;
const WANTED_LENGTHS: ReadonlySet<number> = new Set(
  [
    'type',
    'subtype',
    'parentUuid',
    'logicalParentUuid',
    'isSidechain',
    'isMeta',
    'isCompactSummary',
    'toolUseResult',
  ].map((name) => name.length),
);

/** The fingerprint of the non-empty string at `from`, or of nothing. */
function idAt(bytes: Buffer, from: number, to: number): number {
  if (bytes[from] !== QUOTE || to - from <= 2) return NO_ID;
  const content = bytes.subarray(from + 1, to - 1);
  if (!content.includes(0x5c)) return fingerprint(bytes, from + 1, to - 1);
  const text = textAt(bytes, from, to);
  if (text === null) return NO_ID;
  const plain = Buffer.from(text);
  return fingerprint(plain, 0, plain.length);
}

function textAt(bytes: Buffer, from: number, to: number): string | null {
  if (bytes[from] !== QUOTE) return null;
  const text = bytes.toString('utf8', from + 1, to - 1);
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return null;
  }
}

function isBlankFrom(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    if ((bytes[at] as number) > 0x20) return false;
  }
  return true;
}
