import { describe, expect, test } from 'vitest';
import type { Engine, EngineRequest, HelmRequest, KustomizeRequest } from '../../../src/render/engine/engine.ts';
import { rememberOutputs } from '../../../src/render/engine/remember-outputs.ts';
import type { ContentCache } from '../../../src/render/content-cache.ts';
import { memoryTree, type MemoryFiles } from '../../support/memory-tree.ts';

const { signal } = new AbortController();

interface Kept {
  readonly stored: Map<string, string>;
  readonly renders: () => number;
  engine(version?: string): Engine;
}

function kept(): Kept {
  const stored = new Map<string, string>();
  let renders = 0;
  const cache: Pick<ContentCache, 'get' | 'replace'> = { get: (key) => Promise.resolve(stored.get(key)), replace: (key, text) => void stored.set(key, text) };
  const engine = (version = '1'): Engine =>
    rememberOutputs(
      {
        version: () => Promise.resolve(version),
        async render(_request, tree) {
          renders += 1;
          return { text: Buffer.from(await tree.read('web/a')).toString(), origins: ['web/a', undefined] };
        },
        close: () => Promise.resolve(),
      },
      cache as ContentCache,
    );
  return { stored, renders: () => renders, engine };
}

const helm: HelmRequest = {
  type: 'helm', chart: 'web', releaseName: 'r', namespace: 'n', kubeVersion: undefined, apiVersions: [], skipCrds: false, skipTests: false, skipSchemaValidation: false,
  valueFiles: [{ name: 'v', content: Buffer.from('a: 1') }], values: undefined, parameters: [], fileParameters: [],
};
const kustomize: KustomizeRequest = { type: 'kustomize', folder: 'web', kustomization: { path: 'web/kustomization.yaml', content: Buffer.from('{}') } };
const files: MemoryFiles = { 'web/a': 'one', 'web/b': 'x' };

test('another process with the same files and version renders nothing, and gets the same', async () => {
  const { engine, renders } = kept();
  const first = await engine().render(helm, memoryTree(files), signal);
  const second = await engine().render(helm, memoryTree({ ...files, 'web/b': 'unseen', c: '' }), signal);
  expect(renders()).toBe(1);
  expect(second).toStrictEqual(first);
});

describe('it renders again', () => {
  test.each<[string, EngineRequest, MemoryFiles, string]>([
    ['for another file content', helm, { ...files, 'web/a': 'two' }, '1'],
    ['with another engine', helm, files, '2'],
    ['for other values', { ...helm, values: 'a: 2' }, files, '1'],
    ['for another value file', { ...helm, valueFiles: [{ name: 'v', content: Buffer.from('a: 2') }] }, files, '1'],
    ['for another parameter', { ...helm, parameters: [{ name: 'a', value: 'b', forceString: true }] }, files, '1'],
    ['for another Kubernetes version', { ...helm, kubeVersion: 'v1' }, files, '1'],
    ['for another kind', kustomize, files, '1'],
  ])('%s', async (_name, request, changed, version) => {
    const { engine, renders } = kept();
    await engine().render(helm, memoryTree(files), signal);
    await engine(version).render(request, memoryTree(changed), signal);
    expect(renders()).toBe(2);
  });

  test('for another kustomization', async () => {
    const { engine, renders } = kept();
    await engine().render(kustomize, memoryTree(files), signal);
    await engine().render({ ...kustomize, kustomization: { path: 'web/kustomization.yaml', content: Buffer.from('{"a":1}') } }, memoryTree(files), signal);
    expect(renders()).toBe(2);
  });

  test.each(['', 'no json', 'null', '1', '[]', '{}', '{"output":{}}', '{"output":{"text":"x"}}', '{"output":{"text":"x","origins":[]}}', '{"observations":{},"output":{"text":"x","origins":[]}}'])('when the cache has %j', async (text) => {
    const { engine, renders, stored } = kept();
    await engine().render(helm, memoryTree(files), signal);
    for (const key of stored.keys()) stored.set(key, text);
    expect(await engine().render(helm, memoryTree(files), signal)).toMatchObject({ text: 'one' });
    expect(renders()).toBe(2);
  });
});

test('a failure is not kept', async () => {
  const { engine, stored } = kept();
  await expect(engine().render(helm, memoryTree({}), signal)).rejects.toMatchObject({ code: 'PathNotFound' });
  expect(stored.size).toBe(0);
});

test('an output with a Secret in it is not kept', async () => {
  const { stored, renders, engine } = kept();
  const tree = memoryTree({ 'web/a': 'apiVersion: v1\nkind: Secret\ndata: { a: Zm9v }\n' });
  await engine().render(helm, tree, signal);
  await engine().render(helm, tree, signal);
  expect(stored.size).toBe(0);
  expect(renders()).toBe(2);
});
