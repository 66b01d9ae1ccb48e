import { expect, test } from 'vitest';
import { compareVersions } from '../../../../src/cluster/watch/resource-version.ts';

test.each<[string, string, number | undefined]>([
  ['9', '10', -1],
  ['10', '9', 1],
  ['10', '10', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['99999999999999999999', '100000000000000000000', -1],
  ['', '1', -1],
  ['1', '', 1],
  ['', '', 0],
  ['a7', 'b2', undefined],
  ['a7', 'a7', 0],
])('%j against %j is %s', (one, other, order) => {
  expect(compareVersions(one, other)).toBe(order);
});
