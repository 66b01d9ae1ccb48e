import { expect, test } from 'vitest';
import { sameQuantity } from '../../../src/diff/quantity.ts';
import type { Json } from '../../../src/model/index.ts';

test.each<[Json, Json, string]>([
  ['1000m', '1', 'equal'],
  ['0.5Gi', '512Mi', 'equal'],
  ['1024Mi', '1Gi', 'equal'],
  ['1.5Gi', '1536Mi', 'equal'],
  ['1000M', '1G', 'equal'],
  ['0.1', '100m', 'equal'],
  ['+1', '1', 'equal'],
  ['1.', '1', 'equal'],
  ['.5', '500m', 'equal'],
  [1, '1', 'equal'],
  ['100e-2', '1e0', 'equal'],
  ['1000Mi', '1Gi', 'different'],
  ['1G', '1Gi', 'different'],
  ['1', '2', 'different'],
  ['-1', '1', 'different'],
  ['9007199254740993', '9007199254740992', 'different'],
  ['1Gi', '1073741824', 'unsure'],
  ['1k', '1e3', 'unsure'],
  ['1', 'one', 'unsure'],
  ['', '0', 'unsure'],
  ['0.0000000001', '0', 'unsure'],
  [true, '1', 'unsure'],
])('%j and %j are %s', (a, b, expected) => {
  expect(sameQuantity(a, b)).toBe(expected);
  expect(sameQuantity(b, a)).toBe(expected);
});
