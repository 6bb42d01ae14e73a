/** What is wrong with a request as JSON, whatever the provider: values JSON drops, and text that is not well-formed. */
export function checkJson(value: unknown, path = ''): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value === 'string') return value.isWellFormed() ? [] : [`${path}: text is not well-formed`];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path}: is not a JSON number`];
  if (Array.isArray(value)) return value.flatMap((item, index) => checkJson(item, `${path}[${index}]`));
  if (typeof value !== 'object') return [`${path}: is not JSON`];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key.isWellFormed() ? [] : [`${path}: a key is not well-formed`]),
    ...checkJson(item, `${path}.${key.slice(0, 40)}`),
  ]);
}
