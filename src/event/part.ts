import type { JsonValue } from './json.ts';

/**
 * State a provider wants back unchanged, on the part it came with. Never shown to a summarizer. What `json` holds:
 *
 * - `anthropic`, on reasoning: `{ signature }`, or `{ data }` of a redacted thinking block;
 * - `openai`, on any part: the whole output item of the Responses API (`reasoning`, `message`, `function_call`);
 * - `gemini`, on any part: `{ thoughtSignature }`.
 */
export interface ProviderState {
  /** Whose state it is: `anthropic`, `openai`, `gemini` … Another provider's request never carries it. */
  readonly provider: string;
  readonly json: JsonValue;
}

/** Prose. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerState?: ProviderState;
}

/** A model's reasoning; `text` is empty where the provider shows none of it. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly providerState?: ProviderState;
}

/** An image, sound or document: exactly one of `data` (base64, without a prefix) and `url`. */
export interface MediaPart {
  readonly type: 'media';
  readonly kind: 'image' | 'audio' | 'document';
  readonly mimeType: string;
  readonly data?: string;
  readonly url?: string;
  readonly name?: string;
}

/** A model's refusal to answer. */
export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

/** Code a model asked its provider to run. */
export interface CodePart {
  readonly type: 'code';
  readonly language: string;
  readonly code: string;
  readonly id?: string;
}

/** What code run by the provider gave. */
export interface CodeResultPart {
  readonly type: 'codeResult';
  readonly outcome: string;
  readonly output: string;
  readonly id?: string;
}

/** Arguments of a call: a JSON value, or the provider's text kept as it came (`raw`), which need not be JSON. */
export type ToolInput = { readonly json: JsonValue } | { readonly raw: string };

/** A request to run a tool. `id` is assigned by the store when a draft has none. */
export interface ToolCallPart {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly input: ToolInput;
  readonly providerState?: ProviderState;
}

/** What a tool gave: parts (text, media …) or a JSON value. */
export type ToolOutput = { readonly parts: readonly Part[] } | { readonly json: JsonValue };

/** The answer to a tool call. */
export interface ToolResultPart {
  readonly type: 'toolResult';
  readonly id: string;
  readonly name: string;
  readonly output: ToolOutput;
  readonly isError: boolean;
}

/** A part this project has no word for, kept as it came and rendered by its kind. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly provider: string;
  /** What the provider calls it, e.g. `compaction` or `web_search_call`. */
  readonly kind: string;
  readonly json: JsonValue;
}

/** One piece of an event's content. */
export type Part =
  | TextPart
  | ReasoningPart
  | MediaPart
  | RefusalPart
  | CodePart
  | CodeResultPart
  | ToolCallPart
  | ToolResultPart
  | OpaquePart;

/** Names of the part types, in the order of `Part`. */
export type PartType = Part['type'];
