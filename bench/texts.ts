/** A number generator that gives the same numbers on every run: figures of two runs are of the same input. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Kinds of text that conversations of agents are made of. */
export type TextKind = 'prose' | 'code' | 'toolJson' | 'japanese' | 'log';

const WORDS: Readonly<Record<'prose' | 'names' | 'japanese', readonly string[]>> = {
  prose:
    'the payment service fails after the update because its connection closes too early so we should raise the timeout retry once and write a test that would have caught this before anyone releases it again please check whether the staging database shows the same errors and tell me what you find in the logs of yesterday evening'.split(
      ' ',
    ),
  names:
    'userId createdAt orderTotal status items shippingAddress retryCount payload session_key response fetchUser handleError parseConfig buildIndex isValid nextCursor'.split(
      ' ',
    ),
  japanese:
    'ユーザー は 決済 モジュール の エラー を 修正 する よう に 依頼 しました 。 ログ を 確認 した 結果 、 データベース 接続 が 早く 閉じ すぎ ます'.split(
      ' ',
    ),
};

/** A text of a kind, of at least so many characters. */
export function textOf(kind: TextKind, characters: number, random: () => number): string {
  const lines: string[] = [];
  for (let length = 0; length < characters; ) {
    const line = lineOf(kind, random);
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

function lineOf(kind: TextKind, random: () => number): string {
  switch (kind) {
    case 'prose':
      return `${words(WORDS.prose, 12 + random() * 20, ' ', random)}.`;
    case 'japanese':
      return words(WORDS.japanese, 20 + random() * 20, '', random);
    case 'code':
      return `  const ${pick(WORDS.names, random)} = await ${pick(WORDS.names, random)}(${pick(WORDS.names, random)}, { ${pick(WORDS.names, random)}: ${Math.floor(random() * 1_000)} });`;
    case 'toolJson':
      return JSON.stringify({
        id: `res_${Math.floor(random() * 1e9).toString(36)}`,
        [pick(WORDS.names, random)]: Math.round(random() * 1e5) / 100,
        [pick(WORDS.names, random)]: pick(WORDS.prose, random),
        date: `2026-05-${10 + Math.floor(random() * 20)}T08:00:00Z`,
        tags: [pick(WORDS.prose, random), pick(WORDS.prose, random)],
      });
    case 'log':
      return `2026-05-${10 + Math.floor(random() * 20)} 08:${10 + Math.floor(random() * 50)} INFO src/${pick(WORDS.names, random)}.ts:${Math.floor(random() * 400)} ${words(WORDS.prose, 8, ' ', random)}`;
    default:
      return kind satisfies never;
  }
}

function words(from: readonly string[], count: number, separator: string, random: () => number): string {
  return Array.from({ length: Math.floor(count) }, () => pick(from, random)).join(separator);
}

/** One of a list. */
export function pick<Item>(from: readonly Item[], random: () => number): Item {
  return from[Math.floor(random() * from.length)] as Item;
}
