import { Command } from 'commander';
import { runDemo } from '../demo.ts';
import { withExamples, withJson } from '../flags.ts';
import type { Io } from '../io.ts';

/** `palimpsest demo`: the main job on the sample that ships in the package. */
export function demoCommand(io: Io): Command {
  const command = new Command('demo')
    .summary('all of this on the sample in the package')
    .description(
      'Compacts the sample session that comes with the package, proves it, breaks a copy to show that the proof notices, and takes the summary back. Leaves nothing behind.',
    )
    .action((flags: { readonly json?: boolean }) => runDemo(io, flags.json === true));
  return withExamples(withJson(command), ['palimpsest demo']);
}
