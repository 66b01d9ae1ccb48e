import { describe, expect, test } from 'vitest';
import type { DirectoryOptions } from '../../../src/model/index.ts';
import { detectKind } from '../../../src/render/detect-kind.ts';
import { selectFiles, type SelectedFiles } from '../../../src/render/select-files.ts';
import { memoryTree, type MemoryFiles } from '../../support/memory-tree.ts';

const files: MemoryFiles = {
  'web/a.yaml': '', 'web/a/b.yml': '', 'web/a/deep/c.json': '', 'web/README.md': '', 'web/A.YAML': '', 'web/.hidden.yaml': '', 'web/a-b.yaml': '', 'web/x.yaml.bak': '', 'other/d.yaml': '', 'root.yaml': '',
};

function select(path: string, options: DirectoryOptions = {}, given = files): Promise<SelectedFiles> {
  return selectFiles(memoryTree(given), path, options);
}

test.each<[string, string, DirectoryOptions, readonly string[]]>([
  ['the folder only', 'web', {}, ['web/.hidden.yaml', 'web/a-b.yaml', 'web/a.yaml']],
  ['folders below too', 'web', { recurse: true }, ['web/.hidden.yaml', 'web/a-b.yaml', 'web/a.yaml', 'web/a/b.yml', 'web/a/deep/c.json']],
  ['what include names, from the folder', 'web', { recurse: true, include: 'a/*' }, ['web/a/b.yml', 'web/a/deep/c.json']],
  ['what exclude leaves', 'web', { recurse: true, exclude: '{a/*,.*}' }, ['web/a-b.yaml', 'web/a.yaml']],
  ['neither where exclude and include name it', 'web', { recurse: true, include: '*.yaml', exclude: 'a.yaml' }, ['web/.hidden.yaml', 'web/a-b.yaml']],
  ['everything for empty globs', 'web', { include: '', exclude: '' }, ['web/.hidden.yaml', 'web/a-b.yaml', 'web/a.yaml']],
  ['the root', '', {}, ['root.yaml']],
  ['one file that is named, whatever it is called', 'web/README.md', {}, ['web/README.md']],
  ['nothing where nothing fits', 'web', { include: 'none' }, []],
])('selects %s', async (_name, path, options, expected) => {
  expect(await select(path, options)).toEqual({ paths: expected, findings: [] });
});

test('a path that is not there is not found, by name', async () => {
  await expect(select('nope')).rejects.toMatchObject({ code: 'PathNotFound', message: expect.stringContaining('nope') as string });
});

test('a broken glob is refused', async () => {
  await expect(select('web', { exclude: '[' })).rejects.toMatchObject({ code: 'Usage' });
});

describe('charts and kustomizations among plain files', () => {
  test.each([['Chart.yaml', 'Helm chart'], ['kustomization.yaml', 'Kustomize'], ['kustomization.yml', 'Kustomize'], ['Kustomization', 'Kustomize']])('%s is refused with its folder named', async (name, what) => {
    const given = { ...files, [`web/sub/${name}`]: '' };
    await expect(select('web', { recurse: true }, given)).rejects.toMatchObject({ code: 'InvalidManifest', message: expect.stringMatching(`web/sub is a ${what}`) as string });
    expect((await select('web', {}, given)).paths).toContain('web/a.yaml');
    expect((await select('web', { recurse: true, exclude: 'sub/*' }, given)).paths).toContain('web/a.yaml');
  });
});

test('links to files are followed inside the source, others are findings', async () => {
  const given: MemoryFiles = {
    'web/good.yaml': { link: '../base/x.yaml' }, 'web/folder.yaml': { link: '../base' }, 'web/nowhere.yaml': { link: 'gone' }, 'web/out.yaml': { link: '../../out' }, 'web/abs.yaml': { link: '/etc/passwd' },
    'web/self.yaml': { link: 'self.yaml' }, 'web/dir': { link: '../base' }, 'web/mod': { submodule: true }, 'web/other.txt': { link: '/etc/passwd' }, 'base/x.yaml': '',
  };
  const { paths, findings } = await select('web', { recurse: true }, given);
  expect(paths).toEqual(['web/good.yaml']);
  expect(findings.map(({ severity, origin }) => `${severity} ${origin}`)).toEqual(['error web/abs.yaml', 'warning web/folder.yaml', 'warning web/mod', 'error web/nowhere.yaml', 'error web/out.yaml', 'error web/self.yaml']);
});

test('Jsonnet is not rendered, and that is told', async () => {
  const given = { ...files, 'web/app.jsonnet': '', 'web/lib.libsonnet': '' };
  expect(await select('web', {}, given)).toEqual({ paths: ['web/.hidden.yaml', 'web/a-b.yaml', 'web/a.yaml'], findings: [{ severity: 'warning', origin: 'web/app.jsonnet', message: 'is Jsonnet, which is not rendered: what it makes is not compared' }] });
  expect((await select('web', { include: '*.yaml' }, given)).findings).toEqual([]);
});

test('a folder of 50,001 manifests is too large, by name', async () => {
  const list = Array.from({ length: 50_001 }, (_, at) => ({ name: `${at}.yaml`, type: 'file' as const }));
  const tree = { ...memoryTree({ 'many/x': '' }), list: () => Promise.resolve(list) };
  await expect(selectFiles(tree, 'many', {})).rejects.toMatchObject({ code: 'SourceTooLarge', message: expect.stringContaining('50000') as string });
  expect((await selectFiles({ ...tree, list: () => Promise.resolve(list.slice(1)) }, 'many', {})).paths).toHaveLength(50_000);
});

test.each<[string, MemoryFiles, string, string]>([
  ['a chart', { 'w/Chart.yaml': '', 'w/a.yaml': '' }, 'w', 'helm'],
  ['a kustomization', { 'w/kustomization.yaml': '' }, 'w', 'kustomize'],
  ['a kustomization of another name', { 'w/Kustomization': '' }, 'w', 'kustomize'],
  ['both: Kustomize, as in Argo CD', { 'w/Chart.yaml': '', 'w/kustomization.yml': '' }, 'w', 'kustomize'],
  ['neither', { 'w/a.yaml': '', 'w/sub/Chart.yaml': '' }, 'w', 'directory'],
  ['the root', { 'Chart.yaml': '' }, '', 'helm'],
  ['a file', { 'w/Chart.yaml': '' }, 'w/Chart.yaml', 'directory'],
  ['a folder named like a chart', { 'w/Chart.yaml/x': '' }, 'w', 'directory'],
  ['nothing', {}, 'w', 'directory'],
])('%s is found out', async (_name, given, path, kind) => {
  expect(await detectKind(memoryTree(given), path, {})).toBe(kind);
  expect(await detectKind(memoryTree(given), path, { kind: 'kustomize' })).toBe('kustomize');
});
