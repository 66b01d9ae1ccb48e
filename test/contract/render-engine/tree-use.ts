import { describe, expect, it } from 'vitest';
import { SetpointError } from '../../../src/model/index.ts';
import { memoryTree, recordingTree } from '../../support/memory-tree.ts';
import { chart, chartFile, configMap, failureOf, helm, kustomize, render, type Subject } from './subject.ts';

const elsewhere = { 'other/secret.yaml': 'x', 'README.md': 'x', 'charts/api/Chart.yaml': chartFile };

export function testTreeUse({ engine }: Subject): void {
  describe('the tree', () => {
    it('is read for all of a chart and nothing outside it', async () => {
      const files = { ...elsewhere, ...chart({ 'values.yaml': 'a: 1\n', 'templates/a.yaml': configMap('a'), 'templates/_help.tpl': '', 'conf/x.txt': 'x', 'charts/sub/Chart.yaml': chartFile.replace('shop', 'sub') }) };
      const { tree, asked } = recordingTree(memoryTree(files));
      await render(engine(), helm(), tree);
      const read = new Set(asked.filter(({ ask }) => ask === 'read').map(({ path }) => path));
      expect([...read].toSorted()).toEqual(Object.keys(files).filter((path) => path.startsWith('charts/web/')).toSorted());
      expect(asked.filter(({ path }) => path !== 'charts/web' && !path.startsWith('charts/web/'))).toEqual([]);
      expect(asked).toContainEqual({ ask: 'list', path: 'charts/web/templates' });
    });

    it('is read for what a kustomization names and nothing else', async () => {
      const files = {
        ...elsewhere,
        'over/kustomization.yaml': 'resources: [../base, own.yaml]\nconfigMapGenerator: [{name: m, files: [f=m.txt]}]\n',
        'over/own.yaml': configMap('own'),
        'over/m.txt': 'm',
        'over/unused.yaml': 'x',
        'base/kustomization.yaml': 'resources: [a.yaml]\n',
        'base/a.yaml': configMap('a'),
        'base/unused.yaml': 'x',
      };
      const { tree, asked } = recordingTree(memoryTree(files));
      await render(engine(), kustomize('over'), tree);
      const read = new Set(asked.filter(({ ask }) => ask === 'read').map(({ path }) => path));
      expect([...read].toSorted()).toEqual(['base/a.yaml', 'base/kustomization.yaml', 'over/kustomization.yaml', 'over/m.txt', 'over/own.yaml']);
      expect(asked.filter(({ path }) => /other|README|charts|unused/.test(path))).toEqual([]);
    });

    it('is asked for the other names of a kustomization, which would change the result', async () => {
      const { tree, asked } = recordingTree(memoryTree({ 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': configMap('a') }));
      await render(engine(), kustomize('k'), tree);
      const looked = new Set(asked.map(({ ask, path }) => (ask === 'list' ? `${path}/` : path)));
      expect(looked.has('k/') || (looked.has('k/kustomization.yml') && looked.has('k/Kustomization'))).toBe(true);
    });

    it('is asked for what a kustomization names and is not there', async () => {
      const { tree, asked } = recordingTree(memoryTree({ 'k/kustomization.yaml': 'resources: [gone.yaml]\n' }));
      await failureOf(render(engine(), kustomize('k'), tree));
      expect(asked.map(({ path }) => path)).toContain('k/gone.yaml');
    });

    it('has links, to files and to folders, which are what they lead to', async () => {
      const linked = chart({ 'templates/a.yaml': { link: '../../../shared/a.yaml' }, 'files': { link: '../../shared' }, 'templates/b.yaml': 'kind: B\nx: {{ .Files.Get "files/x.txt" }}\n' });
      const shared = { 'shared/a.yaml': configMap('linked'), 'shared/x.txt': 'through the link' };
      const { text } = await render(engine(), helm(), { ...linked, ...shared });
      expect(text).toContain('name: linked\n');
      expect(text).toContain('x: through the link\n');
      const over = { ...shared, 'k/kustomization.yaml': 'resources: [a.yaml, base]\n', 'k/a.yaml': { link: '../shared/a.yaml' }, 'k/base': { link: '../base' }, 'base/kustomization.yaml': 'resources: [b.yaml]\n', 'base/b.yaml': configMap('b') };
      expect((await render(engine(), kustomize('k'), over)).text).toBe(`${configMap('b')}---\n${configMap('linked')}`);
    });

    const wrongLinks = [
      { what: 'an absolute link', link: '/etc/hostname' },
      { what: 'a link that leads out', link: '../../../../etc/hostname' },
      { what: 'a link to nothing', link: 'gone' },
      { what: 'a link to itself', link: 'a.yaml' },
    ];
    it.each(wrongLinks)('has $what, and its own error comes through', async ({ link }) => {
      const inChart = await failureOf(render(engine(), helm(), chart({ 'templates/a.yaml': { link } })));
      const inKustomization = await failureOf(render(engine(), kustomize('k/x'), { 'k/x/kustomization.yaml': 'resources: [a.yaml]\n', 'k/x/a.yaml': { link } }));
      expect([inChart.code, inKustomization.code]).toEqual(['PathInvalid', 'PathInvalid']);
    });

    it('has a submodule in a chart, and its own error comes through', async () => {
      expect((await failureOf(render(engine(), helm(), chart({ 'charts/sub': { submodule: true } })))).code).toBe('PathInvalid');
    });

    it('has a folder that holds itself, which is too large', async () => {
      const { code } = await failureOf(render(engine(), helm(), chart({ 'templates/a.yaml': configMap('a'), 'files/again': { link: '..' } })));
      expect(['SourceTooLarge', 'PathInvalid']).toContain(code);
    });

    const nowhere = [
      { what: 'no folder', files: { 'x/y': '' }, wanted: 'PathNotFound' },
      { what: 'an empty folder', files: { 'charts/web/x': '' }, wanted: 'RenderFailed' },
      { what: 'a file in the place of the folder', files: { 'charts/web': '' }, wanted: 'PathNotFound' },
    ];
    it.each(nowhere)('has $what where a chart or kustomization is wanted', async ({ files, wanted }) => {
      for (const request of [helm(), kustomize('charts/web')]) {
        const { code, message } = await failureOf(render(engine(), request, files));
        expect([code, message]).toEqual([wanted, expect.stringContaining('charts/web')]);
      }
    });

    it.each(['typeOf', 'list', 'read'] as const)('fails in %s, and the very error comes through', async (ask) => {
      const error = new SetpointError('RepositoryUnreachable', 'the tree is gone');
      const files = { ...chart({ 'templates/a.yaml': { link: '../../../k/a.yaml' } }), 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': configMap('a') };
      const broken = { ...memoryTree(files), [ask]: () => Promise.reject(error) };
      for (const request of ask === 'list' ? [helm()] : [helm(), kustomize('k')]) {
        expect(await failureOf(render(engine(), request, broken))).toBe(error);
      }
    });
  });
}
