import { constraintStrength, decisionStrength } from './cues.ts';
import { type Notes, noteRequest } from './notes.ts';
import type { Pacer } from './pacer.ts';
import { pieces, plain } from './plain-text.ts';
import { quote } from './quote.ts';
import { sentencesOf, withoutMarks } from './sentences.ts';

type Topic = 'goal' | 'requests' | 'constraints' | 'decisions' | 'state' | 'last' | 'open' | 'skip' | 'none';

/** Headings of summaries, as the programs that write them and their translations have them. First match wins. */
const TOPICS: readonly (readonly [Topic, RegExp])[] = [
  ['skip', /^analysis$|^<\/?analysis>|^thinking/i],
  ['requests', /user messages|user requests|ユーザー(?:の)?メッセージ|用户消息|用戶訊息/i],
  [
    'constraints',
    /constraint|preference|instruction|guideline|rules?\b|requirements|convention|制約|ルール|约束|約束|규칙|제약|restric|contrainte|vorgabe|ограничени/i,
  ],
  [
    'open',
    /pending|next step|to-?do|remaining|open (?:item|question|task)|plan\b|unresolved|blocker|in progress|残り|未完了|次の|待办|待辦|下一步|未完成|미완료|다음|pendiente|à faire|offen|осталось/i,
  ],
  [
    'last',
    /current work|current state|status|most recent|現在の|当前|當前|현재|estado|état|stand\b|состояние/i,
  ],
  [
    'decisions',
    /decision|decided|problem solving|errors? and fix|rationale|design|決定|决定|決策|결정|decisi|entscheidung|решени/i,
  ],
  [
    'goal',
    /goal|intent|objective|primary request|task description|user request|purpose|目的|目標|目标|需求|목표|objetivo|objectif|ziel|цель/i,
  ],
  [
    'state',
    /files?|code|progress|done|completed|accomplish|technical|context|key (?:facts|details)|状態|状态|狀態|进度|進度|상태/i,
  ],
];

/**
 * Reads a summary that is not of this project's form: by its headings where it has some, else sentence by sentence.
 * What it says is carried on; code in it is not. Gives back its goal, which is noted only where none is.
 */
export async function readProse(notes: Notes, text: string, pace: Pacer): Promise<string> {
  const analysed = /^\s*(?:\*\*)?Summary:?(?:\*\*)?\s*$/m.exec(text) ?? /<summary>/.exec(text);
  notes.summarized = true;
  let topic: Topic = 'none';
  let fenced = false;
  let lead = '';
  let goal = '';
  let last = '';
  for (const piece of pieces(analysed === null ? text : text.slice(analysed.index + analysed[0].length))) {
    await pace.spend(piece.length);
    for (const line of plain(piece).split('\n')) {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
      if (fenced || /^\s*(?:```|~~~|<\/\w+>\s*$|$)/.test(line) || BOILERPLATE.test(line)) continue;
      const heading = headingOf(line);
      if (heading !== undefined) {
        topic = heading.topic;
        if (heading.rest === '') continue;
      }
      const said = withoutMarks(heading?.rest ?? line);
      if (topic === 'goal') goal += goal.length < 1500 ? `${goal === '' ? '' : '\n'}${said}` : '';
      else if (topic === 'last') last += last.length < 1500 ? `${last === '' ? '' : '\n'}${said}` : '';
      else if (LEADS.test(said)) lead = `${said.replace(/[:：]$/, '')}: `;
      else {
        file(notes, topic, lead + said);
        lead = '';
      }
    }
  }
  if (goal !== '' && notes.first === '') noteRequest(notes, goal, 'in progress');
  if (last !== '') {
    if (notes.last !== '') notes.done.add(notes.last);
    notes.last = last;
  }
  return goal;
}

/** A line that only introduces the one below it. */
const LEADS = /^.{1,200}[:：]$|^`[^`]{1,200}`$/;

/** A quoted request, and what the writer remarks on it. */
const QUOTED = /^["“「](.{1,2000})["”」](?:\s*[(（].{0,400})?$/;

const BOILERPLATE =
  /^\s*(?:This session is being continued|Please continue the conversation|If you need specific details from before compaction|Another language model started|Let me chronologically)/i;

function file(notes: Notes, topic: Exclude<Topic, 'goal' | 'last'>, said: string): void {
  switch (topic) {
    case 'skip':
      return;
    case 'requests':
      if (!/^[(（]/.test(said)) notes.later.add(QUOTED.exec(said)?.[1] ?? said);
      return;
    case 'constraints':
      notes.constraints.add({ text: quote(said), strength: constraintStrength(said) === 2 ? 2 : 1 });
      return;
    case 'decisions':
      notes.decisions.add({ text: quote(said), strength: decisionStrength(said) === 2 ? 2 : 1 });
      return;
    case 'open':
      notes.pending.add(quote(said));
      return;
    case 'state':
      notes.other.add(quote(said));
      return;
    case 'none':
      for (const sentence of sentencesOf(said)) {
        if (notes.first === '') noteRequest(notes, sentence, 'in progress');
        else if (constraintStrength(sentence) === 2)
          notes.constraints.add({ text: quote(sentence), strength: 2 });
        else if (decisionStrength(sentence) === 2)
          notes.decisions.add({ text: quote(sentence), strength: 2 });
        else notes.other.add(quote(sentence));
      }
      return;
    default:
      topic satisfies never;
  }
}

interface Heading {
  readonly topic: Topic;
  /** What follows the heading on its line. */
  readonly rest: string;
}

/** `## Goal`, `**Goal**:`, `3. Pending Tasks:`, `<goal>` and `Goal: the thing itself`. */
function headingOf(line: string): Heading | undefined {
  if (line.length > 2000) return undefined;
  const element = /^\s*<([a-z]{2,20}(?:_[a-z]{2,20}){0,3})>/.exec(line);
  if (element !== null)
    return headingNamed((element[1] ?? '').replaceAll('_', ' '), line.slice(element[0].length));
  if (/^\s{2,}/.test(line)) return undefined;
  const hashes = /^\s?#{1,6}\s/.test(line);
  const bare = line
    .replace(/^\s?#{1,6}\s+/, '')
    .replace(/^\s?\d{1,2}[.)]\s+/, '')
    .replace(/^\s?[-*]\s+/, '');
  const bold = /^\*\*([^*]{2,80})\*\*\s*[:：]?\s*/.exec(bare);
  const plainly = /^([^:：.。]{2,60})[:：]\s*/.exec(bare);
  const found = bold ?? plainly;
  const name = (found?.[1] ?? (hashes ? bare : '')).replace(/[:：]\s*$/, '').trim();
  const rest = found === null ? '' : bare.slice(found[0].length);
  if (name === '' || (rest !== '' && name.split(' ').length > 4)) return undefined;
  const topic = TOPICS.find(([, test]) => test.test(name))?.[0];
  if (topic !== undefined && (rest === '' || !/^\s?[-*]\s/.test(line))) return { topic, rest };
  return hashes && rest === '' ? { topic: 'state', rest } : undefined;
}

function headingNamed(name: string, rest: string): Heading {
  const wrapper = /(?:summary|snapshot|context)$/.test(name);
  const topic = wrapper ? 'none' : (TOPICS.find(([, test]) => test.test(name))?.[0] ?? 'state');
  return { topic, rest: rest.replace(/<\/[a-z_]{2,80}>\s*$/, '').trim() };
}
