import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { milliseconds, type Row, row } from './harness.ts';
import { seeded, textOf } from './texts.ts';

/** How the peers come to be there; they are no dependency of this repository. */
const INSTALL = 'peers not installed: npm install --prefix bench/peers';

// Just what is used of each: their own types are there only where they are installed.
type Message = new (fields: object) => object;
type Hook = (
  state: { readonly messages: readonly object[] },
  runtime: { readonly context: object },
) => Promise<unknown>;
interface LangChain {
  readonly HumanMessage: Message;
  readonly AIMessage: Message;
  readonly ToolMessage: Message;
  summarizationMiddleware(options: object): { readonly beforeModel: Hook | { readonly hook: Hook } };
}
interface Adk {
  readonly TokenBasedContextCompactor: new (options: object) => { shouldCompact(context: object): boolean };
}

const TEXT = textOf('prose', 300, seeded(9));

/** What deciding whether, and what, to compact costs in other frameworks, against `ours` (by number of events). */
export async function peerRows(short: boolean, ours: ReadonlyMap<number, Row>): Promise<readonly Row[]> {
  const [langchain, adk] = [await load<LangChain>('langchain'), await load<Adk>('@google/adk')];
  const rows: Row[] = [];
  if (langchain !== null) rows.push(...(await langChainRows(langchain, short, ours)));
  if (adk !== null) rows.push(...(await adkRows(adk, short, ours)));
  if (langchain === null || adk === null) rows.push(row('peers', '', [], { note: INSTALL }));
  return rows;
}

async function load<Module>(name: string): Promise<Module | null> {
  try {
    const path = createRequire(new URL('./peers/package.json', import.meta.url)).resolve(name);
    return (await import(pathToFileURL(path).href)) as Module;
  } catch {
    return null;
  }
}

async function langChainRows(
  langchain: LangChain,
  short: boolean,
  ours: ReadonlyMap<number, Row>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const model = { invoke: async () => ({ content: 'a summary', text: 'a summary' }) };
  const hookOf = (trigger: object): Hook => {
    const { beforeModel } = langchain.summarizationMiddleware({ model, trigger, keep: { messages: 60 } });
    return typeof beforeModel === 'function' ? beforeModel : beforeModel.hook;
  };
  const quiet = hookOf({ tokens: 1e9 });
  const fires = hookOf({ tokens: 1 });
  const measure = async (name: string, hook: Hook, count: number, samples: number): Promise<void> => {
    const messages = Array.from({ length: count }, (_, at) => messageAt(langchain, at));
    const times = await milliseconds(() => hook({ messages: messages.slice() }, { context: {} }), {
      samples,
    });
    rows.push(
      peerRow(
        `peer: LangChain middleware, ${name}, ${count.toLocaleString('en-US')} messages`,
        count,
        times,
        ours,
      ),
    );
  };
  await measure('below its trigger', quiet, 1_000, 11);
  await measure('below its trigger', quiet, 16_000, 11);
  await measure('selecting, model free', fires, 1_000, 5);
  // Quadratic in the messages: at 16,000 it takes half a minute.
  if (!short) await measure('selecting, model free', fires, 4_000, 3);
  return rows;
}

function messageAt({ HumanMessage, AIMessage, ToolMessage }: LangChain, at: number): object {
  const id = `m${at}`;
  switch (at % 4) {
    case 0:
      return new HumanMessage({ content: TEXT, id });
    case 1:
      return new AIMessage({
        content: '',
        id,
        tool_calls: [{ id: `c${at}`, name: 'search', args: { query: TEXT } }],
      });
    case 2:
      return new ToolMessage({ content: TEXT, id, tool_call_id: `c${at - 1}` });
    default:
      return new AIMessage({ content: TEXT, id });
  }
}

async function adkRows(adk: Adk, short: boolean, ours: ReadonlyMap<number, Row>): Promise<readonly Row[]> {
  const compactor = new adk.TokenBasedContextCompactor({ tokenThreshold: 1e9, eventRetentionSize: 60 });
  const rows: Row[] = [];
  for (const count of short ? [1_000, 16_000] : [1_000, 16_000, 100_000]) {
    const events = Array.from({ length: count }, (_, at) => ({
      id: `e${at}`,
      timestamp: at,
      author: at % 4 === 0 ? 'user' : 'agent',
      content: { role: at % 4 === 0 ? 'user' : 'model', parts: [{ text: TEXT }] },
      ...(at === count - 1 ? { usageMetadata: { promptTokenCount: 5_000 } } : {}),
    }));
    const context = { session: { events, state: {} }, agent: { name: 'agent' } };
    const times = await milliseconds(() => compactor.shouldCompact(context), { samples: 11 });
    rows.push(
      peerRow(
        `peer: ADK for JavaScript, trigger check, ${count.toLocaleString('en-US')} events`,
        count,
        times,
        ours,
      ),
    );
  }
  return rows;
}

function peerRow(name: string, count: number, times: readonly number[], ours: ReadonlyMap<number, Row>): Row {
  const against = ours.get(count);
  return row(name, 'ms', times, against === undefined ? {} : { against });
}
