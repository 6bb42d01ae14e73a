import type { ToolNaming } from '../tool-names.ts';

/** Text; `thought` is the model's own. Empty only where a signature came with nothing else. */
export interface GeminiText {
  text: string;
  thought?: boolean;
  thoughtSignature?: string;
}

/** Bytes, or the address of a file. */
export type GeminiMedia =
  | { inlineData: { mimeType: string; data: string } }
  | { fileData: { mimeType?: string; fileUri: string } };

/** A call of a function, with the signature it came with. */
export interface GeminiFunctionCall {
  functionCall: { id: string; name: string; args: { [key: string]: unknown } };
  thoughtSignature?: string;
}

/** What a function gave: an object; `output` and `error` are the names the API knows. */
export interface GeminiFunctionResponse {
  functionResponse: { id: string; name: string; response: { [key: string]: unknown } };
}

/** What a user turn holds; responses come first. */
export type GeminiUserPart = GeminiFunctionResponse | GeminiText | GeminiMedia;
/** What a model turn holds. */
export type GeminiModelPart = GeminiText | GeminiFunctionCall;

/** One turn; roles alternate, a user's is first. */
export type GeminiContent =
  | { role: 'user'; parts: GeminiUserPart[] }
  | { role: 'model'; parts: GeminiModelPart[] };

/** The part of a `generateContent` request that a prompt decides. */
export interface GeminiRequest {
  /** Missing where there are no instructions; `config.systemInstruction` of the SDK. */
  systemInstruction?: { parts: { text: string }[] };
  contents: GeminiContent[];
}

/** https://ai.google.dev/api/caching#FunctionDeclaration */
export const GEMINI_NAMING: ToolNaming = {
  name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  maxNameLength: 64,
  maxIdLength: 64,
};
