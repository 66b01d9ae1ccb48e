import { describe, expect, test } from 'vitest';
import type { HelmOptions } from '../../../src/model/index.ts';
import type { HelmRequest } from '../../../src/render/engine/engine.ts';
import { helmRequest } from '../../../src/render/helm.ts';
import { resolvePath } from '../../../src/render/resolve-path.ts';
import { memoryTree, recordingTree, type MemoryFiles } from '../../support/memory-tree.ts';

const chart: MemoryFiles = { 'charts/web/Chart.yaml': 'name: web', 'charts/web/values-prod.yaml': 'a: prod', 'envs/eu.yaml': 'a: eu', 'secret.txt': 'canary' };
const context = { name: 'shop', namespace: 'shop-ns', capabilities: undefined };

function requestWith(options: HelmOptions, { files = chart, lent = {} }: { readonly files?: MemoryFiles; readonly lent?: MemoryFiles } = {}): Promise<HelmRequest> {
  return helmRequest({ tree: memoryTree(files), path: 'charts/web', options, refs: new Map([['values', memoryTree(lent)]]) }, context);
}

const texts = ({ valueFiles }: HelmRequest): readonly string[] => valueFiles.map(({ content }) => new TextDecoder().decode(content));

test('value files are read from the chart, the root and other sources, in the order given', async () => {
  const request = await requestWith({ valueFiles: ['values-prod.yaml', '/envs/eu.yaml', '../../envs/eu.yaml', '$values/prod.yaml'] }, { lent: { 'prod.yaml': 'a: lent' } });
  expect(texts(request)).toEqual(['a: prod', 'a: eu', 'a: eu', 'a: lent']);
  expect(request.valueFiles.map(({ name }) => name)).toEqual(['values-prod.yaml', '/envs/eu.yaml', '../../envs/eu.yaml', '$values/prod.yaml']);
});

test('file parameters are read the same way', async () => {
  const { fileParameters } = await requestWith({ fileParameters: [{ name: 'cert', path: '/envs/eu.yaml' }, { name: 'key', path: '$values/k' }] }, { lent: { k: 'key' } });
  expect(fileParameters).toEqual([{ name: 'cert', content: 'a: eu' }, { name: 'key', content: 'key' }]);
});

test('a missing value file is named with where it was looked for, unless it may be missing', async () => {
  await expect(requestWith({ valueFiles: ['no.yaml'] })).rejects.toMatchObject({ code: 'PathNotFound', message: expect.stringContaining('charts/web/no.yaml') as string });
  expect(texts(await requestWith({ valueFiles: ['no.yaml', 'values-prod.yaml'], ignoreMissingValueFiles: true }))).toEqual(['a: prod']);
  await expect(requestWith({ fileParameters: [{ name: 'a', path: 'no' }], ignoreMissingValueFiles: true })).rejects.toMatchObject({ code: 'PathNotFound' });
});

test('a ref that no source has is named with those that are there', async () => {
  await expect(requestWith({ valueFiles: ['$other/prod.yaml'] })).rejects.toMatchObject({ code: 'PathInvalid', message: expect.stringMatching(/\$other.*\$values/) as string });
});

const escapes: readonly string[] = [
  '../../../secret.txt',
  '/../secret.txt',
  '/../../etc/passwd',
  '%2e%2e/%2e%2e/secret.txt',
  '..%2f..%2fsecret.txt',
  'file:///etc/passwd',
  'FILE://localhost/etc/passwd',
  'https://example.com/values.yaml',
  'git+ssh://h/x',
  '\0../../secret.txt',
  '../../secret.txt\0.yaml',
  '..\\..\\secret.txt',
  '\\\\host\\share',
  '\u00c0\u00ae\u00c0\u00ae/\u00c0\u00ae\u00c0\u00ae/secret.txt',
  '\u2025/secret.txt',
  'sub/..',
  'x/../..',
  '',
  '.',
  '$values/../..',
  '$values/../secret.txt',
  '$values/..\\secret.txt',
  '$values',
  '$values/',
  '$/secret.txt',
  '$values/%2e%2e/secret.txt',
  '\ud800/secret.txt',
  '../../secret.txt\n',
];

describe('no way of writing a path leaves the source, and the canary is never read', () => {
  const code = /^Path(?:Invalid|NotFound)$/;

  test.each(escapes)('%j as a value file', async (file) => {
    const { tree, asked } = recordingTree(memoryTree(chart));
    const lent = recordingTree(memoryTree({ 'prod.yaml': '' }));
    const request = helmRequest({ tree, path: 'charts/web', options: { valueFiles: [file] }, refs: new Map([['values', lent.tree]]) }, context);
    await expect(request).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
    expect([...asked, ...lent.asked].filter(({ path }) => path === 'secret.txt')).toEqual([]);
  });

  test.each(escapes)('%j as a file parameter', async (path) => {
    await expect(requestWith({ fileParameters: [{ name: 'a', path }], ignoreMissingValueFiles: true })).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
  });

  test.each(['/etc/passwd', '../../../../../../etc/passwd', 'loop'])('a value file that is a link to %s', async (link) => {
    const files = { ...chart, 'charts/web/loop': { link: 'loop' }, 'charts/web/values.yaml': { link } };
    await expect(requestWith({ valueFiles: ['values.yaml'], ignoreMissingValueFiles: true }, { files })).rejects.toMatchObject({ code: 'PathInvalid' });
  });
});

test.each([
  ['a', 'b.yaml', 'a/b.yaml'],
  ['a/b', '../c.yaml', 'a/c.yaml'],
  ['a/b', '/c.yaml', 'c.yaml'],
  ['', './/x/./y.yaml', 'x/y.yaml'],
  ['a', '../a/../b', 'b'],
  ['a', 'mailto:x', 'a/mailto:x'],
])('in %j, %j is %s', (folder, written, expected) => {
  expect(resolvePath(folder, written)).toBe(expected);
});

describe('what the chart is told', () => {
  test('comes from the application where nothing is stated', async () => {
    expect(await requestWith({})).toMatchObject({ releaseName: 'shop', namespace: 'shop-ns', kubeVersion: undefined, apiVersions: [], skipCrds: false, skipTests: false, skipSchemaValidation: false, values: undefined });
    expect(await requestWith({ releaseName: '', namespace: '', kubeVersion: '', apiVersions: [] })).toMatchObject({ releaseName: 'shop', namespace: 'shop-ns', apiVersions: [] });
  });

  test('is what is stated otherwise', async () => {
    const stated = { releaseName: 'r', namespace: 'n', kubeVersion: 'v1.30.0', apiVersions: ['x/v1'], skipCrds: true, skipTests: true, skipSchemaValidation: true, values: 'a: 1' };
    expect(await requestWith(stated)).toMatchObject(stated);
  });

  test('sets texts after all other parameters, as Helm does', async () => {
    const parameters = [{ name: 'a', value: '1', forceString: true }, { name: 'a', value: '2' }, { name: 'b', value: '3' }];
    expect((await requestWith({ parameters })).parameters.map(({ name, value, forceString }) => [name, value, forceString])).toEqual([['a', '2', false], ['b', '3', false], ['a', '1', true]]);
  });

  test.each<[string, HelmOptions, number]>([
    ['nothing is stated', {}, 1],
    ['one of both is stated', { kubeVersion: 'v1.30.0' }, 1],
    ['both are stated', { kubeVersion: 'v1.30.0', apiVersions: ['v1'] }, 0],
  ])('the cluster is asked %# when %s', async (_name, options, times) => {
    let asked = 0;
    const capabilities = () => {
      asked += 1;
      return Promise.resolve({ kubeVersion: 'v1.36.3', apiVersions: ['v1', 'apps/v1'] });
    };
    const request = await helmRequest({ tree: memoryTree(chart), path: 'charts/web', options, refs: new Map() }, { ...context, capabilities });
    expect(asked).toBe(times);
    expect(request.kubeVersion).toBe(options.kubeVersion ?? 'v1.36.3');
    expect(request.apiVersions).toEqual(options.apiVersions ?? ['v1', 'apps/v1']);
  });
});
