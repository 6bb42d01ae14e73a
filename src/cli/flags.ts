import { type Command, InvalidArgumentError, Option } from 'commander';

/** Forms a prompt can be written in. */
export const FORMS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk', 'text'] as const;
export type Form = (typeof FORMS)[number];

/** Flags of every command that reads a session of a store. */
export interface SessionFlags {
  readonly store: string;
  readonly session?: string;
  readonly json?: boolean;
}

/** A flag's value as a whole number of at least `least`; anything else says what to change. */
export function wholeNumber(least: number, hint: string): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value) || value < least) {
      throw new InvalidArgumentError(`Give a whole number of at least ${least}${hint}.`);
    }
    return value;
  };
}

/** An event's seq. */
export const parseSeq: (text: string) => number = wholeNumber(1, ' (events are numbered from 1)');

/** `--as`. */
export function formOption(description: string): Option {
  return new Option('--as <form>', description).choices(FORMS);
}

/** `--json`. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document instead of text');
}

/** `--store` (which must exist), `--session` and `--json`. */
export function withSession(command: Command): Command {
  command
    .requiredOption('--store <db>', 'the SQLite file that holds the session')
    .option('--session <id>', 'the session, or the beginning of its id; needed when the store holds several');
  return withJson(command);
}

/** Examples at the end of a command's help. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}
