import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeaders, signingKey } from '../../../src/notify/sign-webhook.ts';

const content = { id: 'evt_01JC8Z9K7Q', timestamp: 1794826000, body: '{}' };
const key = (secret: string): Buffer => signingKey(secret) ?? Buffer.alloc(0);
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3';

test('the signature is that of the design', () => {
  expect(signatureHeaders(content, [key(secret)])).toEqual({
    'webhook-id': 'evt_01JC8Z9K7Q',
    'webhook-timestamp': '1794826000',
    'webhook-signature': 'v1,j0JCao6ttQIgMVqeo294ehDBiajd6t35k6Hr53HaV3k=',
  });
});

test('two secrets give two signatures, in their order', () => {
  const other = Buffer.from('another-key-of-24-bytes!');
  const expected = createHmac('sha256', other).update('evt_01JC8Z9K7Q.1794826000.{}').digest('base64');
  expect(signatureHeaders(content, [key(secret), other])['webhook-signature']).toBe(`v1,j0JCao6ttQIgMVqeo294ehDBiajd6t35k6Hr53HaV3k= v1,${expected}`);
});

test('without a secret there is no signature', () => {
  expect(signatureHeaders(content, [])).toEqual({ 'webhook-id': 'evt_01JC8Z9K7Q', 'webhook-timestamp': '1794826000' });
});

test.each([
  ['with its prefix', secret, true],
  ['without its prefix', 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3', true],
  ['with padding', `whsec_${Buffer.alloc(25, 7).toString('base64')}`, true],
  ['that is too short', `whsec_${Buffer.alloc(23, 7).toString('base64')}`, false],
  ['that is no base64', 'whsec_this is just some password!!', false],
  ['that is empty', 'whsec_', false],
])('a secret %s is a key: %s', (_what, text, isKey) => {
  expect(signingKey(text) !== undefined).toBe(isKey);
});
