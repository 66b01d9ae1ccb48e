import { describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../../src/render/engine/engine.ts';
import { memoryTree, recordingTree } from '../../support/memory-tree.ts';
import { waitFor } from '../../support/wait-for.ts';
import { chart, configMap, failureOf, helm, kustomize, render, stillRenders, type EngineLimits, type Subject } from './subject.ts';

const endless = chart({ 'templates/a.yaml': 'x: {{ range $i := until 100000 }}{{ range $j := until 100000 }}{{ end }}{{ end }}\n' });
const huge = chart({ 'templates/a.yaml': 'kind: A\nx: {{ repeat 200000 "x" }}\n' });
const hungry = chart({ 'templates/a.yaml': '{{ $x := "0123456789abcdef" }}{{ range until 40 }}{{ $x = cat $x $x }}{{ end }}x: {{ len $x }}\n' });

export function testFailures({ engine, open }: Subject): void {
  const openOwn = async (limits: EngineLimits): Promise<Engine> => {
    const own = await open(limits);
    onTestFinished(() => own.close());
    return own;
  };

  describe('after a failure', () => {
    it('of an endless chart at the deadline, the next render is fine', async () => {
      const own = await openOwn({ deadlineMs: 4_000 });
      await stillRenders(own);
      const started = performance.now();
      const { code } = await failureOf(render(own, helm(), endless));
      expect(code).toBe('RenderTimeout');
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(await stillRenders(own)).toBe(true);
    });

    it('of an endless chart that is aborted, the reason comes back and the next render is fine', async () => {
      const own = await openOwn({});
      const reason = new Error('no longer wanted');
      const abort = new AbortController();
      const { tree, asked } = recordingTree(memoryTree(endless));
      const outcome = own.render(helm(), tree, abort.signal).catch((error: unknown) => error);
      await waitFor(() => asked.some(({ ask }) => ask === 'read'), { what: 'the chart to be read' });
      abort.abort(reason);
      expect(await outcome).toBe(reason);
      expect(await stillRenders(own)).toBe(true);
    });

    it('of a signal that was aborted before, nothing is asked and the next render is fine', async () => {
      const reason = new Error('never wanted');
      await expect(engine().render(helm(), memoryTree({}), AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await stillRenders(engine())).toBe(true);
    });

    it('of a chart that prints too much, the next render is fine', async () => {
      const own = await openOwn({ outputBytes: 100_000 });
      expect((await failureOf(render(own, helm(), huge))).code).toBe('SourceTooLarge');
      expect(await stillRenders(own)).toBe(true);
    });

    it('of a chart that takes all memory, the next render is fine', async () => {
      expect((await failureOf(render(engine(), helm(), hungry))).code).toBe('SourceTooLarge');
      expect(await stillRenders(engine())).toBe(true);
    });

    it('of any other kind, the next render is fine', async () => {
      await failureOf(render(engine(), helm(), chart({ 'templates/a.yaml': '{{ nope }}' })));
      await failureOf(render(engine(), kustomize('k'), { 'k/kustomization.yaml': 'resources: [gone]\n' }));
      expect(await stillRenders(engine())).toBe(true);
    });
  });

  it('forgets the schema that a kustomization brought', async () => {
    await render(engine(), kustomize('k'), { 'k/kustomization.yaml': 'resources: [a.yaml]\nopenapi: {path: a.json}\n', 'k/a.json': '{"definitions": {}}', 'k/a.yaml': configMap('a') });
    const pod = (containers: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n${containers}`;
    const files = { 'k/kustomization.yaml': 'resources: [p.yaml]\npatches: [{path: q.yaml}]\n', 'k/p.yaml': pod('  - image: a\n    name: a\n'), 'k/q.yaml': pod('  - image: b\n    name: b\n') };
    expect((await render(engine(), kustomize('k'), files)).text).toBe(pod('  - image: b\n    name: b\n  - image: a\n    name: a\n'));
  });

  it('renders several at once, each with its own answer', async () => {
    const texts = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => (await render(engine(), helm(), chart({ 'templates/a.yaml': configMap(name) }))).text),
    );
    expect(texts).toEqual(['a', 'b', 'c', 'd'].map((name) => `---\n# Source: shop/templates/a.yaml\n${configMap(name)}`));
  });

  it('ends what runs when it is closed, and renders nothing after', async () => {
    const own = await openOwn({});
    const { tree, asked } = recordingTree(memoryTree(endless));
    const rendering = failureOf(render(own, helm(), tree));
    await waitFor(() => asked.some(({ ask }) => ask === 'read'), { what: 'the chart to be read' });
    await own.close();
    await expect(rendering).resolves.toBeInstanceOf(Error);
    await expect(render(own, helm(), huge)).rejects.toThrow(/closed/);
  });
}
