import type { ToolCallPart, ToolResultPart } from '../../event/part.ts';
import { ends } from './ends.ts';
import { isPathLike } from './path-shape.ts';
import { commandFamilies, commandWeight, type FileEffect, isTestRun, runsAllTests } from './shell.ts';
import type { Todo } from './todos.ts';
import { type Intent, intentOf, looksOnly } from './tool-input.ts';
import { isCommit, type Outcome, outcomeOf } from './tool-output.ts';

/** The last state of something done: a command, or a call of another tool. */
export interface Deed {
  readonly what: string;
  readonly families: readonly string[];
  readonly kind: 'command' | 'file' | 'other';
  readonly weight: 0 | 1 | 2;
  readonly failed: boolean;
  readonly line: string;
}

/** What was done so far and how it stands: files, commands, other calls, open failures, the plan. Newest last in each. */
export interface WorkLedger {
  call(part: ToolCallPart): void;
  result(part: ToolResultPart): void;
  /** The call had no answer and gets none. */
  unanswered(id: string): void;
  /** Takes over what an earlier summary says of a deed that succeeded. */
  done(what: string, line: string): void;
  file(path: string, effect: FileEffect): void;
  plan(todos: readonly Todo[]): void;
  error(what: string, line: string): void;
  noResult(what: string): void;
  commit(line: string): void;
  readonly files: ReadonlyMap<string, FileEffect>;
  readonly deeds: readonly Deed[];
  readonly errors: readonly Deed[];
  /** Commits made, as the tool reported them, newest last. */
  readonly commits: readonly string[];
  readonly unansweredCalls: readonly string[];
  readonly todos: readonly Todo[];
}

const MOST_FILES = 400;
const MOST_DEEDS = 400;
const MOST_ERRORS = 100;

/** An empty ledger. */
export function workLedger(): WorkLedger {
  const open = new Map<string, Intent>();
  const files = new Map<string, FileEffect>();
  const deeds = new Map<string, Deed>();
  const errors = new Map<string, Deed>();
  const unanswered = new Set<string>();
  const commits = ends<string>(20, 60);
  let todos: readonly Todo[] = [];

  function setFile(named: string, effect: FileEffect): void {
    const known = sameFile(files, named);
    const path = known !== undefined && known.length > named.length ? known : named;
    if (known !== undefined && known !== path) {
      files.set(path, files.get(known) ?? effect);
      files.delete(known);
    }
    const before = files.get(path);
    // Reading changes nothing, and what was written anew stays new when edited.
    const kept =
      (effect === 'read' && before !== undefined && before !== 'deleted') ||
      (effect === 'edited' && before === 'written');
    files.delete(path);
    files.set(path, kept && before !== undefined ? before : effect);
    if (files.size > MOST_FILES) dropOldest(files, (value) => value === 'read');
  }

  function setDeed(deed: Deed): void {
    deeds.delete(deed.what);
    deeds.set(deed.what, deed);
    if (deeds.size > MOST_DEEDS) dropOldest(deeds, (value) => value.weight === 0);
    if (!deed.failed) {
      for (const [key, error] of errors) if (closes(deed, error)) errors.delete(key);
      for (const [key, error] of errors) errors.set(key, lessened(error, deed));
    } else if (deed.weight > 0 || deed.kind === 'other') {
      errors.delete(deed.what);
      errors.set(deed.what, deed);
      if (errors.size > MOST_ERRORS) dropOldest(errors, () => true);
    }
  }

  function settle(intent: Intent, outcome: Outcome): void {
    if (intent.kind === 'todos') {
      if (!outcome.failed) todos = intent.todos;
      return;
    }
    const { what, families, weight } = intent;
    if (isCommit(outcome.line)) commits.add(outcome.line);
    if (!outcome.failed) {
      unanswered.delete(what);
      for (const [path, effect] of intent.effects) {
        setFile(path, effect);
        for (const [key, error] of errors)
          if (error.kind === 'file' && error.what.includes(path)) errors.delete(key);
      }
    }
    setDeed({
      what,
      families,
      kind: intent.kind,
      weight,
      failed: outcome.failed,
      line: outcome.line,
    });
  }

  return {
    call(part): void {
      open.set(part.id, intentOf(part));
    },
    result(part): void {
      const intent = open.get(part.id);
      open.delete(part.id);
      // A result whose call is nowhere says nothing that could be named.
      if (intent !== undefined) settle(intent, outcomeOf(part, intent));
    },
    unanswered(id): void {
      const intent = open.get(id);
      open.delete(id);
      if (intent !== undefined && intent.kind !== 'todos') unanswered.add(intent.what);
    },
    done(what, line): void {
      setDeed(carried(what, false, line));
    },
    file: setFile,
    plan(next): void {
      todos = next;
    },
    error(what, line): void {
      setDeed(carried(what, true, line));
    },
    noResult(what): void {
      unanswered.add(what);
    },
    get files(): ReadonlyMap<string, FileEffect> {
      return files;
    },
    get deeds(): readonly Deed[] {
      return [...deeds.values()];
    },
    get errors(): readonly Deed[] {
      return [...errors.values()];
    },
    commit(line): void {
      commits.add(line);
    },
    get commits(): readonly string[] {
      return commits.all();
    },
    get unansweredCalls(): readonly string[] {
      return [
        ...unanswered,
        ...[...open.values()].filter((intent) => intent.kind !== 'todos').map((intent) => intent.what),
      ];
    },
    get todos(): readonly Todo[] {
      return todos;
    },
  };
}

const CALL = /^([\w./: -]{1,80})\(([^,)]{0,300})/;

/** A deed as an earlier summary's words have it: `tool(arguments)`, or a command. */
function carried(what: string, failed: boolean, line: string): Deed {
  const call = CALL.exec(what);
  const tool = call?.[1];
  if (tool !== undefined) {
    const file = isPathLike(call?.[2] ?? '');
    return {
      what,
      families: [file ? what : tool],
      kind: file ? 'file' : 'other',
      weight: file ? 1 : looksOnly(tool) ? 0 : 2,
      failed,
      line,
    };
  }
  return {
    what,
    families: commandFamilies(what),
    kind: 'command',
    weight: failed ? 2 : commandWeight(what),
    failed,
    line,
  };
}

/** A later success closes a failure of the same thing, or of all it was a case of. */
function closes(success: Deed, failure: Deed): boolean {
  if (success.what === failure.what) return true;
  if (success.kind === 'command' && isTestRun(failure.what) && runsAllTests(success.what)) return true;
  return failure.families.every((family) => success.families.includes(family));
}

/** A failed line of several commands is closed once each of them succeeded. */
function lessened(failure: Deed, success: Deed): Deed {
  if (failure.families.length < 2) return failure;
  return { ...failure, families: failure.families.filter((family) => !success.families.includes(family)) };
}

/** The known path that names the same file from elsewhere: one ends in the other, and no second one does. */
function sameFile(files: ReadonlyMap<string, FileEffect>, path: string): string | undefined {
  if (files.has(path)) return undefined;
  let found: string | undefined;
  for (const known of files.keys()) {
    if (!known.endsWith(`/${path}`) && !path.endsWith(`/${known}`)) continue;
    if (found !== undefined) return undefined;
    found = known;
  }
  return found;
}

function dropOldest<V>(map: Map<string, V>, rather: (value: V) => boolean): void {
  let oldest: string | undefined;
  for (const [key, value] of map) {
    oldest ??= key;
    if (!rather(value)) continue;
    oldest = key;
    break;
  }
  if (oldest !== undefined) map.delete(oldest);
}
