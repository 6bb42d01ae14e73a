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

const { onInterrupt } = await import('./interrupt.ts');
const interrupted = onInterrupt();
const { runCli } = await import('./run.ts');
await runCli(process.argv.slice(2), interrupted);
