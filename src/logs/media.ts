import type { MediaPart } from '../event/part.ts';

/** What kind of media a MIME type is; a document where it is neither image nor sound. */
export function mediaKind(mimeType: string): MediaPart['kind'] {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType.startsWith('audio/') ? 'audio' : 'document';
}

/** Media from a base64 text. */
export function mediaFromData(mimeType: string, data: string, name?: string): MediaPart {
  return {
    type: 'media',
    kind: mediaKind(mimeType),
    mimeType,
    data,
    ...(name === undefined ? {} : { name }),
  };
}

/** Media from a URL; a base64 `data:` URL becomes its data and its own MIME type. */
export function mediaFromUrl(mimeType: string, url: string, name?: string): MediaPart {
  const named = name === undefined ? {} : { name };
  if (url.startsWith('data:')) {
    const comma = url.indexOf(',');
    const header = url.slice(5, Math.max(5, comma));
    if (comma !== -1 && header.endsWith(';base64')) {
      const semicolon = header.indexOf(';');
      const type = semicolon > 0 ? header.slice(0, semicolon) : mimeType;
      return { type: 'media', kind: mediaKind(type), mimeType: type, data: url.slice(comma + 1), ...named };
    }
  }
  return { type: 'media', kind: mediaKind(mimeType), mimeType, url, ...named };
}
