/** What a part carries for one provider alone. */
export type AiSdkProviderOptions = { [provider: string]: { [key: string]: string } };

/** Text. */
export interface AiSdkText {
  type: 'text';
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

/** Base64, or an address as text (the SDK tells them apart), so that a prompt stays JSON. */
export interface AiSdkFile {
  type: 'file';
  data: string;
  mediaType: string;
  filename?: string;
}

/** Reasoning, with what its provider wants back. */
export interface AiSdkReasoning {
  type: 'reasoning';
  text: string;
  providerOptions: AiSdkProviderOptions;
}

/** A call of a tool. */
export interface AiSdkToolCall {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: { [key: string]: unknown };
  providerOptions?: AiSdkProviderOptions;
}

/** JSON as the SDK's types have it. It is the stored value itself, frozen; the SDK only reads it. */
export type AiSdkJson = null | boolean | number | string | AiSdkJson[] | { [key: string]: AiSdkJson };

/** The result of a call. Text or JSON: what media it holds follow in a user message, since not every provider takes them here. */
export interface AiSdkToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string } | { type: 'json' | 'error-json'; value: AiSdkJson };
}

/** One message: assignable to the SDK's `ModelMessage`. */
export type AiSdkMessage =
  | { role: 'user'; content: (AiSdkText | AiSdkFile)[] }
  | { role: 'assistant'; content: (AiSdkText | AiSdkReasoning | AiSdkToolCall)[] }
  | { role: 'tool'; content: AiSdkToolResult[] };

/** The part of a `generateText` or `streamText` call that a prompt decides. */
export interface AiSdkPrompt {
  /** Missing where there are no instructions. The SDK refuses system messages among `messages`. */
  system?: { role: 'system'; content: string }[];
  messages: AiSdkMessage[];
}
