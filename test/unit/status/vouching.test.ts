import { expect, test } from 'vitest';
import { isVouchedFor, vouchingIn, vouchingText } from '../../../src/status/index.ts';

test.each([
  { namespaces: 'all', except: [] },
  { namespaces: ['shop', 'prod'], except: ['shop/web'] },
  { namespaces: [], except: [] },
] as const)('what an agent vouches for is read back as it was said: %o', (vouching) => {
  expect(vouchingIn(vouchingText(vouching))).toEqual(vouching);
});

test('where hardly anything can be written, nothing is vouched for', () => {
  const vouching = vouchingIn(vouchingText({ namespaces: 'all', except: Array.from({ length: 201 }, (_, at) => `shop/a${at}`) }));
  expect(vouching && isVouchedFor(vouching, { id: 'shop/other', namespace: 'shop' })).toBe(false);
});

test.each(['', 'x', '7', 'null', '{}', '{"namespaces":"some","except":[]}', '{"namespaces":"all"}', '{"namespaces":7,"except":[]}'])('what is no such thing says nothing: %s', (text) => {
  expect(vouchingIn(text)).toBeUndefined();
});
