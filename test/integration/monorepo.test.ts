import { beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { plainApplication, type Application, type RenderOptions } from '../../src/model/index.ts';
import { createDesiredState, createReferences } from '../../src/reconcile/index.ts';
import { openSources } from '../../src/sources.ts';
import { createMetrics } from '../../src/telemetry/index.ts';
import { startGitServer } from '../support/git-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const signal = new AbortController().signal;
const count = 200;

beforeAll(async () => {
  process.env['SETPOINT_RENDER_ENGINE'] = await buildRenderEngine();
}, 600_000);

const number = (at: number): string => String(at).padStart(4, '0');

/** Every tenth application is an overlay, every tenth a chart; the others are plain folders. */
function filesOf(at: number): Readonly<Record<string, string>> {
  const folder = `apps/app-${number(at)}`;
  const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  number: "${at}"\n`;
  if (at % 10 === 8) return { [`${folder}/kustomization.yaml`]: `namePrefix: app-${at}-\nresources: [../../shared/base]\n` };
  if (at % 10 === 9) {
    return {
      [`${folder}/Chart.yaml`]: `apiVersion: v2\nname: app\nversion: 1.0.0\n`,
      [`${folder}/templates/a.yaml`]: object('{{ .Release.Name }}'),
      [`${folder}/README.md`]: 'A chart.\n',
    };
  }
  return { [`${folder}/a.yaml`]: object(`a-${at}`), [`${folder}/deep/b.yaml`]: object(`b-${at}`), [`${folder}/README.md`]: 'Not a manifest.\n' };
}

interface Counts {
  readonly listings: number;
  readonly fetches: number;
  readonly renders: number;
  readonly parsed: number;
}

async function scene(stack: AsyncDisposableStack): Promise<{
  readonly commit: (files: Readonly<Record<string, string | null>>) => Promise<string>;
  readonly start: () => Promise<{ readonly look: () => Promise<{ readonly counts: Counts; readonly names: readonly string[]; readonly commits: ReadonlySet<string> }>; readonly stop: () => Promise<void> }>;
}> {
  const server = stack.use(await startGitServer());
  const folder = stack.use(await tempFolder());
  const repository = await server.createRepository('fleet');
  await repository.commit({
    ...Object.assign({}, ...Array.from({ length: count }, (_, at) => filesOf(at))),
    'shared/base/kustomization.yaml': 'resources: [c.yaml]\n',
    'shared/base/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  mood: calm\n',
    'values/common.yaml': 'x: 1\n',
  } as Record<string, string>);
  const options: RenderOptions = { directory: { recurse: true }, helm: { valueFiles: ['/values/common.yaml'] } };
  const applications: readonly Application[] = Array.from({ length: count }, (_, at) =>
    plainApplication({ name: `app-${number(at)}`, sources: [{ repository: repository.url, revision: 'main', path: `apps/app-${number(at)}`, ref: undefined, options }] }));
  return {
    commit: (files) => repository.commit(files),
    async start() {
      const metrics = createMetrics();
      const credentials = { env: process.env, folder: undefined, repository: repository.url };
      const sources = await openSources({ credentials, renderer: 'wasm', folder: folder.path, remembers: true, log: { warn: () => undefined }, metrics });
      let before: Counts = { listings: 0, fetches: 0, renders: 0, parsed: 0 };
      return {
        async look() {
          const references = createReferences({
            ...{ onMoved: () => undefined, pollMs: 60_000, now: Date.now, random: Math.random, setTimer: () => () => undefined },
            async resolve(reference) {
              using snapshot = await sources.repository(reference.repository).pull(reference.revision, signal);
              return snapshot.commit;
            },
          });
          const desired = createDesiredState({ ...sources, references });
          const capabilities = (): Promise<{ kubeVersion: string; apiVersions: string[] }> => Promise.resolve({ kubeVersion: 'v1.36.3', apiVersions: ['v1'] });
          const results = await Promise.all(applications.map(async (application) => {
            const { commit, documents } = await desired.at(application, null, signal);
            return { ...(await documents(capabilities, signal)), commit };
          }));
          const now = countsIn(await metrics.text());
          const counts = Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - before[name as keyof Counts]])) as unknown as Counts;
          before = now;
          return {
            counts,
            names: results.flatMap(({ documents }) => documents.map(({ object }) => object.metadata.name)),
            commits: new Set(results.map(({ commit }) => commit)),
          };
        },
        stop: async () => sources[Symbol.asyncDispose](),
      };
    },
  };
}

function countsIn(text: string): Counts {
  const sum = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce((total, [, value]) => total + Number(value), 0);
  return {
    listings: sum('setpoint_git_listings_total'),
    fetches: sum('setpoint_git_fetches_total'),
    renders: sum('setpoint_renders_total'),
    parsed: sum('setpoint_parsed_files_total'),
  };
}

describe('200 applications in one repository', () => {
  test('a commit costs one listing, one fetch, and renders what it touches', async () => {
    await using stack = new AsyncDisposableStack();
    const { commit, start } = await scene(stack);
    const agent = await start();
    stack.defer(agent.stop);
    const first = await agent.look();
    expect(first.counts).toMatchObject({ listings: 1, fetches: 1, renders: count });
    expect(first.names).toHaveLength(160 * 2 + 20 + 20);

    expect((await agent.look()).counts).toEqual({ listings: 1, fetches: 0, renders: 0, parsed: 0 });

    const sha = await commit({ 'apps/app-0003/a.yaml': filesOf(3)['apps/app-0003/a.yaml']?.replace('a-3', 'changed') ?? '' });
    const second = await agent.look();
    expect(second.counts).toEqual({ listings: 1, fetches: 1, renders: 1, parsed: 1 });
    expect(second.names).toContain('changed');
    expect([...second.commits]).toEqual([sha]);

    await commit({ 'apps/app-0005/README.md': 'Read by nobody.\n', 'docs/new.md': 'x' });
    expect((await agent.look()).counts).toEqual({ listings: 1, fetches: 1, renders: 0, parsed: 0 });

    await commit({ 'shared/base/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  mood: wild\n' });
    expect((await agent.look()).counts).toMatchObject({ listings: 1, fetches: 1, renders: 20 });

    await commit({ 'values/common.yaml': 'x: 2\n' });
    expect((await agent.look()).counts).toMatchObject({ listings: 1, fetches: 1, renders: 20 });
  });

  test('after a restart nothing is fetched and nothing is parsed again', async () => {
    await using stack = new AsyncDisposableStack();
    const { start } = await scene(stack);
    const first = await start();
    const { names } = await first.look();
    await first.stop();
    const second = await start();
    stack.defer(second.stop);
    const after = await second.look();
    expect(after.counts).toMatchObject({ listings: 1, fetches: 0, parsed: 0 });
    expect(after.names).toEqual(names);
  });
});
