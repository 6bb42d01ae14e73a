import type { JsonObject, JsonValue } from '../../event/json.ts';
import type { ToolCallPart, ToolInput } from '../../event/part.ts';
import { isJsonObject, openAIItem } from '../provider-state.ts';
import { parsedObject } from '../tool-input.ts';
import { cutText, type Measure, type TextCut, type WeighedText, weigh } from './cut-texts.ts';
import { fairShare } from './fair-share.ts';
import { mapTexts } from './map-texts.ts';

/** Shorter texts name things. */
const LEAST_CUT = 200;
/** Tokens that leave something to read around a marker. */
const LEAST_SHARE = 64;

/**
 * How a call's arguments are cut to a room: to a legal JSON object for every provider. Its long texts are cut where that
 * is enough, so that a path beside a file's content stays whole; else its JSON is, as one text: `{ raw }`. The arguments of
 * a tool that takes free text stay free text. What is costly is done once, when first wanted.
 */
export function inputCutter(
  { input, providerState }: ToolCallPart,
  event: TextCut['event'],
  measure: Measure,
): (room: number) => ToolInput {
  if ('raw' in input && openAIItem(providerState, 'custom_tool_call') !== null) {
    const text = weigh(input.raw, measure);
    return (room) => Object.freeze({ raw: cutText(text, { event, measure, room }) });
  }
  const inJson: Measure = (text) => measure(JSON.stringify(text));
  const object = 'raw' in input ? parsedObject(input.raw) : isJsonObject(input.json) ? input.json : null;
  const cutObject = object === null ? null : objectCutter(object, event, measure);
  const frame = measure(JSON.stringify({ raw: '' }));
  let text: WeighedText | null = null;
  return (room) => {
    const json = cutObject?.(room) ?? null;
    if (json !== null) return Object.freeze({ json });
    text ??= weigh('raw' in input ? input.raw : JSON.stringify(input.json), inJson);
    const raw = cutText(text, { event, measure: inJson, room: room - frame });
    return Object.freeze({ json: Object.freeze({ raw }) });
  };
}

/** Cuts the long texts in an object so that its JSON is within a room; null where they are not what makes it large. */
function objectCutter(
  object: JsonObject,
  event: TextCut['event'],
  measure: Measure,
): (room: number) => JsonValue | null {
  const inJson: Measure = (text) => measure(JSON.stringify(text));
  const texts: WeighedText[] = [];
  const rest = mapTexts(object, (text) => {
    if (text.length < LEAST_CUT) return text;
    texts.push(weigh(text, inJson));
    return '';
  });
  const restTokens = measure(JSON.stringify(rest));
  const tokens = texts.map((text) => text.tokens);
  return (room) => {
    const share = fairShare(tokens, room - restTokens);
    if (share < LEAST_SHARE) return null;
    let at = 0;
    const json = mapTexts(object, (text) => {
      if (text.length < LEAST_CUT) return text;
      const weighed = texts[at];
      at += 1;
      return weighed === undefined ? text : cutText(weighed, { event, measure: inJson, room: share });
    });
    return json !== null && measure(JSON.stringify(json)) <= room ? json : null;
  };
}
