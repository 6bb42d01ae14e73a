/** An endless supply of texts, each once: `prefix` and a number padded to `digits`. */
export function countingTexts(prefix: string, digits: number): () => string {
  let last = 0;
  return () => {
    last += 1;
    return prefix + String(last).padStart(digits, '0');
  };
}
