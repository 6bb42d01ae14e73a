import { performance } from 'node:perf_hooks';
import { assemblePrompt } from '../src/prompt/assemble.ts';
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { KEY, READER } from './history/session.ts';

/** Opens a file in a process that knows nothing of it yet, reads the next prompt, and prints what that took. */
const [, , path = ''] = process.argv;

const before = process.resourceUsage().maxRSS;
const start = performance.now();
const store = await openSqliteStore(path);
const prompt = assemblePrompt(await store.view(KEY, READER.lane, 'reader'), READER, store.counter);
const milliseconds = performance.now() - start;
const bytes = (process.resourceUsage().maxRSS - before) * 1_024;
await store.close();
console.log(JSON.stringify({ milliseconds, bytes, entries: prompt.entries.length }));
