import { expect, it } from 'vitest';
import { shortIds } from './pick.ts';

it('shortens ids by their ends, as far as they still differ', () => {
  const ids = ['0193-7000-aaaa-11112222', '0193-7001-aaaa-33332222', '0193-7002-aaab-33332222'];
  expect([...shortIds(ids).values()]).toEqual(['11112222', 'a-33332222', 'b-33332222']);
});

it('leaves short ids whole', () => {
  expect([...shortIds(['r1', 'r2']).values()]).toEqual(['r1', 'r2']);
});
