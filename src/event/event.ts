import type { EventId, InvocationId, Seq } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { Lane } from './lane.ts';
import type { Part, ToolCallPart, ToolResultPart } from './part.ts';

/**
 * Vocabulary (docs/vocabulary.md has all of it):
 *
 * - **Session**: an ordered, append-only log of events.
 * - **Event**: one stored message or step; its **seq** is its only identity for coverage.
 * - **Invocation**: one user-initiated turn and all it caused.
 * - **Lane**: the pair (branch, isolation). **Reader**: an agent name and a lane.
 * - **Obligation**: a tool call, or an ask, that is owed an answer.
 * - **Exchange**: the events of one model reply, the results its calls ask for, and their answers; the unit that is
 *   covered, held back or pinned.
 * - **Record**: the durable fact "this summary stands in for these events".
 */

/** Who speaks: the model's counterpart, the model, the application's instructions, or a tool. */
export type Role = 'user' | 'assistant' | 'system' | 'tool';

/** A question a person must answer before work goes on: a confirmation or an authorization, about a call of the event's. */
export interface Ask {
  readonly kind: 'confirmation' | 'authorization';
  readonly id: string;
  /** The id of the call it is about; empty when it is about none. */
  readonly call: string;
}

/** Tokens a provider reported for the model call that made an event. All counts are tokens. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
  /** The lane's revision the prompt was made at; usage of an older prompt says nothing of the next one. */
  readonly promptRevision?: number;
}

/** How a model's reply ended, in one vocabulary for all providers. */
export type Finish = 'stop' | 'length' | 'toolCalls' | 'contentFilter' | 'error' | 'aborted' | 'other';

/** One stored message or step. Deeply frozen; never edited. */
export interface StoredEvent {
  readonly seq: Seq;
  readonly id: EventId;
  readonly invocation: InvocationId;
  readonly lane: Lane;
  /** Name of the agent that said it, or `user`, or the tool's runner; for attribution only. */
  readonly author: string;
  readonly role: Role;
  readonly content: readonly Part[];
  /** Events of one model reply share this; they are never parted from each other. */
  readonly reply?: string;
  /** Stored once at append by the session's counter. */
  readonly tokens: number;
  /** ISO 8601, for people. Nothing is decided by it. */
  readonly createdAt: string;
  readonly usage?: Usage;
  readonly finish?: Finish;
  /** Ids of calls in this event that run on after their turn: they are never dead, only parked. */
  readonly longRunning?: readonly string[];
  readonly asks?: readonly Ask[];
  /** Ids of the asks this event answers. */
  readonly answers?: readonly string[];
  readonly metadata?: JsonObject;
}

/** A call without its id, or a result without its id or name: the store assigns them. */
export type DraftPart =
  | Exclude<Part, ToolCallPart | ToolResultPart>
  | (Omit<ToolCallPart, 'id'> & { readonly id?: string })
  | (Omit<ToolResultPart, 'id' | 'isError' | 'name'> & {
      readonly id?: string;
      readonly name?: string;
      readonly isError?: boolean;
    });

/**
 * What an application hands in to be stored. Everything is copied and checked; seq, tokens, obligations and coverage
 * are the store's to say.
 */
export interface EventDraft {
  /** Missing: assigned by the store and visible in what `append` returns. Known with equal content: the stored event is returned. */
  readonly id?: string;
  /** Missing: the event is a turn of its own, over at once. */
  readonly invocation?: string;
  /** Missing: the root lane. */
  readonly lane?: Lane;
  /** Missing: the role's name. */
  readonly author?: string;
  readonly role: Role;
  /** A string stands for one text part. */
  readonly content: string | readonly DraftPart[];
  readonly reply?: string;
  readonly createdAt?: string;
  readonly usage?: Usage;
  readonly finish?: Finish;
  readonly longRunning?: readonly string[];
  readonly asks?: readonly Ask[];
  readonly answers?: readonly string[];
  readonly metadata?: JsonObject;
}
