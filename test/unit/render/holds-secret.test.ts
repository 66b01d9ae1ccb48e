import { expect, test } from 'vitest';
import { holdsSecret } from '../../../src/render/holds-secret.ts';

test.each([
  ['kind: Secret', true],
  ['kind:   "Secret"', true],
  ["'kind': 'Secret'", true],
  ['{"kind":"Secret","data":{}}', true],
  ['{"kind" : "Secret"}', true],
  ['kind: !!str Secret', true],
  ['kind: &k Secret', true],
  ['kind: SecretList', true],
  ['kind: ConfigMap', false],
  ['kind: SecretStore', false],
  ['kind: SecretProviderClass', false],
  ['imagePullSecrets: [{ name: Secret }]', false],
  ['secretKeyRef: { name: keys }', false],
  ['', false],
])('%j: %s', (text, expected) => {
  expect(holdsSecret(text)).toBe(expected);
  expect(holdsSecret(Buffer.from(text))).toBe(expected);
});
