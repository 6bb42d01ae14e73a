import type { Part, ToolCallPart } from '../../event/part.ts';
import { constraintStrength, mayConstrain } from '../extractive/cues.ts';
import { userText } from '../extractive/injected.ts';
import { COMMAND_KEY, type Leaf, leavesOf } from '../extractive/leaves.ts';
import { eachLine } from '../extractive/messages.ts';
import { isPathKey, isPathLike } from '../extractive/path-shape.ts';
import { pieces, plain } from '../extractive/plain-text.ts';
import { sentencesOf, withoutMarks } from '../extractive/sentences.ts';
import { commandLine, commandWeight } from '../extractive/shell.ts';
import { hasSecret } from '../secret-shapes.ts';
import type { SourceEvent } from '../summarizer.ts';
import type { Candidates, Speaker } from './candidates.ts';
import { withoutReferences } from './comparable.ts';
import { asWhole, findValues, kindOfValue } from './find-values.ts';
import { findNames } from './names.ts';
import type { Emit } from './numbers.ts';

/** Nobody types a longer paragraph to an agent: it was handed over, and what it holds counts once somebody uses it. */
const LONGEST_WRITTEN = 1_200;
/** A longer argument of a tool is content, not a value. */
const LONGEST_ARGUMENT = 300;
/** So much of a command is read for the files it names. */
const LONGEST_COMMAND = 2_000;
/** More lines of code or output than this were pasted. */
const FEW_PASTED = 8;
const SECRET =
  /pass(?:word|wd|phrase|code)|\bpin\b|secret|token|api[ _-]?key|credential|private key|パスワード|暗証|密码|密碼|口令|비밀번호|contraseña|mot de passe|passwort|kennwort|пароль|senha/iu;
/** Arguments that steer a tool and say nothing of the work. */
const STEERING =
  /^(?:thought|reasoning|explanation|description|timeout|limit|offset|head_limit|line\w*|col\w*|start\w*|end\w*|page\w*|context|depth|index|count|max_\w+|min_\w+|model|subagent_type|-[A-Za-z])$/i;
const SHELL = /shell|bash|terminal|exec|run_?command|command|powershell|console/i;

/** Reads what an event says, tools' output not among it. Yields the code units read, so that long reading can be paced; gives their sum. */
export function* readEvent(
  candidates: Candidates,
  event: SourceEvent,
  at: number,
): Generator<number, number> {
  let read = 0;
  for (const part of event.parts) {
    for (const units of readPart(candidates, event, part, at)) {
      read += units;
      yield units;
    }
  }
  return read;
}

/** Reads the prose of an earlier summary. */
export function* readSummary(candidates: Candidates, text: string, at: number): Generator<number> {
  const bare = text.replace(/<\/?[a-z_]{1,40}\s?\/?>/g, '\n');
  yield* readText(candidates, withoutReferences(bare), 'summary', at);
}

function* readPart(candidates: Candidates, event: SourceEvent, part: Part, at: number): Generator<number> {
  switch (part.type) {
    case 'text':
      if (event.role === 'user') yield* readUserText(candidates, part.text, at);
      else if (event.role === 'assistant') yield* readText(candidates, part.text, 'assistant', at);
      return;
    case 'refusal':
      yield* readText(candidates, part.text, 'assistant', at);
      return;
    case 'media':
      if (event.role === 'user' && part.name !== undefined && part.name.length <= LONGEST_ARGUMENT)
        candidates.use('name', plain(part.name).trim(), 'user', at);
      return;
    case 'toolCall':
      yield* readCall(candidates, part, at);
      return;
    case 'code':
    case 'codeResult':
    case 'toolResult':
    case 'reasoning':
    case 'opaque':
      return;
    default:
      part satisfies never;
  }
}

function* readUserText(candidates: Candidates, text: string, at: number): Generator<number> {
  const { said, compaction } = userText(text);
  // What another program made of a conversation is no word of the user's.
  if (compaction !== '') yield* readText(candidates, compaction, 'summary', at);
  if (said !== '') yield* readText(candidates, said, 'user', at);
}

function* readText(candidates: Candidates, text: string, speaker: Speaker, at: number): Generator<number> {
  const isUser = speaker === 'user';
  const use: Emit = (kind, value) => candidates.use(kind, value, speaker, at);
  const usePasted: Emit = (kind, value) => candidates.use(kind, value, speaker, at, true);
  let inCode = false;
  for (const piece of pieces(text)) {
    const written: string[] = [];
    const pasted: string[] = [];
    const line = (each: string): void => void (each.length <= LONGEST_WRITTEN ? written : pasted).push(each);
    const clean = plain(piece);
    inCode = eachLine(clean, line, inCode, (each) => void pasted.push(each));
    for (const each of written) findValues(each, { said: isUser }, discreet(each, use));
    if (isUser) for (const each of written) findInstructions(each, use);
    findNames(written, isUser, asWhole(clean, discreet(clean, use)));
    // A few lines of code are as good as written: settings, a command to run.
    const few =
      isUser && pasted.length <= FEW_PASTED && pasted.every((each) => each.length <= LONGEST_ARGUMENT);
    for (const each of pasted) findValues(each, { said: false }, discreet(each, few ? use : usePasted));
    yield piece.length;
  }
}

/** Where a line speaks of a secret, a value that looks like none in particular may be it. */
function discreet(line: string, use: Emit): Emit {
  if (!SECRET.test(line)) return use;
  return (kind, text) => {
    const bare = kind === 'id' || kind === 'name' || kind === 'code';
    if (!(bare && /[0-9!@#$%^&*]/.test(text) && !/\s/.test(text))) use(kind, text);
  };
}

/** Rules a user's line lays down: what is always or never to be done. */
function findInstructions(line: string, emit: Emit): void {
  if (!mayConstrain(line)) return;
  for (const sentence of sentencesOf(withoutMarks(line))) {
    if (constraintStrength(sentence) === 2) emit('instruction', sentence.replace(/\s+/g, ' '));
  }
}

function* readCall(candidates: Candidates, call: ToolCallPart, at: number): Generator<number> {
  const use: Emit = (kind, value) => candidates.use(kind, value, 'assistant', at);
  if ('raw' in call.input) {
    if (SHELL.test(call.name)) readCommand(call.input.raw, use);
    yield Math.min(call.input.raw.length, LONGEST_COMMAND);
    return;
  }
  let read = 0;
  for (const leaf of leavesOf(call.input.json)) {
    readArgument(leaf, use);
    read += Math.min(String(leaf.value).length, LONGEST_COMMAND);
  }
  yield read;
}

function readArgument({ key, value }: Leaf, use: Emit): void {
  if (typeof value === 'boolean') return;
  if (COMMAND_KEY.test(key) && typeof value === 'string' && /\s/.test(value.trim())) {
    readCommand(value, use);
    return;
  }
  if (STEERING.test(key)) return;
  const text = String(value).trim();
  if (text === '' || text.length > LONGEST_ARGUMENT || /[\n\r]/.test(text)) return;
  if (hasSecret(`${key}: ${JSON.stringify(text)}`)) return;
  if (isPathKey(key) && isPathLike(text, true)) {
    use('path', text);
    return;
  }
  const told = discreet(`${key}: ${text}`, use);
  const kind = kindOfValue(text);
  if (kind !== null) told(kind, text);
  else if (typeof value === 'string') findValues(plain(text), { said: false }, told);
}

function readCommand(command: string, use: Emit): void {
  const clean = plain(command.slice(0, LONGEST_COMMAND));
  const line = commandLine(clean);
  if (!line.endsWith('…') && commandWeight(clean) > 0) use('command', line);
  for (const each of clean.split('\n', 20)) {
    // Documents that are written by a command are content.
    if (each.length <= LONGEST_ARGUMENT) findValues(each, { said: false }, onlyPlaces(use));
    if (/<<-?\s*['"\\]?\w/.test(each)) break;
  }
}

/** Of a command's words, the files and addresses; its flags and quoted scripts are its own. */
function onlyPlaces(use: Emit): Emit {
  return (kind, text) => {
    if (kind === 'path' || kind === 'url' || kind === 'id') use(kind, text);
  };
}
