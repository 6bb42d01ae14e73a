// Imports a session log into memory, compacts it, proves it, and prints what a model would be given next.
import { fileURLToPath } from 'node:url';
import { MemoryStore, Palimpsest } from 'palimpsest';
import { importFile } from 'palimpsest/logs';
import { toText } from 'palimpsest/prompt';

const sample = fileURLToPath(new URL('../samples/coding-session.jsonl', import.meta.url));
const log = process.argv[2] ?? sample;

const palimpsest = new Palimpsest({ store: new MemoryStore() });
const session = palimpsest.session({ app: 'example', user: 'me', session: 'a-log' });

const report = await importFile(log, session);
console.log(`${report.format}: ${report.stored} events from ${report.lines.total} lines`);

await session.compact({ keep: { events: 20 } });

const proof = await session.verify();
if (!proof.ok) throw new Error(`${proof.problems.length} problems`);

const prompt = await session.prompt();
const { total, promptTokens } = prompt.accounting;
console.log(`${total.tokens} tokens became ${promptTokens}; verified`);
console.log(toText(prompt).slice(0, 1_000));
await palimpsest.close();
