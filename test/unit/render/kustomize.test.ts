import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, KustomizeOptions } from '../../../src/model/index.ts';
import { editKustomization, kustomizeRequest } from '../../../src/render/kustomize.ts';
import { memoryTree } from '../../support/memory-tree.ts';

interface Edit {
  readonly kustomization: JsonObject;
  readonly options: KustomizeOptions;
  readonly edited?: JsonObject;
  readonly refused?: true;
}

// Recorded from the edit commands of kustomize 5.8.1, as Argo CD runs them.
const edits = JSON.parse(readFileSync(new URL('../../fixtures/kustomize-edits.json', import.meta.url), 'utf8')) as readonly Edit[];

/** False is the same as nothing said. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, item: unknown) => (item === false ? undefined : item)));
}

describe('a kustomization is changed as kustomize edit changes it', () => {
  const named = (isRefused: boolean): readonly [string, Edit][] =>
    edits.filter(({ refused = false }) => refused === isRefused).map((edit) => [`${JSON.stringify(edit.options)} on ${JSON.stringify(edit.kustomization)}`, edit]);

  test.each(named(false))('%s', (_name, { kustomization, options, edited }) => {
    const given = structuredClone(kustomization);
    expect(plain(editKustomization(kustomization, options))).toEqual(plain(edited));
    expect(kustomization).toEqual(given);
  });

  test.each(named(true))('and refused where it refuses: %s', (_name, { kustomization, options }) => {
    expect(() => editKustomization(kustomization, options)).toThrow(expect.objectContaining({ code: 'RenderFailed' }));
  });
});

test('old fields are left as they are', () => {
  const old = { bases: ['../base'], imageTags: [{ name: 'a', newTag: '1' }], patchesStrategicMerge: ['p.yaml'], patchesJson6902: [{ path: 'j.yaml' }], vars: [] };
  expect(editKustomization(old, { namePrefix: 'x-', images: ['nginx:1'] })).toEqual({ ...old, namePrefix: 'x-', images: [{ name: 'nginx', newTag: '1' }] });
});

test('empty texts and lists ask for nothing', () => {
  const kustomization = { namePrefix: 'a-', nameSuffix: '-z', namespace: 'n' };
  const nothing = { namePrefix: '', nameSuffix: '', namespace: '', images: [], replicas: [], commonLabels: {}, commonAnnotations: {}, patches: [], components: [] };
  expect(editKustomization(kustomization, nothing)).toEqual(kustomization);
});

test('a label that is there with the same value is no conflict', () => {
  expect(editKustomization({ commonLabels: { a: '1' } }, { commonLabels: { a: '1' } })).toEqual({ commonLabels: { a: '1' } });
});

test('patches are added behind those that are there', () => {
  expect(editKustomization({ patches: [{ path: 'a.yaml' }] }, { patches: [{ patch: 'x' }] })).toEqual({ patches: [{ path: 'a.yaml' }, { patch: 'x' }] });
});

test.each(['-1', '1.5', 'three', '0x10', '1e3', ' 3', ''])('%j replicas are refused by name', (count) => {
  expect(() => editKustomization({}, { replicas: [{ name: 'web', count }] })).toThrow(/replicas of web: a whole number is wanted/);
});

describe('the request', () => {
  test('without options leaves the file to the engine', async () => {
    expect(await kustomizeRequest(memoryTree({ 'web/kustomization.yaml': 'x' }), 'web', {})).toEqual({ type: 'kustomize', folder: 'web', kustomization: undefined });
  });

  test.each([
    ['web', 'web/kustomization.yaml'],
    ['web', 'web/kustomization.yml'],
    ['web', 'web/Kustomization'],
    ['', 'Kustomization'],
  ])('of %j changes %s where it is', async (folder, path) => {
    const { kustomization } = await kustomizeRequest(memoryTree({ [path]: 'resources: [a.yaml]' }), folder, { namespace: 'shop' });
    expect(kustomization?.path).toBe(path);
    expect(JSON.parse(new TextDecoder().decode(kustomization?.content))).toEqual({ resources: ['a.yaml'], namespace: 'shop' });
  });

  test.each([
    ['no file', {}, 'PathNotFound', 'web has no kustomization.yaml'],
    ['a list', { 'web/kustomization.yaml': '- a' }, 'RenderFailed', 'one map'],
    ['two documents', { 'web/kustomization.yaml': 'a: 1\n---\nb: 2' }, 'RenderFailed', 'one map'],
    ['broken YAML', { 'web/kustomization.yaml': 'a: [' }, 'RenderFailed', 'web/kustomization.yaml: line'],
  ])('with %s is refused', async (_name, files, code, message) => {
    await expect(kustomizeRequest(memoryTree({ 'web/x.txt': '', ...files }), 'web', { namespace: 'n' })).rejects.toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  test('leaves missing components out only when asked to', async () => {
    const tree = memoryTree({ 'web/kustomization.yaml': '{}', 'parts/tls/kustomization.yaml': '{}' });
    const components = ['../parts/tls', '../parts/none'];
    const built = async (options: KustomizeOptions): Promise<unknown> => JSON.parse(new TextDecoder().decode((await kustomizeRequest(tree, 'web', options)).kustomization?.content));
    expect(await built({ components })).toEqual({ components });
    expect(await built({ components, ignoreMissingComponents: true })).toEqual({ components: ['../parts/tls'] });
    await expect(built({ components: ['../../out'], ignoreMissingComponents: true })).rejects.toMatchObject({ code: 'PathInvalid' });
  });
});
