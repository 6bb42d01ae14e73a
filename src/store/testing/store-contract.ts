import { appendCases } from './append-cases.ts';
import { atRootCases } from './at-root-cases.ts';
import { commitCases } from './commit-cases.ts';
import { contentCases } from './content-cases.ts';
import type { ContractCase } from './contract-case.ts';
import { forkCases } from './fork-cases.ts';
import { invocationCases } from './invocation-cases.ts';
import { lastingCases } from './lasting-cases.ts';
import { leaseCases } from './lease-cases.ts';
import { linkingCases } from './linking-cases.ts';
import { overCases } from './over-cases.ts';
import { pinCases } from './pin-cases.ts';
import { readingCases } from './reading-cases.ts';
import { searchCases } from './search-cases.ts';
import { spendCases } from './spend-cases.ts';
import { undoCases } from './undo-cases.ts';
import { viewCases } from './view-cases.ts';

/**
 * Every promise of the `SessionStore` contract as a case to run on a store of yours, with whatever test runner. A case
 * rejects with an `AssertionError` when its promise is broken.
 *
 * ```ts no-run
 * import { test } from 'node:test';
 * import { MemoryStore } from 'palimpsest';
 * import { storeContract } from 'palimpsest/testing';
 *
 * const harness = { open: async (clock: () => number) => new MemoryStore({ clock }) };
 * for (const { name, needs, run } of storeContract()) {
 *   if (needs === null) test(name, () => run(harness));
 * }
 * ```
 */
export function storeContract(): readonly ContractCase[] {
  return [
    ...appendCases,
    ...contentCases,
    ...linkingCases,
    ...invocationCases,
    ...readingCases,
    ...viewCases,
    ...leaseCases,
    ...commitCases,
    ...spendCases,
    ...undoCases,
    ...atRootCases,
    ...overCases,
    ...pinCases,
    ...forkCases,
    ...searchCases,
    ...lastingCases,
  ];
}
