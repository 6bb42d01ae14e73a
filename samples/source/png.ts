/**
 * A bar chart as a real PNG. Pixels are two bits each, and the deflate stream uses stored blocks only: compressors differ
 * between versions of zlib and the sample must not.
 */
const palette: readonly (readonly [number, number, number])[] = [
  [250, 250, 247],
  [58, 110, 165],
  [200, 52, 44],
  [176, 180, 184],
];
const PAPER = 0;
const BAR = 1;
const LIMIT = 2;
const AXIS = 3;

export function barChart(values: readonly number[], limit: number): Uint8Array<ArrayBuffer> {
  const width = 144;
  const height = 52;
  const pixels = new Uint8Array(width * height).fill(PAPER);
  const paint = (x: number, y: number, colour: number): void => {
    if (x >= 0 && x < width && y >= 0 && y < height) pixels[y * width + x] = colour;
  };
  const bottom = height - 4;
  const row = (value: number): number => bottom - Math.round((value * (bottom - 3)) / 112);
  for (const [index, value] of values.entries()) {
    const left = 8 + index * 12;
    for (let x = left; x < left + 8; x++) {
      for (let y = row(value); y < bottom; y++) paint(x, y, value > limit && y < row(limit) ? LIMIT : BAR);
    }
  }
  for (let x = 5; x < width - 3; x++) {
    paint(x, bottom, AXIS);
    if (x % 3 !== 0) paint(x, row(limit), LIMIT);
  }
  for (let y = 3; y <= bottom; y++) paint(5, y, AXIS);
  return encode(pixels, width, height);
}

function encode(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const stride = Math.ceil(width / 4) + 1;
  const raw = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + 1 + (x >> 2);
      raw[at] = (raw[at] ?? 0) | ((pixels[y * width + x] ?? 0) << (6 - 2 * (x & 3)));
    }
  }
  const header = bytes(...word(width), ...word(height), 2, 3, 0, 0, 0);
  return concat(
    bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('PLTE', bytes(...palette.flat())),
    chunk('IDAT', stored(raw)),
    chunk('IEND', bytes()),
  );
}

function stored(raw: Uint8Array): Uint8Array {
  if (raw.length > 0xffff) throw new Error('one stored block holds 65,535 bytes');
  let a = 1;
  let b = 0;
  for (const byte of raw) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  const low = raw.length & 0xff;
  const high = raw.length >> 8;
  return concat(
    bytes(0x78, 0x01, 0x01, low, high, low ^ 0xff, high ^ 0xff),
    raw,
    bytes(...word(((b << 16) | a) >>> 0)),
  );
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = concat(bytes(...Array.from(name, (letter) => letter.charCodeAt(0))), data);
  return concat(bytes(...word(data.length)), body, bytes(...word(crc32(body))));
}

function crc32(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function word(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function bytes(...values: number[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(values);
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
