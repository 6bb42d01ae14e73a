import { Random } from './random.ts';
import { ROOT, type Workspace } from './workspace.ts';

export type Part =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } };

/** What a tool gave back: what the model saw, what the log keeps beside it, and how long it took. */
export interface Outcome {
  content: string | Part[];
  structured: unknown;
  failed?: boolean;
  ms: number;
}

export interface Moment {
  now: Date;
  workspace: Workspace;
  random: Random;
}

export type Block =
  | { kind: 'think'; text: string }
  | { kind: 'redacted' }
  | { kind: 'say'; text: string }
  | { kind: 'call'; name: string; input: object; run: (moment: Moment) => Outcome }
  | {
      kind: 'task';
      input: { description: string; prompt: string; subagent_type: string };
      story: (side: Session) => void;
    };

interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  output_tokens: number;
  service_tier: string;
}

interface Issued {
  id: string;
  uuid: string;
  block: Extract<Block, { kind: 'call' | 'task' }>;
}

export interface Mark {
  head: string | null;
  context: number;
}

const MODEL = 'claude-sonnet-4-5-20250929';
const SYSTEM_TOKENS = 16_380;
const CACHE_LIFE_MS = 300_000;

/** The file being written: shared by the main chain and its sidechains. */
interface Tape {
  lines: string[];
  now: number;
  random: Random;
  sessionId: string;
  version: string;
  /** Newer versions hang a result on the call it answers; older ones chain the lines. */
  resultsOnCalls: boolean;
  slug?: string;
}

/**
 * Writes one conversation in Claude Code's session format. The story calls `user` and `reply`; ids, parents, times and token
 * counts follow from them.
 */
export class Session {
  readonly workspace: Workspace;
  private readonly tape: Tape;
  private readonly agentId: string | undefined;
  private head: string | null = null;
  private context = SYSTEM_TOKENS;
  private cachedUpTo = 0;
  private lastRequest = Number.NEGATIVE_INFINITY;
  private lastText = '';
  private calls = 0;

  private constructor(workspace: Workspace, tape: Tape, agentId?: string) {
    this.workspace = workspace;
    this.tape = tape;
    this.agentId = agentId;
  }

  static start(workspace: Workspace, options: { seed: number; at: string; version: string }): Session {
    const random = new Random(options.seed);
    const tape: Tape = {
      lines: [],
      now: Date.parse(options.at),
      random,
      sessionId: random.uuid(),
      version: options.version,
      resultsOnCalls: false,
    };
    return new Session(workspace, tape);
  }

  get text(): string {
    return `${this.tape.lines.join('\n')}\n`;
  }

  get random(): Random {
    return this.tape.random;
  }

  /** The session goes on later, in a newer version of the program. */
  resume(options: { at: string; version: string; slug: string }): void {
    this.tape.now = Date.parse(options.at);
    this.tape.version = options.version;
    this.tape.slug = options.slug;
    this.tape.resultsOnCalls = true;
  }

  /** A person types. `after` is how many seconds they took. */
  user(content: string | Part[], after: number, tracked?: string[]): void {
    this.pass(after * 1000 + this.random.between(0, 999));
    const uuid = this.random.uuid();
    if (tracked) this.snapshot(uuid, tracked);
    const newer = {
      thinkingMetadata: { level: 'high', disabled: false, triggers: [] },
      todos: [],
      permissionMode: 'default',
    };
    this.add(
      { type: 'user', message: { role: 'user', content } },
      uuid,
      this.tape.resultsOnCalls ? newer : {},
    );
    this.context += tokensOf(content);
  }

  /** One model reply, a line a block, and the results of its calls in `order` (that of the calls, unless given). */
  reply(blocks: Block[], order?: number[]): void {
    const issued = this.say(blocks);
    for (const index of order ?? issued.keys()) {
      const call = issued[index];
      if (!call) throw new Error(`no call ${index} in this reply`);
      this.answer(call);
    }
    if (order && new Set(order).size !== issued.length) throw new Error('every call needs its result');
  }

  /** A reply whose call was stopped by the user before it gave anything back. */
  interrupted(blocks: Block[], afterSeconds: number): void {
    this.say(blocks);
    this.pass(afterSeconds * 1000 + 211);
    const content: Part[] = [{ type: 'text', text: '[Request interrupted by user]' }];
    this.add({ type: 'user', message: { role: 'user', content } }, this.random.uuid());
    this.context += 8;
  }

  mark(): Mark {
    return { head: this.head, context: this.context };
  }

  /** The user goes back to an earlier point; what follows is a second child of it. */
  rewind(mark: Mark): void {
    this.head = mark.head;
    this.context = mark.context;
  }

  compact(summary: string): void {
    this.pass(2_000);
    const logicalParentUuid = this.head;
    const preTokens = this.context;
    this.pass(41_730);
    this.head = null;
    const boundary = { logicalParentUuid };
    this.add(
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false },
      this.random.uuid(),
      {
        level: 'info',
        compactMetadata: { trigger: 'manual', preTokens },
      },
      boundary,
    );
    this.add(
      {
        type: 'user',
        message: { role: 'user', content: summary },
        isVisibleInTranscriptOnly: true,
        isCompactSummary: true,
      },
      this.random.uuid(),
    );
    this.context = SYSTEM_TOKENS + tokensOf(summary);
    this.cachedUpTo = 0;
  }

  /** The title the program gives a conversation when it lists it for resuming. */
  title(summary: string): void {
    this.line({ type: 'summary', summary, leafUuid: this.head });
  }

  queue(operation: 'enqueue' | 'dequeue' | 'remove', content?: string): void {
    this.pass(this.random.between(300, 900));
    const { sessionId } = this.tape;
    const timestamp = this.stamp();
    this.line({
      type: 'queue-operation',
      operation,
      timestamp,
      sessionId,
      ...(content === undefined ? {} : { content }),
    });
  }

  private snapshot(messageId: string, paths: string[]): void {
    const trackedFileBackups = Object.fromEntries(
      paths.map((path) => {
        const backupFileName = this.workspace.has(path) ? `${this.random.hex(16)}@v1` : null;
        return [path, { backupFileName, version: 1, backupTime: this.stamp() }];
      }),
    );
    const snapshot = { messageId, trackedFileBackups, timestamp: this.stamp() };
    this.line({ type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false });
  }

  private say(blocks: Block[]): Issued[] {
    const { random } = this.tape;
    const id = `msg_01${random.base58(22)}`;
    const requestId = `req_011C${random.base58(20)}`;
    const usage = this.usage(blocks);
    const issued: Issued[] = [];
    this.pass(random.between(2_600, 7_800));
    for (const [index, block] of blocks.entries()) {
      this.pass(260 + Math.round(sizeOf(block) * 7));
      const uuid = random.uuid();
      const last = index === blocks.length - 1;
      const calls = blocks.some((each) => each.kind === 'call' || each.kind === 'task');
      const message = {
        model: MODEL,
        id,
        type: 'message',
        role: 'assistant',
        content: [this.content(block, uuid, issued)],
        stop_reason: last ? (calls ? 'tool_use' : 'end_turn') : null,
        stop_sequence: null,
        usage,
      };
      this.add({ message, requestId, type: 'assistant' }, uuid);
    }
    return issued;
  }

  private content(block: Block, uuid: string, issued: Issued[]): object {
    const { random } = this.tape;
    switch (block.kind) {
      case 'think': {
        const length = 4 * Math.min(200, 60 + Math.round(block.text.length / 6));
        return { type: 'thinking', thinking: block.text, signature: `E${random.base64(length - 5)}GAE=` };
      }
      case 'redacted':
        return { type: 'redacted_thinking', data: `E${random.base64(691)}GAE=` };
      case 'say':
        this.lastText = block.text;
        return { type: 'text', text: block.text };
      default: {
        const id = `toolu_01${random.base58(22)}`;
        issued.push({ id, uuid, block });
        this.calls++;
        return {
          type: 'tool_use',
          id,
          name: block.kind === 'task' ? 'Task' : block.name,
          input: block.input,
        };
      }
    }
  }

  private answer(call: Issued): void {
    const { random } = this.tape;
    const outcome =
      call.block.kind === 'task'
        ? this.delegate(call.block)
        : call.block.run({ now: new Date(this.tape.now), workspace: this.workspace, random });
    if (outcome.ms > 9_250 && this.tape.resultsOnCalls && call.block.kind === 'call')
      this.progress(call, outcome);
    else this.pass(outcome.ms);
    const failed = outcome.failed === true;
    const result = failed
      ? { type: 'tool_result', content: outcome.content, is_error: true, tool_use_id: call.id }
      : { tool_use_id: call.id, type: 'tool_result', content: outcome.content };
    if (this.tape.resultsOnCalls) this.head = call.uuid;
    const source = this.tape.resultsOnCalls ? { sourceToolAssistantUUID: call.uuid } : {};
    this.add({ type: 'user', message: { role: 'user', content: [result] } }, random.uuid(), {
      toolUseResult: outcome.structured,
      ...source,
    });
    this.context += tokensOf(outcome.content);
  }

  /** Long commands report themselves while they run. */
  private progress(call: Issued, outcome: Outcome): void {
    this.pass(2_004);
    const fullOutput =
      typeof outcome.content === 'string'
        ? outcome.content
            .replace(/^Exit code \d+\n/, '')
            .split('\n')
            .slice(0, 5)
            .join('\n')
        : '';
    const data = {
      type: 'bash_progress',
      output: fullOutput,
      fullOutput,
      elapsedTimeSeconds: 2,
      totalLines: 5,
    };
    this.head = call.uuid;
    this.add(
      { type: 'progress', data, toolUseID: 'bash-progress-0', parentToolUseID: call.id },
      this.random.uuid(),
    );
    this.pass(outcome.ms - 2_004);
  }

  private delegate(task: Extract<Block, { kind: 'task' }>): Outcome {
    const began = this.tape.now;
    const agentId = this.random.hex(8);
    const side = new Session(this.workspace, this.tape, agentId);
    side.context = 11_240;
    this.pass(34);
    side.add({ type: 'user', message: { role: 'user', content: task.input.prompt } }, this.random.uuid());
    side.context += tokensOf(task.input.prompt);
    task.story(side);
    const content: Part[] = [{ type: 'text', text: side.lastText }];
    const structured = {
      status: 'completed',
      prompt: task.input.prompt,
      agentId,
      content,
      totalDurationMs: this.tape.now - began,
      totalTokens: side.context,
      totalToolUseCount: side.calls,
    };
    return { content, structured, ms: 61 };
  }

  private usage(blocks: Block[]): Usage {
    const input = this.random.between(3, 14);
    const cached =
      this.tape.now - this.lastRequest > CACHE_LIFE_MS ? 0 : Math.min(this.cachedUpTo, this.context - input);
    const created = this.context - input - cached;
    const output = blocks.reduce((sum, block) => sum + Math.ceil(sizeOf(block) / 3.6) + 12, 0);
    this.cachedUpTo = this.context - input;
    this.lastRequest = this.tape.now;
    this.context += output;
    return {
      input_tokens: input,
      cache_creation_input_tokens: created,
      cache_read_input_tokens: cached,
      cache_creation: { ephemeral_5m_input_tokens: created, ephemeral_1h_input_tokens: 0 },
      output_tokens: output,
      service_tier: 'standard',
    };
  }

  private add(body: object, uuid: string, more: object = {}, before: object = {}): void {
    const { sessionId, version, slug } = this.tape;
    this.line({
      parentUuid: this.head,
      ...before,
      isSidechain: this.agentId !== undefined,
      userType: 'external',
      cwd: ROOT,
      sessionId,
      version,
      gitBranch: 'kb-214-oversold',
      ...(slug === undefined ? {} : { slug }),
      ...(this.agentId === undefined ? {} : { agentId: this.agentId }),
      ...body,
      uuid,
      timestamp: this.stamp(),
      ...more,
    });
    this.head = uuid;
  }

  private line(value: object): void {
    this.tape.lines.push(JSON.stringify(value));
  }

  private pass(ms: number): void {
    this.tape.now += Math.round(ms);
  }

  private stamp(): string {
    return new Date(this.tape.now).toISOString();
  }
}

function sizeOf(block: Block): number {
  switch (block.kind) {
    case 'think':
    case 'say':
      return block.text.length;
    case 'redacted':
      return 420;
    default:
      return JSON.stringify(block.input).length;
  }
}

/** A rough count, near enough for plausible usage figures. */
function tokensOf(content: string | Part[]): number {
  if (typeof content !== 'string') {
    return content.reduce((sum, part) => sum + (part.type === 'text' ? tokensOf(part.text) : 90), 0);
  }
  let wide = 0;
  for (const letter of content) if (letter > '\u2e7f') wide++;
  return Math.ceil((content.length - wide) / 3.7 + wide * 0.9);
}
