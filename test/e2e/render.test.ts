import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { controlPlaneBinary } from '../support/control-plane.ts';
import { startGitServer } from '../support/git-server.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();
const examples = join(import.meta.dirname, '..', '..', 'examples');
const run = promisify(execFile);

let engine: string;
beforeAll(async () => {
  engine = await buildRenderEngine();
}, 600_000);

const setpoint = (...args: string[]): Promise<CliResult> => runCli(args, { env: { SETPOINT_RENDER_ENGINE: engine } });

interface JsonReport {
  readonly documents: readonly { readonly origin: string; readonly object: { readonly kind: string; readonly metadata: { readonly name: string } } }[];
  readonly findings: readonly { readonly severity: string; readonly origin: string; readonly message: string }[];
}

async function rendered(...args: string[]): Promise<JsonReport> {
  const result = await setpoint('render', '-o', 'json', ...args);
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  return JSON.parse(result.stdout) as JsonReport;
}

/** What kubectl reads in the output of helm or of itself. */
async function oracle(...args: string[]): Promise<readonly unknown[]> {
  const binary = await controlPlaneBinary();
  const { stdout } = await run(binary, args);
  const reading = run(binary, ['kubectl', 'annotate', '--local', '-f', '-', 'x-', '-o', 'json']);
  reading.child.stdin?.end(stdout);
  const text = (await reading).stdout;
  return text
    .split(/^(?=\{)/m)
    .filter((part) => part.trim() !== '')
    .flatMap((part) => {
      const value = JSON.parse(part) as Annotated & { readonly kind: string; readonly items?: readonly Annotated[] };
      return (value.kind === 'List' ? (value.items ?? []) : [value]).map(withoutEmptyAnnotations);
    });
}

interface Annotated {
  readonly metadata: { readonly annotations?: object };
}

/** kubectl leaves an empty map behind. */
function withoutEmptyAnnotations({ metadata: { annotations = {}, ...metadata }, ...rest }: Annotated): unknown {
  return { ...rest, metadata: Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations } };
}

async function write(folder: TempFolder, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), content);
  }
}

const configMap = (name: string, value = 'x'): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { key: "${value}" }\n`;
const chart = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

describe('examples', () => {
  test('the chart gives the objects of helm template, each with its template', async () => {
    const { documents } = await rendered('-f', join(examples, 'helm'), '--values', 'values-production.yaml', '--release-name', 'shop', '--set', 'replicas=7');
    const values = join(examples, 'helm', 'values-production.yaml');
    expect(documents.map(({ object }) => object)).toEqual(await oracle('helm', 'template', 'shop', join(examples, 'helm'), '--values', values, '--set', 'replicas=7'));
    expect(documents.map(({ origin }) => origin)).toEqual(['templates/service.yaml#1', 'templates/service.yaml#2', 'templates/deployment.yaml#1']);
  });

  test('the overlay gives the objects of kubectl kustomize, with a base outside of its folder', async () => {
    const overlay = join(examples, 'kustomize', 'overlays', 'production');
    const { documents } = await rendered('-f', overlay);
    expect(documents.map(({ object }) => object)).toEqual(await oracle('kubectl', 'kustomize', overlay));
    expect(documents.map(({ origin }) => origin)).toContain('../../base/service.yaml#1');
  });

  test('plain manifests are printed as YAML that kubectl reads as the same objects', async () => {
    const { code, stdout } = await setpoint('render', '-f', join(examples, 'quickstart', 'web'));
    expect(code).toBe(0);
    expect(stdout).toContain('# Source: service.yaml#2\n');
    await using folder = await tempFolder();
    await write(folder, { 'out.yaml': stdout });
    const { documents } = await rendered('-f', join(examples, 'quickstart', 'web'));
    expect(await oracle('kubectl', 'annotate', '--local', '-f', join(folder.path, 'out.yaml'), 'x-', '-o', 'yaml')).toEqual(documents.map(({ object }) => object));
  });

  test('names are one line each, with the file', async () => {
    const { stdout } = await setpoint('render', '-f', join(examples, 'quickstart', 'web'), '-o', 'name');
    expect(stdout).toBe('apps/Deployment web  deployment.yaml#1\nService web  service.yaml#1\nConfigMap web  service.yaml#2\n');
  });
});

describe('a repository', () => {
  test('is rendered at a revision, over HTTP and from where it lies', async () => {
    await using server = await startGitServer();
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'apps/web/a.yaml': configMap('one') });
    await repository.git('tag', 'v1');
    await repository.commit({ 'apps/web/a.yaml': configMap('two') });
    for (const url of [repository.url, `file://${repository.gitDir}`]) {
      const names = async (...args: string[]): Promise<readonly string[]> =>
        (await rendered('--repo', url, '--path', 'apps/web', ...args)).documents.map(({ origin, object }) => `${origin} ${object.metadata.name}`);
      expect(await names()).toEqual(['apps/web/a.yaml#1 two']);
      expect(await names('--revision', 'v1')).toEqual(['apps/web/a.yaml#1 one']);
    }
  });

  test('an Application of Argo CD with a chart and value files of another repository is rendered whole', async () => {
    await using server = await startGitServer();
    await using folder = await tempFolder();
    const [charts, config] = [await server.createRepository('charts'), await server.createRepository('config')];
    await charts.commit({ 'web/Chart.yaml': chart, 'web/values.yaml': 'who: nobody\n', 'web/templates/a.yaml': configMap('{{ .Release.Name }}', '{{ .Values.who }} {{ .Values.mood }} {{ .Release.Namespace }}') });
    await config.commit({ 'prod/values.yaml': 'who: prod\nmood: calm\n' });
    const application = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop' },
      spec: {
        destination: { namespace: 'prod' },
        sources: [
          { repoURL: charts.url, path: 'web', targetRevision: 'main', helm: { valueFiles: ['$values/prod/values.yaml'], parameters: [{ name: 'mood', value: 'a,b' }], passCredentials: true } },
          { repoURL: config.url, targetRevision: 'main', ref: 'values' },
        ],
      },
    };
    await write(folder, { 'app.json': JSON.stringify(application) });
    const { code, stdout, stderr } = await setpoint('render', '--app', join(folder.path, 'app.json'), '-o', 'json');
    expect(stderr).toContain('spec.sources[0].helm.passCredentials is not supported');
    expect(code).toBe(0);
    const [document] = (JSON.parse(stdout) as JsonReport).documents;
    expect(document).toMatchObject({ origin: 'web/templates/a.yaml#1', object: { metadata: { name: 'shop' }, data: { key: 'prod a,b prod' } } });
  });
});

describe('what is wrong is one sentence', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[], RegExp]>([
    ['a chart that fails', { 'Chart.yaml': chart, 'templates/a.yaml': '{{ fail "no host given" }}' }, [], /templates\/a\.yaml.*no host given/],
    ['a value file that is not there', { 'Chart.yaml': chart }, ['--values', 'prod.yaml'], /value file prod\.yaml .*is not there/],
    ['a value file outside', { 'Chart.yaml': chart }, ['--values', '../../secret.yaml'], /"\.\.\/\.\.\/secret\.yaml" leads out of the source/],
    ['a kustomization of a missing file', { 'kustomization.yaml': 'resources: [nope.yaml]\n' }, [], /nope\.yaml/],
    ['a remote base', { 'kustomization.yaml': 'resources: ["https://example.com/x"]\n' }, [], /https:\/\/example\.com\/x/],
    ['an empty folder', { 'README.md': 'x' }, [], /has no \.yaml, \.yml or \.json file/],
    ['a chart inside a folder of manifests', { 'a.yaml': configMap('a'), 'sub/Chart.yaml': chart }, [], /sub is a Helm chart inside .*exclude it/],
    ['a parameter without a value', { 'Chart.yaml': chart }, ['--set', 'x'], /--set wants NAME=VALUE, got x/],
  ])('%s', async (_name, files, args, message) => {
    await using folder = await tempFolder();
    await write(folder, files);
    const { code, stdout, stderr } = await setpoint('render', '-f', folder.path, ...args);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('two documents of one object are told with both files, and the exit code says so', async () => {
    await using folder = await tempFolder();
    await write(folder, { 'a.yaml': configMap('same'), 'b.yaml': configMap('same') });
    const { code, stderr } = await setpoint('render', '-f', folder.path);
    expect(stderr).toContain('b.yaml#1: error: ConfigMap default/same is declared more than once, in a.yaml#1 and here');
    expect(code).toBe(3);
  });

  test('without Go, helm and the module plain manifests work and a chart gets a sentence', async () => {
    await using folder = await tempFolder();
    await write(folder, { 'plain/a.yaml': configMap('a'), 'chart/Chart.yaml': chart, 'chart/templates/a.yaml': configMap('a'), 'overlay/kustomization.yaml': 'resources: []\n' });
    const env = { PATH: join(folder.path, 'empty'), XDG_CACHE_HOME: join(folder.path, 'cache') };
    expect((await runCli(['render', '-f', join(folder.path, 'plain')], { env })).code).toBe(0);
    for (const [kind, name] of [['chart', 'helm'], ['overlay', 'kustomize']] as const) {
      const wasm = await runCli(['render', '-f', join(folder.path, kind)], { env });
      expect(wasm).toMatchObject({ code: 2, stdout: '' });
      expect(wasm.stderr).toMatch(/npm run build:render/);
      expect(wasm.stderr.trim().split('\n')).toHaveLength(1);
      const binaries = await runCli(['render', '-f', join(folder.path, kind), '--renderer', 'binaries'], { env });
      expect(binaries).toMatchObject({ code: 2, stdout: '' });
      expect(binaries.stderr).toContain(name);
    }
  });

  test('a link out of the folder is refused, and what it leads to is not shown', async () => {
    await using folder = await tempFolder();
    await write(folder, { 'inside/a.yaml': configMap('a'), 'secret.yaml': configMap('canary-4711') });
    await symlink('../secret.yaml', join(folder.path, 'inside', 'b.yaml'));
    const { code, stdout, stderr } = await setpoint('render', '-f', join(folder.path, 'inside'));
    expect(stderr).toContain('b.yaml: error: inside/b.yaml'.slice(0, 'b.yaml: error: '.length));
    expect(stdout + stderr).not.toContain('canary');
    expect(code).toBe(3);
  });
});

describe('with a cluster', () => {
  test('a chart is compared with what helm template would apply, and sees the version of the cluster', async () => {
    await using namespace = await cluster.createNamespace();
    await using folder = await tempFolder();
    await write(folder, {
      'web/Chart.yaml': chart,
      'web/templates/a.yaml': configMap('{{ .Release.Name }}', '{{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }} {{ .Capabilities.APIVersions.Has "nope/v1" }}'),
    });
    const args = ['diff', '-f', join(folder.path, 'web'), '-n', namespace.name, '--kubeconfig', cluster.kubeconfig];
    const before = await setpoint(...args);
    expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('templates/a.yaml#1') as string });
    const { gitVersion } = JSON.parse(await cluster.kubectl(['get', '--raw', '/version'])) as { gitVersion: string };
    await cluster.kubectl(['create', 'configmap', 'web', '-n', namespace.name, `--from-literal=key=${gitVersion} true false`]);
    expect(await setpoint(...args)).toMatchObject({ code: 0 });
  });

  test('the agent keeps a chart in sync, and a commit to a value file elsewhere in the repository counts', async () => {
    await using namespace = await cluster.createNamespace();
    await using server = await startGitServer();
    await using folder = await tempFolder();
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'web/Chart.yaml': chart, 'web/templates/a.yaml': configMap('{{ .Release.Name }}', '{{ .Values.mood }}'), 'values/prod.yaml': 'mood: calm\n' });
    await using agent = startCli(
      [
        ...['run', '--repo', repository.url, '--path', 'web', '--values', '/values/prod.yaml', '--mode', 'auto', '--interval', '1s'],
        ...['--state', folder.path, '-n', namespace.name, '--kubeconfig', cluster.kubeconfig],
      ],
      { env: { SETPOINT_RENDER_ENGINE: engine } },
    );
    await agent.saw(/web {2}Synced {2}main@[0-9a-f]{7} {2}1 resources/);
    const mood = (): Promise<string> => cluster.kubectl(['get', 'configmap', 'web', '-n', namespace.name, '-o', 'jsonpath={.data.key}']);
    expect(await mood()).toBe('calm');
    const sha = await repository.commit({ 'values/prod.yaml': 'mood: wild\n' });
    await agent.saw(new RegExp(`Synced {2}main@${sha.slice(0, 7)}`));
    expect(await mood()).toBe('wild');
    expect(await agent.stop()).toBe(0);
  });
});
