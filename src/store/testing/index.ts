export type { ContractCase, StoreHarness } from './contract-case.ts';
export { storeContract } from './store-contract.ts';
