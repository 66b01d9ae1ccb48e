import { afterAll, describe, expect, test } from 'vitest';
import { SetpointError, type SourceTree } from '../../../src/model/index.ts';
import { createRenderer, createYamlReader, rememberRenders, type Capabilities, type OpenSource, type Renderer } from '../../../src/render/index.ts';
import type { Engine } from '../../../src/render/engine/engine.ts';
import { memoryTree, recordingTree, type MemoryFiles } from '../../support/memory-tree.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { manifest, randomEdit, randomTree } from './random-tree.ts';

const yaml = createYamlReader({ workers: 1 });
afterAll(() => yaml.close());
const { signal } = new AbortController();

/** Prints a chart's files and the values, and asks the tree only for them. */
const engine: Engine = {
  version: () => Promise.resolve('1'),
  async render(request, tree) {
    const folder = request.type === 'helm' ? request.chart : request.folder;
    const values = request.type === 'helm' ? [...request.valueFiles.map(({ content }) => Buffer.from(content).toString()), request.kubeVersion] : [];
    const text = Buffer.from(await tree.read(`${folder}/template.yaml`)).toString();
    return { text: `${text}---\n${manifest('values', 0)}x: ${JSON.stringify(values)}\n`, origins: [] };
  },
  close: () => Promise.resolve(),
};

interface Counted {
  readonly renders: () => number;
  readonly renderer: Renderer;
}

function counted(): Counted {
  let renders = 0;
  const renderer = rememberRenders(createRenderer({ engine, yaml, onRender: () => void (renders += 1) }));
  return { renders: () => renders, renderer };
}

const context = { name: 'app', namespace: 'default', capabilities: undefined };

async function outcome(renderer: Renderer, sources: readonly OpenSource[], given = context as Parameters<Renderer['render']>[1]): Promise<unknown> {
  return renderer.render(sources, given, signal).catch((error: unknown) => String(error));
}

function randomSources(random: SeededRandom, tree: SourceTree): readonly OpenSource[] {
  const folders = ['a', 'b', 'c', 'l', '', 'a/x.yaml', 'a/sub'];
  const path = folders[random.below(folders.length)] ?? '';
  return [{ tree, path, ref: undefined, options: { directory: { recurse: random.below(2) === 0, ...(random.below(3) === 0 ? { exclude: '*x.yaml' } : {}) } } }];
}

const random = seededRandom();
test.each(Array.from({ length: 60 }, (_, at) => [at]))(`random edits: a remembered render equals a fresh one, and a file nobody looked at costs none (seed ${random.seed}, %i)`, async () => {
  const { renderer, renders } = counted();
  const fresh = createRenderer({ engine, yaml });
  let files = randomTree(random);
  const [{ path, options } = { path: '', options: {} }] = randomSources(random, memoryTree(files));
  const sourcesOf = (tree: SourceTree): readonly OpenSource[] => [{ tree, path, ref: undefined, options }];
  for (let step = 0; step < 8; step += 1) {
    const before = renders();
    const seen = recordingTree(memoryTree(files));
    const expected = await outcome(fresh, sourcesOf(seen.tree));
    expect(await outcome(renderer, sourcesOf(memoryTree(files)))).toEqual(expected);
    // The same again, and with changes where the render did not look: nothing to do.
    const afterFirst = renders();
    expect(afterFirst - before).toBeLessThanOrEqual(1);
    const sawRoot = seen.asked.some(({ ask, path: at }) => ask === 'list' && at === '');
    const elsewhere = sawRoot ? files : { ...files, 'never/looked/at.yaml': manifest('new', step) };
    expect(await outcome(renderer, sourcesOf(memoryTree(elsewhere)))).toEqual(expected);
    expect(renders()).toBe(afterFirst);
    files = randomEdit(random, files);
  }
});

describe('an application', () => {
  const files: MemoryFiles = { 'web/Chart.yaml': 'x', 'web/template.yaml': manifest('t', 1), 'web/other.txt': '1', 'db/x.yaml': manifest('x', 1) };
  const lent: MemoryFiles = { 'prod.yaml': 'a: 1', 'other.yaml': 'b: 1' };
  const sourcesOf = (own: MemoryFiles, others = lent, valueFile = '$values/prod.yaml'): readonly OpenSource[] => [
    { tree: memoryTree(own), path: 'web', ref: undefined, options: { helm: { valueFiles: [valueFile] } } },
    { tree: memoryTree(others), path: undefined, ref: 'values', options: {} },
  ];

  test.each<[string, readonly OpenSource[], number]>([
    ['nothing changes', sourcesOf(files), 1],
    ['a file changes that the engine did not read', sourcesOf({ ...files, 'web/other.txt': '2', 'web/new.txt': '' }), 1],
    ['another folder changes', sourcesOf({ ...files, 'db/x.yaml': manifest('x', 2) }), 1],
    ['a file of the other source changes that nobody named', sourcesOf(files, { ...lent, 'other.yaml': 'b: 2' }), 1],
    ['a file changes that was read', sourcesOf({ ...files, 'web/template.yaml': manifest('t', 2) }), 2],
    ['a kustomization appears', sourcesOf({ ...files, 'web/kustomization.yaml': '' }), 2],
    ['a value file of another source changes', sourcesOf(files, { ...lent, 'prod.yaml': 'a: 2' }), 2],
    ['another value file is named', sourcesOf(files, lent, '$values/other.yaml'), 2],
  ])('is rendered as often as needed when %s', async (_name, sources, expected) => {
    const { renderer, renders } = counted();
    const first = await outcome(renderer, sourcesOf(files));
    const second = await outcome(renderer, sources);
    expect(renders()).toBe(expected);
    expect(second === first).toBe(expected === 1);
    expect(second).toEqual(await outcome(createRenderer({ engine, yaml }), sources));
  });

  test('is rendered anew when the cluster serves something else, and not before', async () => {
    const { renderer, renders } = counted();
    let version = 'v1.35.0';
    const capabilities = (): Promise<Capabilities> => Promise.resolve({ kubeVersion: version, apiVersions: ['v1'] });
    for (const next of ['v1.35.0', 'v1.35.0', 'v1.36.0', 'v1.36.0']) {
      version = next;
      await outcome(renderer, sourcesOf(files), { ...context, capabilities });
    }
    expect(renders()).toBe(2);
    await outcome(renderer, sourcesOf(files), context);
    expect(renders()).toBe(3);
    await outcome(renderer, sourcesOf(files), { ...context, capabilities });
    expect(renders()).toBe(4);
  });

  test('without a chart asks nothing of the cluster', async () => {
    const { renderer } = counted();
    const capabilities = (): Promise<Capabilities> => Promise.reject(new Error('asked'));
    const plain: readonly OpenSource[] = [{ tree: memoryTree(files), path: 'db', ref: undefined, options: {} }];
    for (let round = 0; round < 2; round += 1) expect(await outcome(renderer, plain, { ...context, capabilities })).toMatchObject({ documents: [{ origin: 'db/x.yaml#1' }] });
  });

  test('is not mixed up with one of another name or namespace', async () => {
    const { renderer, renders } = counted();
    for (const given of [context, { ...context, name: 'b' }, context, { ...context, namespace: 'n' }, context]) await outcome(renderer, sourcesOf(files), given);
    // The namespace is part of what is asked for, so that the third is remembered and the last two are not.
    expect(renders()).toBe(4);
  });

  test('that cannot be rendered fails the same way, at no cost, until something is changed', async () => {
    const { renderer, renders } = counted();
    const broken = { ...files, 'web/template.yaml': { link: '/etc/passwd' } };
    await outcome(renderer, sourcesOf(files));
    for (let round = 0; round < 3; round += 1) expect(await outcome(renderer, sourcesOf({ ...broken, 'web/other.txt': `${round}` }))).toMatch(/template\.yaml/);
    expect(renders()).toBe(2);
    expect(await outcome(renderer, sourcesOf(files))).toMatchObject({ documents: [{}, {}] });
    expect(renders()).toBe(3);
  });

  test('that the cluster refuses to answer for is tried again', async () => {
    const { renderer, renders } = counted();
    let isAllowed = false;
    const capabilities = (): Promise<Capabilities> => (isAllowed ? Promise.resolve({ kubeVersion: 'v1', apiVersions: [] }) : Promise.reject(new SetpointError('Forbidden', 'may not list')));
    expect(await outcome(renderer, sourcesOf(files), { ...context, capabilities })).toMatch(/may not list/);
    isAllowed = true;
    expect(await outcome(renderer, sourcesOf(files), { ...context, capabilities })).toMatchObject({ documents: [{}, {}] });
    expect(renders()).toBe(2);
  });

  test('of one commit is not looked at again, of another it is', async () => {
    const { renderer, renders } = counted();
    const at = (commit: string, own: MemoryFiles): { readonly sources: readonly OpenSource[]; readonly asked: readonly unknown[] } => {
      const { tree, asked } = recordingTree(memoryTree(own));
      return { sources: [{ tree, path: 'db', ref: undefined, options: {}, commit }], asked };
    };
    await outcome(renderer, at('c1', files).sources);
    const same = at('c1', files);
    await outcome(renderer, same.sources);
    expect([renders(), same.asked.length]).toEqual([1, 0]);
    await outcome(renderer, at('c2', { ...files, 'web/x': '' }).sources);
    expect(renders()).toBe(1);
    await outcome(renderer, at('c3', { ...files, 'db/x.yaml': manifest('x', 9) }).sources);
    expect(renders()).toBe(2);
  });

  test('that took too long gets another try after a while', async () => {
    let now = 0;
    let renders = 0;
    const slow: Renderer = {
      render: async (sources) => {
        renders += 1;
        await sources[0]?.tree.list('');
        throw new SetpointError('RenderTimeout', 'slow');
      },
      close: () => Promise.resolve(),
    };
    const renderer = rememberRenders(slow, () => now);
    for (const [time, expected] of [[0, 1], [1000, 1], [599_999, 1], [600_000, 2]] as const) {
      now = time;
      expect(await outcome(renderer, sourcesOf(files))).toMatch(/slow/);
      expect(renders).toBe(expected);
    }
  });
});
