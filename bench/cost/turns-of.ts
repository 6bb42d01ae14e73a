import type { Role } from '../../src/event/event.ts';

/** One call of a model: what was said to it since its last reply, and that it replied. In tokens. */
export interface Call {
  readonly input: number;
  readonly output: number;
}

/** A turn: a question, and the calls of the model until it was answered. */
export type TurnSize = readonly Call[];

/** One event of a log, as far as its size matters. */
export interface SaidTokens {
  readonly role: Role;
  readonly tokens: number;
  /** Events of one reply share it. */
  readonly reply?: string | undefined;
}

/** The turns of a conversation: one begins where a user speaks after the model did. What no model answered is dropped. */
export function turnsOf(said: readonly SaidTokens[]): readonly TurnSize[] {
  const turns: Call[][] = [];
  let turn: Call[] = [];
  let input = 0;
  let output = 0;
  let reply: string | undefined;
  const endCall = (): void => {
    if (output > 0) turn.push({ input, output });
    if (output > 0) input = 0;
    output = 0;
  };
  for (const event of said) {
    if (event.role === 'assistant') {
      if (event.reply === undefined || event.reply !== reply) endCall();
      reply = event.reply;
      output += event.tokens;
      continue;
    }
    endCall();
    reply = undefined;
    if (event.role === 'user' && turn.length > 0) {
      turns.push(turn);
      turn = [];
    }
    input += event.tokens;
  }
  endCall();
  if (turn.length > 0) turns.push(turn);
  return turns;
}
