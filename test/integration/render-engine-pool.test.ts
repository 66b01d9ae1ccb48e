// The threads behind the engine: several at once, aborted, late, gone; and what the tree is asked.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { SetpointError, type SourceTree } from '../../src/model/index.ts';
import { createWasmEngine } from '../../src/render/engine/wasm/index.ts';
import { builtFolder } from '../../src/render/engine/wasm/locate-module.ts';
import { configMap } from '../fixtures/render/overlays.ts';
import { helmRequest } from '../support/helm-request.ts';
import { memoryTree, recordingTree } from '../support/memory-tree.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dirname, '../..');
const engine = createWasmEngine();
const signal = AbortSignal.timeout(600_000);
const overlay = { type: 'kustomize', folder: 'overlay', kustomization: undefined } as const;

const files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'chart/.helmignore': 'ignored/\n',
  'chart/ignored/deep/x.txt': 'x',
  'chart/templates/a.yaml': 'kind: {{ .Release.Name }}\n',
  'endless/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'endless/templates/a.yaml': '{{ range 1000000000000 }}{{ end }}',
  'base/kustomization.yaml': 'resources: [b.yaml]\n',
  'base/b.yaml': configMap('b'),
  'base/unused.yaml': configMap('unused'),
  'overlay/kustomization.yaml': 'resources: [../base, a.yaml]\n',
  'overlay/a.yaml': configMap('a'),
  'elsewhere/c.yaml': configMap('c'),
};
const tree = memoryTree(files);

beforeAll(async () => {
  await buildRenderEngine();
  await engine.render(helmRequest(), tree, signal);
}, 600_000);
afterAll(() => engine.close());

/** A tree that answers no read until it is told to. */
function gatedTree(): { readonly tree: SourceTree; readonly asked: Promise<void>; open(): void } {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const read = async (path: string): Promise<Uint8Array> => {
    asked.resolve();
    await gate.promise;
    return tree.read(path);
  };
  return { tree: { ...tree, read }, asked: asked.promise, open: gate.resolve };
}

describe('the workers', () => {
  test('render two at once', async () => {
    const [one, two] = [gatedTree(), gatedTree()];
    const renders = [engine.render(helmRequest(), one.tree, signal), engine.render(overlay, two.tree, signal)];
    await Promise.all([one.asked, two.asked]);
    one.open();
    two.open();
    const [chart, kustomization] = await Promise.all(renders);
    expect(chart?.text).toContain('kind: rel');
    expect(kustomization?.origins).toEqual(['overlay/a.yaml', 'base/b.yaml']);
  });

  test('make a third wait, and forget it when it is aborted', async () => {
    await using one = disposable(createWasmEngine({ maxWorkers: 1 }));
    const gated = gatedTree();
    const first = one.engine.render(helmRequest(), gated.tree, signal);
    await gated.asked;
    const [waiting, recorded] = [new AbortController(), recordingTree(tree)];
    const second = one.engine.render(helmRequest(), recorded.tree, waiting.signal);
    const third = one.engine.render(helmRequest({ releaseName: 'third' }), tree, signal);
    waiting.abort(new Error('no more interest'));
    await expect(second).rejects.toThrow('no more interest');
    gated.open();
    expect((await first).text).toContain('kind: rel');
    expect((await third).text).toContain('kind: third');
    expect(recorded.asked).toEqual([]);
  });

  test('stop in the middle when they are told to, with the reason given', async () => {
    const controller = new AbortController();
    const recorded = recordingTree(tree);
    const render = engine.render(helmRequest({ chart: 'endless' }), recorded.tree, controller.signal);
    const reason = new Error('shutting down');
    const ended = render.catch((error: unknown) => error);
    await waitFor(() => recorded.asked.some(({ path }) => path === 'endless/templates/a.yaml'), { what: 'the template to be read' });
    controller.abort(reason);
    expect(await ended).toBe(reason);
    expect((await engine.render(helmRequest(), tree, signal)).text).toContain('kind: rel');
  });

  test('do not start when it is too late already', async () => {
    const recorded = recordingTree(tree);
    await expect(engine.render(helmRequest(), recorded.tree, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(recorded.asked).toEqual([]);
  });

  test('do not wait for a tree that never answers', async () => {
    await using short = disposable(createWasmEngine({ deadlineMs: 4000 }));
    const never = { ...tree, read: () => new Promise<never>(() => undefined) };
    await expect(short.engine.render(overlay, never, signal)).rejects.toMatchObject({ code: 'RenderTimeout' });
  });

  test('are started again after they rested too long', async () => {
    await using brief = disposable(createWasmEngine({ idleMs: 1 }));
    for (const name of ['a', 'b', 'c']) {
      expect((await brief.engine.render(helmRequest({ releaseName: name }), tree, signal)).text).toContain(`kind: ${name}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  test('end with the engine, and so does a render', async () => {
    const closing = createWasmEngine();
    const render = closing.render(helmRequest({ chart: 'endless' }), tree, signal);
    const ended = render.catch((error: unknown) => error);
    await closing.close();
    expect(await ended).toMatchObject({ message: 'The render engine is closed.' });
    await expect(closing.render(helmRequest(), tree, signal)).rejects.toThrow('The render engine is closed.');
  });

  test('do not keep the process alive', async () => {
    const script = `
      import { createWasmEngine } from './src/render/engine/wasm/index.ts';
      import { memoryTree } from './test/support/memory-tree.ts';
      import { helmRequest } from './test/support/helm-request.ts';
      const tree = memoryTree(${JSON.stringify(files)});
      const { text } = await createWasmEngine().render(helmRequest(), tree, new AbortController().signal);
      process.stdout.write(text);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: 50_000 });
    const output: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, output: output.join('') }).toEqual({ code: 0, output: '---\n# Source: web/templates/a.yaml\nkind: rel\n' });
  });
});

describe('the tree', () => {
  test('is asked for what a kustomization uses, and nothing else', async () => {
    const recorded = recordingTree(tree);
    await engine.render(overlay, recorded.tree, signal);
    const read = recorded.asked.filter(({ ask }) => ask === 'read').map(({ path }) => path);
    expect(read.toSorted()).toEqual(['base/b.yaml', 'base/kustomization.yaml', 'overlay/a.yaml', 'overlay/kustomization.yaml']);
    expect(recorded.asked.filter(({ ask }) => ask === 'list' || ask === 'idOf')).toEqual([]);
    expect(recorded.asked.filter(({ path }) => path.includes('unused') || path.includes('elsewhere') || path.includes('chart'))).toEqual([]);
  });

  test('is asked for the files of a chart, and for none that is ignored', async () => {
    const recorded = recordingTree(tree);
    await engine.render(helmRequest(), recorded.tree, signal);
    expect(recorded.asked).toEqual([
      { ask: 'list', path: 'chart' },
      { ask: 'read', path: 'chart/.helmignore' },
      { ask: 'list', path: 'chart/templates' },
      { ask: 'read', path: 'chart/Chart.yaml' },
      { ask: 'read', path: 'chart/templates/a.yaml' },
    ]);
  });

  test.each(['typeOf', 'read'] as const)('fails with an error of its own in %s, and the caller gets that very one', async (ask) => {
    const error = new SetpointError('RepositoryUnreachable', 'the blob could not be had');
    const broken = { ...tree, [ask]: () => Promise.reject(error) };
    await expect(engine.render(overlay, broken, signal)).rejects.toBe(error);
  });
});

describe('the build', () => {
  test('is done once when two want it at the same time, also after one was killed', async () => {
    await using folder = await tempFolder();
    const { stdout: goCache } = await promisify(execFile)('go', ['env', 'GOCACHE']);
    const env = { ...process.env, XDG_CACHE_HOME: folder.path, GOCACHE: goCache.trim() };
    const built = await builtFolder(env);
    await mkdir(dirname(built), { recursive: true });
    const gone = spawn(process.execPath, ['--version']);
    await once(gone, 'close');
    await writeFile(`${built}.building`, String(gone.pid));
    const run = () => promisify(execFile)(process.execPath, ['render-engine/build.ts'], { cwd: root, env });
    const [one, two] = await Promise.all([run(), run()]);
    expect([one.stdout, two.stdout]).toEqual([`${built}\n`, `${built}\n`]);
    expect(`${one.stderr}${two.stderr}`.match(/render engine built in/g)).toHaveLength(1);
    expect((await readdir(dirname(built))).toSorted()).toEqual([basename(built)]);
    expect((await readdir(built)).toSorted()).toEqual(['LICENSE-go', 'THIRD-PARTY-NOTICES.txt', 'engine.wasm', 'version', 'wasm_exec.js']);
  }, 300_000);
});

describe('without the module', () => {
  test('a render says in one sentence what to do', async () => {
    await using folder = await tempFolder();
    await using bare = disposable(createWasmEngine({ env: { SETPOINT_RENDER_ENGINE: folder.path } }));
    await expect(bare.engine.render(helmRequest(), tree, signal)).rejects.toMatchObject({
      code: 'RendererMissing',
      message: expect.stringMatching(/^Helm and Kustomize need .*npm run build:render.*\.$/),
    });
    await expect(bare.engine.version()).rejects.toMatchObject({ code: 'RendererMissing' });
  });

  test('and without Go the build says so and exits with 2', async () => {
    await using folder = await tempFolder();
    const child = spawn(process.execPath, ['render-engine/build.ts'], {
      cwd: root,
      env: { PATH: folder.path, XDG_CACHE_HOME: folder.path },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const messages: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, message: messages.join('') }).toEqual({
      code: 2,
      message: 'The render engine is built with Go 1.26 or newer, and there is no `go` on the PATH.\n',
    });
  });
});

function disposable(made: ReturnType<typeof createWasmEngine>): AsyncDisposable & { readonly engine: typeof made } {
  return { engine: made, [Symbol.asyncDispose]: () => made.close() };
}
