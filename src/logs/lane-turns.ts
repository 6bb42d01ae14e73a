import { type Lane, laneKey } from '../event/lane.ts';

interface LaneState {
  invocation: string;
  reply: string | null;
  replyInvocation: string;
}

/** Where an event stands in its lane's turns. */
export interface Placement {
  readonly invocation: string;
  /** Whether the event is the first of its reply: usage is reported there, once a reply. */
  readonly firstOfReply: boolean;
}

/**
 * Says which turn each event belongs to: a prompt opens one, and what follows in its lane belongs to it. What stands
 * before a lane's first prompt is a turn too, opened by whatever comes first. Lines of one reply stay in one turn even
 * when a prompt was written between them, for a reply is never parted.
 */
export class LaneTurns {
  readonly #lanes = new Map<string, LaneState>();

  place(lane: Lane, id: string, opens: boolean, reply: string | null): Placement {
    const key = laneKey(lane);
    let state = this.#lanes.get(key);
    if (state === undefined || opens) {
      const invocation = `turn:${id}`;
      if (state === undefined) {
        state = { invocation, reply: null, replyInvocation: invocation };
        this.#lanes.set(key, state);
      } else {
        state.invocation = invocation;
      }
    }
    if (reply === null) return { invocation: state.invocation, firstOfReply: false };
    if (state.reply === reply) return { invocation: state.replyInvocation, firstOfReply: false };
    state.reply = reply;
    state.replyInvocation = state.invocation;
    return { invocation: state.invocation, firstOfReply: true };
  }
}
