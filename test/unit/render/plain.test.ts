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

test('an item of a typed list may say its own kind', () => {
  const item = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
  expect(render(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMapList', items: [item] })).documents.map(({ object }) => object)).toEqual([item]);
});

test.each(['apiVersion: v1\nkind: ConfigMapList\nitems:', 'apiVersion: v1\nkind: List\nmetadata: {}\nitems: null'])('a list that a loop over nothing has left is empty: %j', (empty) => {
  const { documents, findings } = render(`${empty}\n---\nkind: A\napiVersion: v1\nmetadata: {name: a}\n`);
  expect(documents).toHaveLength(1);
  expect(findings).toEqual([]);
});

test('an object of a kind that is called a list is an object', () => {
  const allowed = { apiVersion: 'example.com/v1', kind: 'AllowList', metadata: { name: 'a' }, items: null };
  expect(render(JSON.stringify(allowed)).documents.map(({ object }) => object)).toEqual([allowed]);
});

test('a broken item of a list is a finding, the others are documents', () => {
  const items = [{ apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } }, 'text', null, { apiVersion: 'v1', kind: 'B' }];
  const { documents, findings } = render(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  expect(documents).toHaveLength(1);
  expect(findings.map(({ message }) => message)).toEqual(['a Kubernetes object is wanted, got a string', 'a Kubernetes object is wanted, got nothing', 'metadata is missing or no map in B']);
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
    ['apiVersion: v1\nkind: A\nmetadata: []', 'metadata is missing or no map'],
    ['apiVersion: v1\nkind: A\nmetadata: {}', 'metadata.name is missing'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: 12}', 'metadata.name is missing or no string'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: 12, generateName: a-}', 'metadata.name is missing or no string'],
    ['apiVersion: v1\nkind: A\nmetadata: {generateName: ""}', 'metadata.name is missing or no string'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: 12}', 'metadata.namespace is no string'],
    ['- a', 'a Kubernetes object is wanted, got a list'],
    ['just text', 'a Kubernetes object is wanted, got a string'],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n', 'is a Git LFS pointer'],
  ])('%j', (text, message) => {
    expect(render(text)).toMatchObject({ documents: [], findings: [{ severity: 'error', message: expect.stringContaining(message) as string }] });
  });
});

test.each(['{generateName: a-}', '{generateName: a-, name: ""}', '{generateName: a-, name: null}'])('a generated name has no identity to compare: %s', (metadata) => {
  const { documents, findings } = render(`apiVersion: v1\nkind: A\nmetadata: ${metadata}`);
  expect(documents).toEqual([]);
  expect(findings).toMatchObject([{ severity: 'warning' }]);
});

describe('a hook whose name is generated', () => {
  const hook = (annotation: string, more = ''): string => `apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: migrate-, annotations: {${annotation}: PreSync}}\n${more}`;
  const nameOf = (text: string): string | undefined => render(text).documents[0]?.object.metadata.name;

  test.each(['setpoint.dev/hook', 'argocd.argoproj.io/hook', 'helm.sh/hook'])('gets one of its own: %s', (annotation) => {
    const { documents, findings } = render(hook(annotation));
    expect(findings).toEqual([]);
    expect(documents[0]?.object.metadata).toEqual({ name: expect.stringMatching(/^migrate-[0-9a-f]{8}$/) as string, annotations: { [annotation]: 'PreSync' } });
  });

  test('keeps it whatever else it says, and shares it with no other', () => {
    const name = nameOf(hook('setpoint.dev/hook'));
    expect(nameOf(hook('setpoint.dev/hook', 'spec: {backoffLimit: 3}'))).toBe(name);
    const both = render(`${hook('setpoint.dev/hook')}---\n${hook('setpoint.dev/hook')}`).documents.map(({ object }) => object.metadata.name);
    expect(new Set(both).size).toBe(2);
  });

  test('has room for what is added to it', () => {
    expect(nameOf(hook('setpoint.dev/hook').replace('migrate-', 'x'.repeat(200)))).toHaveLength(48);
  });
});

test('a name wins over a generated one', () => {
  expect(render('apiVersion: v1\nkind: A\nmetadata: {generateName: a-, name: b}')).toMatchObject({ documents: [{ object: { metadata: { name: 'b' } } }], findings: [] });
});

test.each(['', '# only a comment\n', '---\n---\n', '{"apiVersion":"v1","kind":"List","items":[]}'])('%j is an error, not an empty success', (text) => {
  expect(() => render(text)).toThrow('nothing to compare');
});

test('no file at all is an error that says so', () => {
  expect(() => renderPlain([])).toThrow('no Kubernetes object in any file');
});
