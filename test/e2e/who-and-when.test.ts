import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isTimeOf, timed, type ActionTime } from '../support/action-time.ts';
import { runCli, startCli, type RunningCli } from '../support/cli.ts';
import { startGitServer } from '../support/git-server.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';

const cluster = sharedCluster();

const revision = 'deployment.kubernetes.io/revision';
const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, labels: { team: blue } }
spec:
  replicas: 1
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers:
        - name: web
          image: nginx:1
          env:
            - { name: FIRST, value: one }
            - { name: MODE, value: calm }
`;

interface SeenChange {
  readonly display: string;
  readonly seen?: { readonly seenAt: string; readonly notBefore?: string; readonly writers: readonly { readonly manager: string; readonly subresource?: string }[] };
}

interface Scene extends AsyncDisposable {
  readonly namespace: string;
  readonly folder: string;
  kubectl(...args: string[]): Promise<string>;
  /** Watches in mode alert: nothing is healed. */
  agent(): RunningCli;
  /** The state folder's record of a field. */
  recorded(display: RegExp): Promise<SeenChange | undefined>;
  diff(...args: string[]): Promise<string>;
}

/** The manifests, live and ours and settled, and in Git. */
async function stage(manifests = deployment): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const { path: folder } = parts.use(await tempFolder());
  const server = parts.use(await startGitServer());
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'shop/deployment.yaml': manifests });
  const kubectl = (...args: string[]): Promise<string> => cluster.kubectl([...args, '-n', namespace]);
  await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', namespace, '-f', '-'], manifests);
  await kubectl('rollout', 'status', 'deployment/shop', '--timeout=50s');
  return {
    namespace,
    folder,
    kubectl,
    agent: () =>
      parts.use(
        startCli([
          ...['run', '--repo', repository.url, '--path', 'shop', '--interval', '1s', '--state', join(folder, 'state')],
          ...['-n', namespace, '--kubeconfig', cluster.kubeconfig],
        ]),
      ),
    async recorded(display) {
      const status = JSON.parse(await readFile(join(folder, 'state', 'apps', 'shop.json'), 'utf8')) as { resources: { changes?: SeenChange[] }[] };
      return status.resources.flatMap(({ changes = [] }) => changes).find((change) => display.test(change.display));
    },
    async diff(...args) {
      const { stdout, stderr } = await runCli(['diff', '-f', '-', '-n', namespace, '--kubeconfig', cluster.kubeconfig, ...args], { input: manifests });
      return stdout + stderr;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** `kubectl edit`, by somebody whose editor replaces a text by another. */
async function edit({ namespace, folder }: Scene, from: RegExp, to: string): Promise<void> {
  const script = join(folder, 'editor.cjs');
  await writeFile(script, `const { readFileSync, writeFileSync } = require('node:fs'); const file = process.argv[2]; writeFileSync(file, readFileSync(file, 'utf8').replace(${String(from)}, ${JSON.stringify(to)}));`);
  const [file, ...leading] = cluster.description.kubectl;
  await promisify(execFile)(file, [...leading, '--kubeconfig', cluster.kubeconfig, 'edit', 'deployment/shop', '-n', namespace], {
    env: { ...process.env, KUBE_EDITOR: `${process.execPath} ${script}` },
  });
}

const patch = (scene: Scene, operations: readonly object[]): Promise<unknown> => scene.kubectl('patch', 'deployment', 'shop', '--type=json', '-p', JSON.stringify(operations));

const held = (manager: string): RegExp => new RegExp(`^by ${manager}, at or before (\\S+Z)$`);
const gone = /^new in Git, or removed: Kubernetes keeps no owner of what is gone$/;
const web = 'spec.template.spec.containers[name=web]';

const actions = [
  {
    name: 'kubectl scale',
    act: (scene: Scene): Promise<unknown> => scene.kubectl('scale', 'deployment/shop', '--replicas=3'),
    field: 'spec.replicas',
    values: '- 3\n      + 1',
    writer: 'kubectl (scale)',
    // Older servers record no time for writes to scale.
    fallback: /^by kubectl \(scale\), (?:time not recorded|at or before (\S+Z))$/,
  },
  {
    name: 'kubectl edit',
    act: (scene: Scene): Promise<unknown> => edit(scene, /value: calm/, 'value: wild'),
    field: `${web}.env[name=MODE].value`,
    values: '- wild\n      + calm',
    writer: 'kubectl-edit',
    fallback: held('kubectl-edit'),
  },
  {
    name: 'kubectl set env',
    act: (scene: Scene): Promise<unknown> => scene.kubectl('set', 'env', 'deployment/shop', 'MODE=wild'),
    field: `${web}.env[name=MODE].value`,
    values: '- wild\n      + calm',
    writer: 'kubectl-set',
    fallback: held('kubectl-set'),
  },
  {
    name: 'kubectl label',
    act: (scene: Scene): Promise<unknown> => scene.kubectl('label', 'deployment/shop', 'team=red', '--overwrite'),
    field: 'metadata.labels.team',
    values: '- red\n      + blue',
    writer: 'kubectl-label',
    fallback: held('kubectl-label'),
  },
  {
    name: 'the write of a controller',
    act: ({ namespace }: Scene): Promise<unknown> =>
      writeAs(cluster, 'cluster-autoscaler', { path: `/apis/apps/v1/namespaces/${namespace}/deployments/shop`, patch: { spec: { replicas: 4 } } }),
    field: 'spec.replicas',
    values: '! contested: cluster-autoscaler holds this field, as an autoscaler does; remove it from Git or stop that writer\n      - 4\n      + 1',
    writer: 'cluster-autoscaler',
    fallback: held('cluster-autoscaler'),
  },
  {
    // Who only removes holds nothing afterwards, so the server has no entry for it.
    name: 'a field that is removed',
    act: (scene: Scene): Promise<unknown> => patch(scene, [{ op: 'remove', path: '/metadata/labels/team' }]),
    field: 'metadata.labels',
    values: '+ team: blue',
    writer: 'nobody on record',
    removed: true,
    fallback: gone,
  },
  {
    name: 'a field that is removed along with another change',
    act: (scene: Scene): Promise<unknown> =>
      patch(scene, [
        { op: 'remove', path: '/metadata/labels/team' },
        { op: 'add', path: '/metadata/labels/owner', value: 'me' },
      ]),
    field: 'metadata.labels.team',
    values: '+ blue',
    writer: 'kubectl-patch',
    removed: true,
    fallback: gone,
  },
  {
    name: 'an item of a list that is removed',
    act: (scene: Scene): Promise<unknown> => scene.kubectl('set', 'env', 'deployment/shop', 'MODE-'),
    field: `${web}.env[name=MODE]`,
    values: '+ name: MODE\n      + value: calm',
    writer: 'nobody on record',
    removed: true,
    fallback: gone,
  },
  {
    name: 'an item of a list that is removed in an editor along with another change',
    act: (scene: Scene): Promise<unknown> => edit(scene, /value: one\n +- name: MODE\n +value: calm/, 'value: two'),
    field: `${web}.env[name=MODE]`,
    values: '+ name: MODE\n      + value: calm',
    writer: 'kubectl-edit',
    removed: true,
    fallback: gone,
  },
];

function expectTime(text: string, time: ActionTime): void {
  expect(isTimeOf(text, time), `${text} for what was done from ${time.from.toISOString()} to ${time.to.toISOString()}`).toBe(true);
}

/** What is said after the name of a field. */
function noteOf(output: string, field: string): string {
  const line = output.split('\n').find((candidate) => candidate.startsWith(`    ${field}  `));
  if (line === undefined) throw new Error(`nothing is said of ${field} in:\n${output}`);
  return line.slice(`    ${field}  `.length);
}

describe.each(actions)('$name', ({ act, field, values, writer, removed = false, fallback }) => {
  test('is told by the agent with who and exactly when, and by one diff as far as the server knows', async () => {
    await using scene = await stage();
    const agent = scene.agent();
    await agent.saw(/shop {2}Synced/);
    const time = await timed(() => act(scene));

    await agent.saw(/OutOfSync \(live-changed\)/);
    await waitFor(() => agent.output.stdout.includes(`      ${values}\n`), { what: `${values} on stdout` });
    const note = noteOf(agent.output.stdout, field);
    const prefix = `${removed ? 'removed ' : ''}by ${writer} at `;
    expect(note).toMatch(/^(?:removed )?by .* at \S+Z$/);
    expect(note.slice(0, prefix.length)).toBe(prefix);
    expectTime(note.slice(prefix.length), time);

    const record = await scene.recorded(new RegExp(`^${field.replaceAll(/\W/g, String.raw`\$&`)}$`));
    expect(record?.seen?.notBefore).toBeUndefined();
    expect(Date.parse(record?.seen?.seenAt ?? '')).toBeGreaterThanOrEqual(time.from.getTime());
    expectTime(record?.seen?.seenAt ?? '', time);

    const once = noteOf(await scene.diff(), field);
    expect(once).toMatch(fallback);
    const recorded = fallback.exec(once)?.[1];
    if (recorded !== undefined) expectTime(recorded, time);
  });
});

describe('controllers of the cluster itself', () => {
  test('the revision that the Deployment controller counts is told as its write, next to the one that caused it', async () => {
    await using scene = await stage(deployment.replace('labels: { team: blue }', `annotations: { ${revision}: "1" }`));
    const agent = scene.agent();
    await agent.saw(/shop {2}Synced/);
    const time = await timed(() => scene.kubectl('set', 'image', 'deployment/shop', 'web=nginx:2'));
    await agent.saw(/\n {6}- "2"\n {6}\+ "1"\n/);
    const [image, counted] = [noteOf(agent.output.stdout, `${web}.image`), noteOf(agent.output.stdout, `metadata.annotations["${revision}"]`)];
    expect(image).toMatch(/^by kubectl-set at \S+Z$/);
    // It writes the revision along with the status.
    expect(counted).toMatch(/^by kube-controller-manager \(status\) at \S+Z$/);
    expectTime(image.slice('by kubectl-set at '.length), time);
    expectTime(counted.slice('by kube-controller-manager (status) at '.length), time);
    expect(agent.output.stdout).toContain('! contested: kube-controller-manager (status) holds this field');
    expect(noteOf(await scene.diff(), `metadata.annotations["${revision}"]`)).toMatch(held(String.raw`kube-controller-manager \(status\)`));
  });
});

describe('what was not seen', () => {
  test('a change while the agent was away is told as far as the server knows, and exactly from then on', async () => {
    await using scene = await stage();
    const first = scene.agent();
    await first.saw(/shop {2}Synced/);
    expect(await first.stop()).toBe(0);
    const away = await timed(() => scene.kubectl('set', 'image', 'deployment/shop', 'web=nginx:2'));
    const second = scene.agent();
    await second.saw(/OutOfSync \(live-changed\)[^]*\+ nginx:1\n/);
    const note = noteOf(second.output.stdout, `${web}.image`);
    expect(note).toMatch(held('kubectl-set'));
    expectTime(held('kubectl-set').exec(note)?.[1] ?? '', away);

    const seen = await timed(() => scene.kubectl('label', 'deployment/shop', 'team=red', '--overwrite'));
    await second.saw(/- red\n/);
    const later = noteOf(second.output.stdout, 'metadata.labels.team');
    expect(later).toMatch(/^by kubectl-label at \S+Z$/);
    expectTime(later.slice('by kubectl-label at '.length), seen);
  });

  test('a field that is new in Git is nobody’s doing', async () => {
    await using scene = await stage(deployment);
    const output = await runCli(['diff', '-f', '-', '-n', scene.namespace, '--kubeconfig', cluster.kubeconfig], { input: deployment.replace('team: blue', 'team: blue, tier: front') });
    expect(noteOf(output.stdout, 'metadata.labels.tier')).toBe('new in Git, or removed: Kubernetes keeps no owner of what is gone');
  });
});
