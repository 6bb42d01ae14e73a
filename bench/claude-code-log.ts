import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pick, seeded, type TextKind, textOf } from './texts.ts';

/** What the calls of one turn give. */
const RESULTS: readonly TextKind[] = ['code', 'log', 'toolJson', 'code'];

/**
 * Writes a session log of a coding agent of at least so many bytes, in the shape of Claude Code's: mostly tool output,
 * repeated in `toolUseResult` as there, some of it long. Returns its size.
 */
export async function writeClaudeCodeLog(path: string, bytes: number): Promise<number> {
  const random = seeded(4);
  const pools = new Map<TextKind, readonly string[]>();
  for (const kind of ['prose', 'code', 'log', 'toolJson', 'japanese'] as const) {
    pools.set(
      kind,
      Array.from({ length: 200 }, () => textOf(kind, 40 + random() ** 4 * 12_000, random)),
    );
  }
  const text = (kind: TextKind): string => pick(pools.get(kind) ?? [], random);
  const out = createWriteStream(path);
  const size = { written: 0 };
  let parent: string | null = null;
  let count = 0;
  const line = async (fields: object): Promise<void> => {
    count += 1;
    const uuid = `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
    const json: string = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/user/project',
      sessionId: '11111111-1111-4111-8111-111111111111',
      version: '2.0.0',
      gitBranch: 'main',
      ...fields,
      uuid,
      timestamp: new Date(1_800_000_000_000 + count * 1_000).toISOString(),
    });
    parent = uuid;
    size.written += Buffer.byteLength(json) + 1;
    if (!out.write(`${json}\n`)) await once(out, 'drain');
  };
  const say = (content: object, stop: string): Promise<void> =>
    line({
      type: 'assistant',
      requestId: `req_${count}`,
      message: {
        id: `msg_${count}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [content],
        stop_reason: stop,
        usage: { input_tokens: 12, cache_read_input_tokens: 20_000, output_tokens: 300 },
      },
    });
  while (size.written < bytes) {
    await line({
      type: 'user',
      message: { role: 'user', content: text(random() < 0.2 ? 'japanese' : 'prose') },
    });
    for (const kind of RESULTS) {
      const id = `toolu_${count}`;
      await say(
        { type: 'tool_use', id, name: 'Bash', input: { command: text('log').slice(0, 200) } },
        'tool_use',
      );
      const stdout = text(kind);
      await line({
        type: 'user',
        message: {
          role: 'user',
          content: [{ tool_use_id: id, type: 'tool_result', content: stdout, is_error: false }],
        },
        toolUseResult: { stdout, stderr: '', interrupted: false, isImage: false },
      });
    }
    await say({ type: 'text', text: text('prose') }, 'end_turn');
  }
  out.end();
  await once(out, 'close');
  return size.written;
}
