import { describe, expect, test } from 'vitest';
import { renderPlain, type Rendered } from '../../../src/render/index.ts';

function render(text: string, path = 'web/app.yaml'): Rendered {
  return renderPlain([{ path, content: Buffer.from(text) }]);
}

test('each document knows its file and its place in it', () => {
  const { documents } = render('kind: A\napiVersion: v1\nmetadata: {name: a}\n---\n# nothing\n---\nkind: B\napiVersion: v1\nmetadata: {name: b}\n');
  expect(documents.map(({ origin, object }) => [origin, object.kind])).toEqual([['web/app.yaml#1', 'A'], ['web/app.yaml#3', 'B']]);
});

test('lists stand for their items, however deep', () => {
  const role = { metadata: { name: 'r' } };
  const list = { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleList', items: [role] }] };
  expect(render(JSON.stringify(list)).documents.map(({ object }) => object)).toEqual([{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', ...role }]);
});

test('one broken document does not lose the others', () => {
  const { documents, findings } = render('kind: A\napiVersion: v1\nmetadata: {name: a}\n---\na: [\n');
  expect(documents).toHaveLength(1);
  expect(findings).toMatchObject([{ severity: 'error', origin: 'web/app.yaml#2' }]);
});

describe('what is no Kubernetes object is said so', () => {
  test.each([
    ['a: 1', 'apiVersion is missing'],
    ['apiVersion: v1\nmetadata: {name: a}', 'kind is missing'],
    ['apiVersion: v1\nkind: A', 'metadata is missing'],
    ['apiVersion: v1\nkind: A\nmetadata: {}', 'metadata.name is missing'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: 12}', 'metadata.name is missing or no string'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: 12}', 'metadata.namespace is no string'],
    ['- a', 'a Kubernetes object is wanted, got a list'],
    ['just text', 'a Kubernetes object is wanted, got a string'],
  ])('%j', (text, message) => {
    expect(render(text).findings).toMatchObject([{ severity: 'error', message: expect.stringContaining(message) as string }]);
  });
});

test('a generated name has no identity to compare', () => {
  const { documents, findings } = render('apiVersion: v1\nkind: A\nmetadata: {generateName: a-}');
  expect(documents).toEqual([]);
  expect(findings).toMatchObject([{ severity: 'warning' }]);
});

test.each(['', '# only a comment\n', '---\n---\n'])('%j is an error, not an empty success', (text) => {
  expect(() => render(text)).toThrow('nothing to compare');
});

test.each(['kustomization.yaml', 'web/kustomization.yml', 'Chart.yaml'])('%s is named as not rendered', (path) => {
  expect(() => render('a: 1', path)).toThrow(path);
});
