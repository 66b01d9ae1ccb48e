import { expect, test } from 'vitest';
import { nearestName } from '../../../src/cli/status-nearest-name.ts';

test.each<[string, string, readonly string[], string | undefined]>([
  ['two letters swapped', 'wbe', ['cart', 'web'], 'web'],
  ['one letter short', 'checkou', ['cart', 'checkout'], 'checkout'],
  ['one letter too many', 'carts', ['cart', 'checkout'], 'cart'],
  ['another case', 'Web', ['web'], 'web'],
  ['the nearest of several', 'shop/wab', ['shop/wax', 'shop/web', 'shop/wabs'], 'shop/wax'],
  ['nothing alike', 'ledger', ['cart', 'web'], undefined],
  ['nothing at all', 'web', [], undefined],
])('%s', (_name, meant, names, nearest) => {
  expect(nearestName(meant, names)).toBe(nearest);
});
