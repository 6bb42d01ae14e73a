#!/usr/bin/env node
// Starts the command line. Everything else is imported after the checks here, which older versions of Node must pass.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(`palimpsest: needs Node 22.16 or newer; this is ${process.version}\n`);
  process.exit(1);
}

// Node says on every start that node:sqlite may change: noise to a person who runs a command.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => {
  if (name === 'ExperimentalWarning' && message.includes('SQLite')) return;
  process.stderr.write(`palimpsest: ${name}: ${message}\n`);
});

// Loading takes a moment, in which an interrupt would end the process without a word.
const leave = (): void => {
  process.stderr.write('palimpsest: interrupted before anything was done\n');
  process.exit(130);
};
process.on('SIGINT', leave).on('SIGTERM', leave);
const { runCli } = await import('./run.ts');
process.off('SIGINT', leave).off('SIGTERM', leave);
await runCli(process.argv.slice(2));
