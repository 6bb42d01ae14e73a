import type { MediaPart } from '../event/part.ts';
import { wholeCharacterEnd } from '../tokens/cut-text.ts';
import { oneLine, quoteName } from './one-line.ts';

/** A media part that may be sent as it is: its type is a MIME type, its bytes are base64, its address is absolute. */
export interface SendableMedia {
  readonly kind: MediaPart['kind'];
  /** Lower case, without parameters; '' where an address came without one. */
  readonly mimeType: string;
  readonly name: string;
  readonly source:
    | { readonly type: 'data'; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
}

/** Image types every provider here takes. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

const MIME_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const ADDRESS = /^(?:https?|gs):\/\/[^\s\p{Cc}]+$/iu;
const DATA_URL = /^data:([^;,]{1,127})(?:;[^;,]{1,127})*;base64$/i;
const ADDRESS_LIMIT = 512;
const NAME_LIMIT = 128;

/** The part, checked; null where a provider would refuse it, whatever the provider. */
export function sendable(part: MediaPart): SendableMedia | null {
  const name = part.name === undefined ? '' : oneLine(cut(part.name, NAME_LIMIT));
  const { kind } = part;
  if (part.data !== undefined) return inline(kind, part.mimeType, part.data, name);
  if (part.url === undefined) return null;
  if (/^data:/i.test(part.url)) {
    const comma = part.url.indexOf(',');
    const head = comma > 512 ? null : DATA_URL.exec(part.url.slice(0, Math.max(comma, 0)));
    return head === null ? null : inline(kind, head[1] ?? '', part.url.slice(comma + 1), name);
  }
  if (!part.url.isWellFormed() || !ADDRESS.test(part.url)) return null;
  return { kind, mimeType: mimeTypeOf(part.mimeType) ?? '', name, source: { type: 'url', url: part.url } };
}

function inline(kind: MediaPart['kind'], type: string, data: string, name: string): SendableMedia | null {
  const mimeType = mimeTypeOf(type);
  if (mimeType === null || data.length % 4 !== 0 || !BASE64.test(data)) return null;
  return { kind, mimeType, name, source: { type: 'data', data } };
}

function mimeTypeOf(type: string): string | null {
  const bare = type.slice(0, NAME_LIMIT).split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type.length > NAME_LIMIT || !MIME_TYPE.test(bare)) return null;
  return bare === 'image/jpg' ? 'image/jpeg' : bare;
}

/** Whether it is an image of a type every provider takes; an address without a type is taken at its word. */
export function isCommonImage({ kind, mimeType, source }: SendableMedia): boolean {
  return (
    kind === 'image' &&
    (IMAGE_TYPES.some((type) => type === mimeType) || (source.type === 'url' && mimeType === ''))
  );
}

/** Whether it can be fetched over the web. */
export function isWebAddress({ source }: SendableMedia): boolean {
  return source.type === 'url' && /^https?:/i.test(source.url);
}

/** `data:image/png;base64,…` */
export function dataUrl(mimeType: string, data: string): string {
  return `data:${mimeType};base64,${data}`;
}

function cut(text: string, limit: number): string {
  return text.slice(0, wholeCharacterEnd(text, limit));
}

/** What stands for media where it cannot be sent: kind, type, name and address, on one line, cut. */
export function mediaLabel(part: MediaPart): string {
  return `[${aboutMedia(part).join(' ')}]`;
}

/** What stands for media that is too large to be shown: as {@link mediaLabel}, with the size of what it holds. */
export function sizedMediaLabel(part: MediaPart): string {
  const bytes = mediaBytes(part);
  return `[${[...aboutMedia(part), ...(bytes === null ? [] : [`${bytes} bytes`])].join(' ')}]`;
}

/** Bytes of the data it holds; null where it holds an address. */
function mediaBytes({ data, url }: MediaPart): number | null {
  const text =
    data ?? (url !== undefined && /^data:/i.test(url) ? url.slice(url.indexOf(',') + 1) : undefined);
  if (text === undefined) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor((text.length * 3) / 4) - padding;
}

function aboutMedia({ kind, mimeType, name, url }: MediaPart): readonly string[] {
  const about = [kind, mimeTypeOf(mimeType) ?? quoteName(mimeType)];
  if (name !== undefined) about.push(quoteName(name));
  if (url !== undefined && !/^data:/i.test(url)) {
    about.push(url.isWellFormed() && ADDRESS.test(url) ? cut(url, ADDRESS_LIMIT) : quoteName(url));
  }
  return about;
}
