import { diffLines } from './line-diff.ts';
import type { Block, Moment, Outcome, Session } from './session.ts';
import { ROOT, Workspace } from './workspace.ts';

type Call = Extract<Block, { kind: 'call' }>;

export const think = (text: string): Block => ({ kind: 'think', text });
export const redacted = (): Block => ({ kind: 'redacted' });
export const say = (text: string): Block => ({ kind: 'say', text });

export function task(description: string, prompt: string, story: (side: Session) => void): Block {
  return { kind: 'task', input: { description, prompt, subagent_type: 'general-purpose' }, story };
}

export function read(path: string, offset?: number, limit?: number): Call {
  const range = offset === undefined ? {} : { offset, ...(limit === undefined ? {} : { limit }) };
  return call('Read', { file_path: full(path), ...range }, ({ workspace, random }) => {
    const lines = workspace.read(path).replace(/\n$/, '').split('\n');
    const first = offset ?? 1;
    const shown = lines.slice(first - 1, limit === undefined ? undefined : first - 1 + limit);
    const file = {
      filePath: full(path),
      content: shown.join('\n'),
      numLines: shown.length,
      startLine: first,
      totalLines: lines.length,
    };
    return {
      content: workspace.numbered(path, first, limit),
      structured: { type: 'text', file },
      ms: brief(random.between(0, 31)),
    };
  });
}

export function glob(pattern: string, matching: RegExp): Call {
  return call('Glob', { pattern }, ({ workspace, random }) => {
    const filenames = workspace.paths(matching).map(full);
    const structured = {
      filenames,
      durationMs: random.between(4, 19),
      numFiles: filenames.length,
      truncated: false,
    };
    return {
      content: filenames.join('\n') || 'No files found',
      structured,
      ms: brief(random.between(0, 40)),
    };
  });
}

export function grep(pattern: string, path = ''): Call {
  const input = { pattern, ...(path === '' ? {} : { path: full(path) }), output_mode: 'content', '-n': true };
  return call('Grep', input, ({ workspace, random }) => {
    const hits = workspace.grep(new RegExp(pattern), path);
    const content = hits.join('\n');
    const structured = { mode: 'content', numFiles: 0, filenames: [], content, numLines: hits.length };
    return { content: content || 'No matches found', structured, ms: brief(random.between(0, 55)) };
  });
}

export function edit(path: string, from: string, to: string): Call {
  return call(
    'Edit',
    { file_path: full(path), old_string: from, new_string: to },
    ({ workspace, random }) => {
      const before = workspace.read(path);
      const after = workspace.replace(path, from, to);
      const patch = diffLines(before, after);
      const first = Math.max(1, (patch[0]?.newStart ?? 1) - 1);
      const shown = workspace.numbered(path, first, (patch[0]?.newLines ?? 1) + 2);
      const structured = {
        filePath: full(path),
        oldString: from,
        newString: to,
        originalFile: null,
        structuredPatch: patch,
        userModified: false,
        replaceAll: false,
      };
      const content = `Edited ${full(path)}. The lines around the change:\n${shown}`;
      return { content, structured, ms: random.between(30, 90) };
    },
  );
}

/** Several edits of one file in one call, as the older version of the program has it. */
export function edits(path: string, ...pairs: [from: string, to: string][]): Call {
  const list = pairs.map(([from, to]) => ({ old_string: from, new_string: to }));
  return call('MultiEdit', { file_path: full(path), edits: list }, ({ workspace, random }) => {
    const before = workspace.read(path);
    for (const [from, to] of pairs) workspace.replace(path, from, to);
    const structured = {
      filePath: full(path),
      edits: list.map((each) => ({ ...each, replace_all: false })),
      originalFileContents: null,
      structuredPatch: diffLines(before, workspace.read(path)),
      userModified: false,
    };
    const steps = pairs.map(
      ([from], index) =>
        `${index + 1}. Replaced ${JSON.stringify(from.length > 50 ? `${from.slice(0, 50)}...` : from)}`,
    );
    return {
      content: `Applied ${pairs.length} edits to ${full(path)}:\n${steps.join('\n')}`,
      structured,
      ms: random.between(40, 120),
    };
  });
}

/** Writes a new file with the text kept under `written/`. */
export function write(path: string, content: string = Workspace.written(path)): Call {
  return call('Write', { file_path: full(path), content }, ({ workspace, random }) => {
    workspace.write(path, content);
    const structured = {
      type: 'create',
      filePath: full(path),
      content,
      structuredPatch: [],
      originalFile: null,
    };
    return { content: `Created ${full(path)}`, structured, ms: random.between(25, 80) };
  });
}

/** An edit the program itself turns down. */
export function refused(block: Call, reason: string): Call {
  const content = `<tool_use_error>${reason}</tool_use_error>`;
  return { ...block, run: () => ({ content, structured: `Error: ${reason}`, failed: true, ms: 12 }) };
}

type Text = string | ((moment: Moment) => string);

export function bash(command: string, description: string, output: Text, ms = 420): Call {
  return call('Bash', { command, description }, (moment) => {
    const stdout = typeof output === 'string' ? output : output(moment);
    const structured = { stdout, stderr: '', interrupted: false, isImage: false };
    return { content: stdout, structured, ms: ms + moment.random.between(0, 180) };
  });
}

export function failing(command: string, description: string, output: Text, ms = 900, code = 1): Call {
  return call('Bash', { command, description }, (moment) => {
    const text = typeof output === 'string' ? output : output(moment);
    const content = `Exit code ${code}\n${text}`;
    return { content, structured: `Error: ${content}`, failed: true, ms: ms + moment.random.between(0, 240) };
  });
}

export type Todo = [content: string, activeForm: string, status: 'pending' | 'in_progress' | 'completed'];

export function todo(before: Todo[], after: Todo[]): Call {
  const list = (todos: Todo[]): object[] =>
    todos.map(([content, activeForm, status]) => ({ content, status, activeForm }));
  return call('TodoWrite', { todos: list(after) }, () => ({
    content: 'The todo list was updated.',
    structured: { oldTodos: list(before), newTodos: list(after) },
    ms: 18,
  }));
}

function call(name: string, input: object, run: (moment: Moment) => Outcome): Call {
  return { kind: 'call', name, input, run };
}

function full(path: string): string {
  return `${ROOT}/${path}`;
}

/** Reads of one reply often end in the same millisecond. */
function brief(ms: number): number {
  return ms < 9 ? 0 : ms;
}
