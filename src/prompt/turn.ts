import type { Seq } from '../event/ids.ts';
import type { JsonValue } from '../event/json.ts';
import type {
  MediaPart,
  OpaquePart,
  ProviderState,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolInput,
} from '../event/part.ts';

/** Text or media as a user's message holds it. `labelled`: the text before it names it, so that it may be left out. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly media: MediaPart; readonly labelled: boolean };

/** A call the reader's own reply made. */
export interface Call {
  readonly type: 'call';
  /** Unique in the prompt. */
  readonly key: string;
  /** As stored: any text, not unique. */
  readonly id: string;
  /** As stored: any text. */
  readonly name: string;
  readonly input: ToolInput;
  readonly providerState?: ProviderState;
}

/** What is shown as the result of a call: the freshest, or words for why there is none. */
export interface Result {
  readonly call: Call;
  readonly isError: boolean;
  readonly output: { readonly json: JsonValue } | { readonly blocks: readonly Block[] };
}

/** One piece of a reply, in the order the model gave it. */
export type ReplyBlock = TextPart | ReasoningPart | RefusalPart | OpaquePart | Call;

/** One reply of the reader's, whole, and a result for each of its calls, in the order of the calls. */
export interface ReplyTurn {
  readonly kind: 'reply';
  readonly seq: Seq;
  readonly author: string;
  readonly blocks: readonly ReplyBlock[];
  readonly results: readonly Result[];
}

/** What has the authority of a user's message. */
export interface UserTurn {
  readonly kind: 'user';
  /** A user's own words; something quoted (another agent, a tool); or words of the engine. */
  readonly origin: 'user' | 'quote' | 'engine';
  readonly seq: Seq;
  readonly author: string;
  readonly blocks: readonly Block[];
}

/** Adjacent summaries: one message, one block a record. */
export interface SummariesTurn {
  readonly kind: 'summaries';
  readonly texts: readonly string[];
}

/** The application's instructions; never a summary. */
export interface SystemTurn {
  readonly kind: 'system';
  readonly seq: Seq;
  readonly texts: readonly string[];
}

/** A prompt in the one form all providers are made from. A reply and its results are one turn, so nothing parts them. */
export type Turn = SystemTurn | SummariesTurn | UserTurn | ReplyTurn;
