// A control plane with namespaces and the definition of Applications, a repository on a server of its own, and a witness that watches both.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigText } from '../../test/support/cluster/kubeconfig.ts';
import { startControlPlane } from '../../test/support/cluster/start-control-plane.ts';
import type { TestCluster } from '../../test/support/cluster/test-cluster.ts';
import { createRepository } from '../../test/support/git-repository.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { BenchOptions } from '../bench.ts';
import { bundleAgent } from '../../release/bundle.ts';
import { startChild } from '../source/child.ts';
import { importOne } from '../source/import-commits.ts';
import type { FromServer } from '../source/server-child.ts';
import { startAgent, type AgentOptions, type AgentProcess } from './agent-process.ts';
import { openApiClient, type ApiClient } from './api-client.ts';
import { configMapOf, configMapPath, filesOf, namespaceName, type Entry } from './manifests.ts';
import { fullShape, quickShape, type Shape } from './shape.ts';
import { createSightings, type Sightings } from './sightings.ts';

/** What the status of an Application says. */
export interface SeenVerdict {
  readonly status: string | undefined;
  readonly cause: string | undefined;
  readonly health: string | undefined;
}

export interface World extends AsyncDisposable {
  readonly shape: Shape;
  readonly admin: TestCluster;
  /** Who the agent is to the API server. */
  readonly agentUser: string;
  readonly agentNamespace: string;
  readonly client: ApiClient;
  /** By name: they are all in one namespace. */
  readonly verdicts: Sightings<SeenVerdict>;
  /** Data of ConfigMaps by name, straight from a watch: the floor. */
  readonly settings: Sightings<Readonly<Record<string, string>>>;
  readonly repository: string;
  readonly secret: string;
  /** Aborted when the benchmark is interrupted or the witness is blind. */
  readonly signal: AbortSignal;
  /** Changes one value in Git; gives the id before and after. */
  commit(entry: Entry, value: string): Promise<{ readonly before: string; readonly after: string }>;
  startAgent(more?: Pick<AgentOptions, 'nodeFlags'>): Promise<AgentProcess>;
}

const agentNamespace = 'setpoint';
const agentName = 'agent';
const crdFile = join(import.meta.dirname, '..', '..', 'charts', 'setpoint', 'crds', 'applications.setpoint.dev.yaml');

export async function openWorld({ quick, say, signal }: BenchOptions, shape: Shape = quick ? quickShape : fullShape): Promise<World> {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(await tempFolder());
  say(`making a repository of ${shape.applications} applications`);
  const server = undo.use(await startChild<FromServer>('server-child.ts', []));
  if (server.first.type !== 'started') throw new Error('the git server did not start');
  const { url, gitDir } = server.first;
  const repository = await createRepository({ name: 'fleet', url, gitDir, workTree: join(folder.path, 'work') });
  let head = await repository.commit(Object.assign({}, ...Array.from({ length: shape.applications }, (_none, at) => filesOf(at))) as Record<string, string>);

  say('starting a control plane');
  // Not that of SETPOINT_TEST_KUBECONFIG: its audit log and its other users are unknown.
  const admin = undo.adopt(await startControlPlane(), (cluster) => cluster.stop());
  signal.throwIfAborted();
  const namespaces = [agentNamespace, ...Array.from({ length: shape.namespaces }, (_none, at) => namespaceName(at))];
  await admin.apply(namespaces.map((name) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`).join('---\n'));
  await admin.apply(await readFile(crdFile, 'utf8'));
  await admin.kubectl(['wait', '--for=condition=Established', 'crd/applications.setpoint.dev', '--timeout=60s']);
  const kubeconfig = await agentKubeconfig(admin, folder.path);

  const blind = new AbortController();
  const client = undo.use(await openApiClient(admin.kubeconfig, (error) => blind.abort(error)));
  const applications = '/apis/setpoint.dev/v1alpha1/applications';
  // Established comes a moment before every request is answered.
  await waitFor(() => client.send('GET', applications), { what: 'Applications to be served' });
  const verdicts = createSightings<SeenVerdict>();
  const settings = createSightings<Readonly<Record<string, string>>>();
  await client.watch(applications, ({ object }, at) => {
    const { metadata, status } = object as { readonly metadata: { readonly name: string }; readonly status?: { readonly sync?: { readonly status?: string; readonly cause?: string }; readonly health?: { readonly status?: string } } };
    verdicts.see(metadata.name, { status: status?.sync?.status, cause: status?.sync?.cause, health: status?.health?.status }, at);
  });
  await client.watch('/api/v1/configmaps', ({ object }, at) => {
    const { metadata, data = {} } = object as { readonly metadata: { readonly name: string }; readonly data?: Readonly<Record<string, string>> };
    settings.see(metadata.name, data, at);
  });

  say('bundling the agent');
  const program = await bundleAgent();
  const secret = randomBytes(32).toString('hex');
  const secretFile = join(folder.path, 'hook-secret');
  await writeFile(secretFile, secret, { mode: 0o600 });
  const agentFolder = join(folder.path, 'agent');
  await mkdir(agentFolder);
  let commits = 0;
  const ending = undo.move();
  return {
    shape,
    admin,
    agentUser: `system:serviceaccount:${agentNamespace}:${agentName}`,
    agentNamespace,
    client,
    verdicts,
    settings,
    repository: url,
    secret,
    signal: AbortSignal.any([signal, blind.signal]),
    async commit(entry, value) {
      const before = head;
      commits += 1;
      head = await importOne(gitDir, { path: configMapPath(entry), content: configMapOf(entry, value), number: commits });
      return { before, after: head };
    },
    startAgent: (more) => startAgent({ program, kubeconfig, namespace: agentNamespace, folder: agentFolder, secretFile, ...more }),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

/** With a user of its own: the audit log tells its requests from all others. */
async function agentKubeconfig(admin: TestCluster, folder: string): Promise<string> {
  await admin.kubectl(['create', 'serviceaccount', agentName, '-n', agentNamespace]);
  await admin.kubectl(['create', 'clusterrolebinding', 'bench-agent', '--clusterrole=cluster-admin', `--serviceaccount=${agentNamespace}:${agentName}`]);
  const token = (await admin.kubectl(['create', 'token', agentName, '-n', agentNamespace, '--duration=4h'])).trim();
  const { clusters } = JSON.parse(await readFile(admin.kubeconfig, 'utf8')) as { readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[] };
  const target = clusters[0]?.cluster;
  if (target === undefined) throw new Error('the kubeconfig of the control plane has no cluster');
  const file = join(folder, 'agent.kubeconfig');
  await writeFile(file, kubeconfigText({ server: target.server, caData: target['certificate-authority-data'], token }), { mode: 0o600 });
  return file;
}
