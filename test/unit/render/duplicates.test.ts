import { expect, test } from 'vitest';
import type { KubeObject } from '../../../src/model/index.ts';
import { findDuplicates } from '../../../src/render/index.ts';

function objectOf(text: string): KubeObject {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = text.split(' ');
  return { apiVersion, kind, metadata: { name, ...(namespace === '-' ? {} : { namespace }) } };
}

const duplicates = (...texts: readonly string[]): readonly string[] =>
  findDuplicates(texts.map((text, at) => ({ origin: `${at + 1}.yaml#1`, object: objectOf(text) })), 'default').map(({ severity, origin, message }) => `${severity} ${origin} ${message.match(/\d\.yaml#1/)?.[0] ?? ''}`);

test.each<[string, readonly string[], readonly string[]]>([
  ['the same name', ['v1 ConfigMap a x', 'v1 ConfigMap a x'], ['error 2.yaml#1 1.yaml#1']],
  ['a name three times', ['v1 ConfigMap a x', 'v1 ConfigMap a x', 'v1 ConfigMap a x'], ['error 2.yaml#1 1.yaml#1', 'error 3.yaml#1 1.yaml#1']],
  ['the default namespace left out', ['v1 ConfigMap - x', 'v1 ConfigMap default x'], ['error 2.yaml#1 1.yaml#1']],
  ['an empty namespace', ['v1 ConfigMap  x', 'v1 ConfigMap default x'], ['error 2.yaml#1 1.yaml#1']],
  ['another version of the group', ['apps/v1 Deployment a x', 'apps/v1beta1 Deployment a x'], ['error 2.yaml#1 1.yaml#1']],
  ['another group', ['v1 Event a x', 'events.k8s.io/v1 Event a x'], []],
  ['another namespace', ['v1 ConfigMap a x', 'v1 ConfigMap b x'], []],
  ['another kind', ['v1 ConfigMap a x', 'v1 Secret a x'], []],
])('%s', (_name, texts, expected) => {
  expect(duplicates(...texts)).toEqual(expected);
});
