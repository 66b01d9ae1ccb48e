import { describe, expect, test } from 'vitest';
import { isReference } from '../../../src/server/providers/reference.ts';
import { isSecret, isSigned, sha256Digits } from '../../../src/server/providers/signature.ts';
import { isStandardSigned, isUsableSecret } from '../../../src/server/providers/standard-webhooks.ts';

describe('HMAC-SHA256 in hexadecimal digits', () => {
  const published = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const secret = "It's a Secret to Everybody";

  test('the vector that GitHub publishes', () => {
    expect(isSigned(Buffer.from('Hello, World!'), sha256Digits(published), [secret])).toBe(true);
    expect(isSigned(Buffer.from('Hello, World'), sha256Digits(published), [secret])).toBe(false);
    expect(isSigned(Buffer.from('Hello, World!'), sha256Digits(published), ['another'])).toBe(false);
  });

  test('case 2 of RFC 4231', () => {
    expect(isSigned('what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', ['Jefe'])).toBe(true);
  });

  test.each([undefined, '', 'sha256=', 'sha1=757107ea0eb2509fc211221cce984b8a37570b6d', published.slice(7), `${published}0`, published.slice(0, -1), ` ${published}`, `${published}, ${published}`, published.replace('7571', '757g')])(
    '%s is no signature',
    (header) => {
      expect(isSigned(Buffer.from('Hello, World!'), sha256Digits(header), [secret])).toBe(false);
    },
  );
});

test.each([
  ['one', ['one'], true],
  ['one', ['two', 'one'], true],
  ['one', ['two'], false],
  ['on', ['one'], false],
  ['', [''], false],
  [undefined, ['', 'undefined'], false],
])('%s among %j: %s', (given, secrets, same) => {
  expect(isSecret(given, secrets)).toBe(same);
});

describe('Standard Webhooks', () => {
  // The example of the convention's own libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = Buffer.from('{"test": 2432232314}');
  const headers = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330', 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
  const now = 1_614_265_330_000;
  const verify = (changes: Readonly<Record<string, string | undefined>>, credentials: { readonly secrets?: readonly string[]; readonly now?: number } = {}): boolean =>
    isStandardSigned({ headers: { ...headers, ...changes }, body }, { secrets: [secret], now, ...credentials });

  test('the published vector', () => {
    expect(verify({})).toBe(true);
  });

  test('one of several signatures and one of several secrets suffice', () => {
    expect(verify({ 'webhook-signature': `v1,${'A'.repeat(43)}= v1a,xyz ${headers['webhook-signature']}` }, { secrets: [`whsec_${'B'.repeat(32)}`, secret] })).toBe(true);
  });

  test.each([
    [-300_000, true],
    [300_000, true],
    [-300_001, false],
    [300_001, false],
    [86_400_000, false],
  ])('%d ms after it was signed: %s', (later, valid) => {
    expect(verify({}, { now: now + later })).toBe(valid);
  });

  test.each([
    ['another id', { 'webhook-id': 'msg_other' }],
    ['no id', { 'webhook-id': undefined }],
    ['another time', { 'webhook-timestamp': '1614265331' }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time that is no number', { 'webhook-timestamp': '1614265330.0' }],
    ['a time with a sign', { 'webhook-timestamp': '+1614265330' }],
    ['a time beyond all numbers', { 'webhook-timestamp': '9'.repeat(400) }],
    ['no signature', { 'webhook-signature': undefined }],
    ['another version', { 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') }],
    ['a signature cut short', { 'webhook-signature': 'v1,g0hM9SsE' }],
    ['nothing but a version', { 'webhook-signature': 'v1,' }],
  ])('%s is refused', (_name, changes) => {
    expect(verify(changes)).toBe(false);
  });

  test.each([
    ['plain text', true],
    [secret, true],
    ['', false],
    [' \n', false],
    ['whsec_', false],
    ['whsec_====', false],
    ['whsec_c2hvcnQ=', false],
    ['whsec_not base64, not base64, not base64', false],
  ])('%j can be a secret: %s', (text, usable) => {
    expect(isUsableSecret(text)).toBe(usable);
  });
});

test.each([
  ['refs/heads/main', true],
  ['refs/heads/feature/über-1', true],
  ['refs/tags/v1.2.3', true],
  ['refs/environments/prod', true],
  ['main', false],
  ['refs/', false],
  ['refs/heads/', false],
  ['refs//heads', false],
  ['refs/heads/a..b', false],
  ['refs/heads/a b', false],
  ['refs/heads/a\nb', false],
  ['refs/heads/.a', false],
  ['refs/heads/a.lock', false],
  ['refs/heads/a@{1}', false],
  ['refs/heads/*', false],
  [`refs/heads/${'a'.repeat(600)}`, false],
  [null, false],
  [7, false],
])('%j is the full name of a reference: %s', (name, valid) => {
  expect(isReference(name)).toBe(valid);
});
