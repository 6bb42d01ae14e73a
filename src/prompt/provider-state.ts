import type { JsonObject, JsonValue } from '../event/json.ts';
import type { ProviderState, ReasoningPart } from '../event/part.ts';
import { wellFormedJson } from './well-formed-json.ts';

/** Whether a JSON value is an object. */
export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A thinking block as Anthropic wants it back, to the byte. */
export type AnthropicThinking =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/** The reasoning as Anthropic's thinking block, or null where Anthropic did not sign it. */
export function anthropicThinking(part: ReasoningPart): AnthropicThinking | null {
  const state = part.providerState;
  if (state?.provider !== 'anthropic' || !isJsonObject(state.json)) return null;
  const { signature, data } = state.json;
  // A signature over text that cannot be sent as it is would be refused.
  if (isToken(signature) && part.text.isWellFormed())
    return { type: 'thinking', thinking: part.text, signature };
  return isToken(data) ? { type: 'redacted_thinking', data } : null;
}

/** The thought signature Gemini gave with a part, if it gave one. */
export function geminiSignature(state: ProviderState | undefined): string | null {
  if (state?.provider !== 'gemini' || !isJsonObject(state.json)) return null;
  const { thoughtSignature } = state.json;
  return isToken(thoughtSignature) ? thoughtSignature : null;
}

/** The output item of OpenAI's Responses API a part came from, if it is of that type. */
export function openAIItem(state: ProviderState | undefined, type: string): JsonObject | null {
  if (state?.provider !== 'openai' || !isJsonObject(state.json) || state.json['type'] !== type) return null;
  const item = wellFormedJson(state.json);
  return isJsonObject(item) ? item : null;
}

/** Whether a value can be sent back as it came. */
function isToken(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}
