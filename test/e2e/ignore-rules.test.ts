import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { startGitServer } from '../support/git-server.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';

const cluster = sharedCluster();

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop }
spec:
  replicas: 0
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers:
        - name: web
          image: nginx:1
          env:
            - { name: API_URL, value: "https://api" }
            - { name: DB_URL, value: "postgres://db" }
            - { name: MODE, value: calm }
        - { name: sidecar, image: "envoy:1" }
`;

interface Scene extends AsyncDisposable {
  readonly namespace: string;
  /** Compares with what was applied first, under these rules. */
  diff(rules: unknown, ...args: string[]): Promise<CliResult & { readonly file: string }>;
  kubectl(...args: string[]): Promise<string>;
}

/** The Deployment, live and ours. */
async function stage(manifests = deployment): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const { path: folder } = parts.use(await tempFolder());
  await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', namespace, '-f', '-'], manifests);
  return {
    namespace,
    async diff(rules, ...args) {
      const file = join(folder, 'rules.yaml');
      await writeFile(file, typeof rules === 'string' ? rules : JSON.stringify(rules));
      const result = await runCli(['diff', '-f', '-', '-n', namespace, '--kubeconfig', cluster.kubeconfig, '--ignore-rules', file, ...args], { input: manifests });
      return { ...result, file };
    },
    kubectl: (...args) => cluster.kubectl([...args, '-n', namespace]),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const scale = (scene: Scene): Promise<unknown> => scene.kubectl('scale', 'deployment/shop', '--replicas=3');
const setUrls = (scene: Scene): Promise<unknown> => scene.kubectl('set', 'env', 'deployment/shop', '-c', 'web', 'API_URL=https://b', 'DB_URL=x');
const setMode = (scene: Scene): Promise<unknown> => scene.kubectl('set', 'env', 'deployment/shop', '-c', 'web', 'MODE=wild');
const setImage = (container: string) => (scene: Scene) => scene.kubectl('set', 'image', 'deployment/shop', `${container}=other:2`);

const inWeb = String.raw`spec\.template\.spec\.containers\[name=web\]`;
const shop = { group: 'apps', kind: 'Deployment', name: 'shop' };

const cases = [
  {
    name: 'jsonPointers',
    rule: { ...shop, jsonPointers: ['/spec/replicas'] },
    ignored: [String.raw`spec\.replicas  by kubectl \(scale\), (?:time not recorded|at or before \S+Z)\n {6}- 3\n {6}\+ 0`],
    change: scale,
    beside: setImage('web'),
    shown: `${inWeb}\\.image`,
  },
  {
    name: 'jsonPointers through a list',
    rule: { ...shop, jsonPointers: ['/spec/template/spec/containers/0/image'] },
    ignored: [String.raw`${inWeb}\.image  by kubectl-set, at or before \S+Z\n {6}- other:2\n {6}\+ nginx:1`],
    change: setImage('web'),
    beside: setImage('sidecar'),
    shown: String.raw`spec\.template\.spec\.containers\[name=sidecar\]\.image`,
  },
  {
    name: 'paths with globs, from wherever their first field is',
    rule: { kind: 'Deployment', paths: ['containers[name=web].env[name=*_URL]'] },
    ignored: [`${inWeb}\\.env\\[name=API_URL\\]\\.value  by kubectl-set`, `${inWeb}\\.env\\[name=DB_URL\\]\\.value  by kubectl-set`],
    change: setUrls,
    beside: setMode,
    shown: `${inWeb}\\.env\\[name=MODE\\]\\.value`,
  },
  {
    name: 'managedFieldsManagers: whatever a controller holds',
    rule: { managedFieldsManagers: ['cluster-*'] },
    ignored: [String.raw`spec\.replicas  by cluster-autoscaler, at or before \S+Z\n {6}- 4\n {6}\+ 0`],
    change: ({ namespace }: Scene): Promise<unknown> =>
      writeAs(cluster, 'cluster-autoscaler', { path: `/apis/apps/v1/namespaces/${namespace}/deployments/shop`, patch: { spec: { replicas: 4 } } }),
    beside: setImage('web'),
    shown: `${inWeb}\\.image`,
  },
  {
    name: 'jqPathExpressions',
    rule: { ...shop, jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "web") | .image'] },
    ignored: [String.raw`${inWeb}\.image  by kubectl-set, at or before \S+Z\n {6}- other:2\n {6}\+ nginx:1`],
    change: setImage('web'),
    beside: setImage('sidecar'),
    shown: String.raw`spec\.template\.spec\.containers\[name=sidecar\]\.image`,
  },
];

describe.each(cases)('$name', ({ rule, ignored, change, beside, shown }) => {
  const count = `${ignored.length} ${ignored.length === 1 ? 'field' : 'fields'} ignored`;

  test('what is ignored is no drift, is counted, and is listed with --show-ignored', async () => {
    await using scene = await stage();
    await change(scene);
    expect(await scene.diff([])).toMatchObject({ code: 1, stdout: expect.stringContaining('1 changed') as string });
    const quiet = await scene.diff([rule]);
    expect(quiet.stdout).toMatch(new RegExp(`^1 in sync; ${count} \\(--show-ignored\\)  \\(context `));
    expect(quiet.code).toBe(0);
    const { code, stdout } = await scene.diff([rule], '--show-ignored');
    expect(stdout).toMatch(/^= apps\/Deployment \S+\/shop {2}in sync /);
    for (const field of ignored) expect(stdout).toMatch(new RegExp(`\\n {4}~ ignored  ${field}`));
    expect(stdout).toContain(`\n1 in sync; ${count}  (context `);
    expect(code).toBe(0);
  });

  test('it does not hide what differs beside it', async () => {
    await using scene = await stage();
    await change(scene);
    await beside(scene);
    const { code, stdout } = await scene.diff([rule], '-o', 'json');
    const [{ changes, ignored: aside, patch } = { changes: [], ignored: [], patch: [] }] = (
      JSON.parse(stdout) as { resources: readonly { changes: { display: string; path: string }[]; ignored: object[]; patch: { op: string; path: string }[] }[] }
    ).resources;
    expect(changes).toEqual([expect.objectContaining({ display: expect.stringMatching(new RegExp(`^${shown}$`)) as string })]);
    expect(aside).toHaveLength(ignored.length);
    // The patch would not touch what is ignored either.
    expect(patch.filter(({ op }) => op !== 'test').map(({ path }) => path)).toEqual(changes.map(({ path }) => path));
    expect(code).toBe(1);
  });
});

describe('what a rule is about', () => {
  test.each([
    ['another name', { kind: 'Deployment', name: 'shop-*' }],
    ['another kind', { kind: 'StatefulSet' }],
    ['another group', { group: 'extensions', kind: 'Deployment' }],
    ['another namespace', { kind: 'Deployment', namespace: 'elsewhere' }],
  ])('a rule for %s ignores nothing here', async (_name, about) => {
    await using scene = await stage();
    await scale(scene);
    expect(await scene.diff([{ ...about, jsonPointers: ['/spec/replicas'] }])).toMatchObject({ code: 1, stdout: expect.stringMatching(/spec\.replicas/) as string });
  });

  test('an Application of Argo CD serves as the file', async () => {
    await using scene = await stage();
    await scale(scene);
    await setUrls(scene);
    const application = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: shop, namespace: argocd }
spec:
  project: default
  destination: { server: "https://kubernetes.default.svc", namespace: shop }
  source: { repoURL: "https://git.example.com/fleet", path: shop }
  ignoreDifferences:
    - group: apps
      kind: Deployment
      name: shop
      jsonPointers: [/spec/replicas]
    - group: "*"
      kind: "*"
      managedFieldsManagers: [kubectl-set]
`;
    const { code, stdout } = await scene.diff(application);
    expect(stdout).toMatch(/^1 in sync; 3 fields ignored \(--show-ignored\)/);
    expect(code).toBe(0);
  });

  test('an object that is missing stays missing, whatever is ignored of it', async () => {
    await using scene = await stage();
    await scene.kubectl('delete', 'deployment', 'shop');
    expect(await scene.diff([{ ...shop, paths: ['spec.**'] }])).toMatchObject({ code: 1, stdout: expect.stringContaining('is not in the cluster') as string });
  });

  test('keys of a Secret can be ignored, and stay masked', async () => {
    const secret = `apiVersion: v1\nkind: Secret\nmetadata: { name: keys }\nstringData: { token: canary-git, other: same }\n`;
    await using scene = await stage(secret);
    await scene.kubectl('patch', 'secret', 'keys', '--type=merge', '-p', '{"stringData":{"token":"canary-live"}}');
    const { code, stdout } = await scene.diff([{ kind: 'Secret', jsonPointers: ['/data/token'] }], '--show-ignored');
    expect(stdout).toMatch(/\n {4}~ ignored {2}data\.token {2}by kubectl-patch, at or before \S+Z\n {6}- "\*\*\* \(before, [0-9a-f]{8}\)"\n {6}\+ "\*\*\* \(after, [0-9a-f]{8}\)"\n/);
    expect(stdout).not.toContain('canary');
    expect(code).toBe(0);
  });
});

const refusals: [string, unknown, RegExp][] = [
  ['a pointer that is none', [{ jsonPointers: ['/spec/replicas', 'spec.replicas'] }], /are refused: \[0\]\.jsonPointers\[1\]: .*got "spec\.replicas"/],
  ['a misspelt field', [{ jsonPointers: ['/spec/replicas'] }, { jsonPointer: ['/x'] }], /\[1\]\.jsonPointer: a rule has no such field; wanted one of /],
  ['a rule that ignores nothing', [{ kind: 'Deployment' }], /\[0\]: ignores nothing; wanted at least one of jsonPointers, paths/],
  ['a rule that would ignore everything', [{ jsonPointers: [''] }], /\[0\]\.jsonPointers\[0\]: .*the whole object/],
  ['a rule for the name of objects', [{ paths: ['metadata.name'] }], /\[0\]\.paths\[0\]: .*metadata\.name/],
  ['a jq program that is no path', [{ jqPathExpressions: ['.spec.replicas | tostring'] }], /\[0\]\.jqPathExpressions\[0\]: /],
  ['ourselves as the manager', [{ managedFieldsManagers: ['set*'] }], /\[0\]\.managedFieldsManagers\[0\]: wanted the name of another field manager/],
  ['several mistakes, all at once', [{ paths: ['spec['] }, 3], /\[0\]\.paths\[0\]: .*\[1\]: wanted a rule such as/],
  ['no list', { spec: { ignoreDifferences: { kind: 'Deployment' } } }, /wanted a list of rules, got /],
  ['a document without rules', { spec: {} }, /are not there: wanted a list of rules, or a document with ignoreDifferences/],
  ['no YAML', '- {', /cannot be parsed: .* at line 1, column /],
];

describe('a rule that is refused ends it with 2, and is named with its file and field', () => {
  test.each(refusals)('%s', async (_name, rules, message) => {
    await using scene = await stage('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\n');
    const { code, stdout, stderr, file } = await scene.diff(rules);
    expect(stderr).toMatch(/^setpoint: .*\n$/);
    expect(stderr).toContain(`the ignore rules in ${file} `);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('no such file', async () => {
    const { code, stderr } = await runCli(['diff', '-f', '-', '--kubeconfig', cluster.kubeconfig, '--ignore-rules', '/no/such/rules.yaml'], { input: deployment });
    expect(stderr).toBe('setpoint: the ignore rules in /no/such/rules.yaml cannot be read: there is no such file or folder\n');
    expect(code).toBe(2);
  });

  test('by the agent too, before it does anything', async () => {
    await using folder = await tempFolder();
    await using server = await startGitServer();
    const { url } = await server.createRepository('fleet');
    const [file, state] = [join(folder.path, 'rules.yaml'), join(folder.path, 'state')];
    await writeFile(file, '- { kind: Deployment, jsonPointers: [spec] }\n');
    const { code, stderr } = await runCli(['run', '--repo', url, '--state', state, '--kubeconfig', cluster.kubeconfig, '--ignore-rules', file]);
    expect(existsSync(state)).toBe(false);
    expect(stderr).toMatch(/the ignore rules in \S+ are refused: \[0\]\.jsonPointers\[0\]: /);
    expect(code).toBe(2);
  });
});

describe('the agent', () => {
  test('in mode auto stays Synced when somebody scales, and sees and heals another field', async () => {
    await using parts = new AsyncDisposableStack();
    const { name: namespace } = parts.use(await cluster.createNamespace());
    const server = parts.use(await startGitServer());
    const folder = parts.use(await tempFolder());
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'shop/deployment.yaml': deployment });
    const rules = join(folder.path, 'rules.yaml');
    await writeFile(rules, JSON.stringify({ spec: { ignoreDifferences: [{ ...shop, jsonPointers: ['/spec/replicas'] }] } }));
    const agent = parts.use(
      startCli([
        ...['run', '--repo', repository.url, '--path', 'shop', '--interval', '1s', '--sweep', '1s', '--mode', 'auto', '--state', join(folder.path, 'state')],
        ...['-n', namespace, '--kubeconfig', cluster.kubeconfig, '--ignore-rules', rules, '--log-level', 'debug'],
      ]),
    );
    const first = await agent.saw(/shop {2}Synced {2}\S+ {2}1 resources\n/);
    const from = agent.output.stdout.indexOf(first) + first.length;
    const looks = (): number => agent.output.stderr.split('"message":"looked"').length - 1;
    const read = (path: string): Promise<string> => cluster.kubectl(['get', 'deployment', 'shop', '-n', namespace, '-o', `jsonpath=${path}`]);

    await cluster.kubectl(['scale', 'deployment/shop', '--replicas=3', '-n', namespace]);
    const before = looks();
    await waitFor(() => looks() >= before + 4, { what: 'four looks after the scaling' });
    expect(agent.output.stdout.slice(from)).toBe('');
    expect(await read('{.spec.replicas}')).toBe('3');

    await cluster.kubectl(['set', 'image', 'deployment/shop', 'sidecar=other:2', '-n', namespace]);
    const said = await agent.saw(/OutOfSync \(live-changed\)[^]*?\+ envoy:1\n/, from);
    expect(said).toMatch(/1 of 1 differ\n {2}~ apps\/Deployment \S+\/shop\n {4}\S+\[name=sidecar\]\.image {2}by kubectl-set at \S+Z\n {6}- other:2\n {6}\+ envoy:1\n$/);
    expect(said).not.toContain('replicas');
    await agent.saw(/shop {2}Synced/, from);
    expect(await read('{.spec.template.spec.containers[?(@.name=="sidecar")].image}')).toBe('envoy:1');
    // What is ignored is left as it is also by a sync of something else.
    expect(await read('{.spec.replicas}')).toBe('3');
  });
});
