import { CALL_ID, type ToolNaming } from '../tool-names.ts';

/** What is wrong with the ids and names of calls, in the order of the request. */
export class CallNames {
  readonly #naming: ToolNaming;
  readonly #seen = new Set<string>();

  constructor(naming: ToolNaming) {
    this.#naming = naming;
  }

  check(path: string, id: string, name: string): string[] {
    const { maxIdLength, name: pattern, maxNameLength } = this.#naming;
    const problems: string[] = [];
    if (!CALL_ID.test(id) || id.length > maxIdLength) problems.push(`${path}: call id is not legal`);
    if (this.#seen.has(id)) problems.push(`${path}: call id repeats`);
    this.#seen.add(id);
    if (!pattern.test(name) || name.length > maxNameLength) problems.push(`${path}: tool name is not legal`);
    return problems;
  }
}

/** What is wrong with the results of a run of calls: exactly one each, and no other. */
export function checkResults(path: string, calls: readonly string[], results: readonly string[]): string[] {
  const problems: string[] = [];
  const counts = new Map(calls.map((call) => [call, 0]));
  for (const result of results) {
    const count = counts.get(result);
    if (count === undefined) problems.push(`${path}: a result has no call before it`);
    else counts.set(result, count + 1);
  }
  for (const count of counts.values()) {
    if (count !== 1) problems.push(`${path}: a call has ${count} results`);
  }
  return problems;
}
