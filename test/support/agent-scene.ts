// Applications of one repository, in the cluster or in a file, and agents that look after them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installCrd } from './application-crd.ts';
import { startCli, type RunningCli } from './cli.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { freePort } from './free-port.ts';
import type { Repository } from './git-repository.ts';
import { startGitServer, type GitServer } from './git-server.ts';
import { openRawApi, type RawApi } from './raw-api.ts';
import { tempFolder } from './temp-folder.ts';
import { patienceMs, waitFor } from './wait-for.ts';

export interface AppStatusView {
  readonly sync?: { readonly status: string; readonly cause?: string; readonly revision?: string; readonly code?: string; readonly message?: string };
  readonly episodes?: readonly { readonly id: string; readonly key: string; readonly cause: string; readonly openedAt: string; readonly closedAt?: string; readonly by?: string }[];
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  readonly epoch?: number;
  readonly observedRefresh?: string;
  readonly observedGeneration?: number;
  readonly history?: readonly unknown[];
}

export interface AgentScene extends AsyncDisposable {
  readonly namespace: string;
  readonly server: GitServer;
  readonly repository: Repository;
  readonly folder: string;
  readonly api: RawApi;
  /** Declares an Application whose folder has the name of the application. */
  declare(name: string, spec?: Readonly<Record<string, unknown>>): Promise<void>;
  agent(...args: readonly string[]): RunningCli;
  /** With its health and metrics at the address that it gives. */
  served(...args: readonly string[]): Promise<{ readonly agent: RunningCli; readonly operations: string; readonly hooks: string }>;
  status(name: string): Promise<AppStatusView>;
  /** Waits until the verdict of an application is as wanted: `Synced`, or `OutOfSync live-changed`. */
  until(name: string, verdict: string, deadlineMs?: number): Promise<AppStatusView>;
  edit(name: string, value: string): Promise<void>;
  /** Has the agent ask Git and look at everything, and waits for that. */
  refresh(name: string): Promise<void>;
  live(name: string): Promise<string | undefined>;
  /** The path of a kubeconfig that goes by another name in the audit log, with all rights. */
  kubeconfigOf(user: string): Promise<string>;
}

export const manifest = (name: string, value: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  mode: "${value}"\n`;

/** Each application `x` is the folder `apps/x` with one ConfigMap `x`, whose key `mode` is `on`. */
export async function agentScene(cluster: TestCluster, names: readonly string[]): Promise<AgentScene> {
  const parts = new AsyncDisposableStack();
  await installCrd(cluster);
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const server = parts.use(await startGitServer());
  const folder = parts.use(await tempFolder());
  const api = parts.use(await openRawApi(cluster.kubeconfig));
  const repository = await server.createRepository('fleet');
  await repository.commit(Object.fromEntries(names.map((name) => [`apps/${name}/c.yaml`, manifest(name, 'on')])));
  const path = (name: string): string => `/apis/setpoint.dev/v1alpha1/namespaces/${namespace}/applications/${name}`;
  const configMap = (name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  const secretFile = join(folder.path, 'hook-secret');
  await writeFile(secretFile, 'a secret of this test');
  let [agents, refreshes] = [0, 0];

  const agent = (...args: readonly string[]): RunningCli => {
    agents += 1;
    const own = ['--namespaces', namespace, '--agent-namespace', namespace, '--state', join(folder.path, `state-${agents}`)];
    const kubeconfig = args.includes('--kubeconfig') ? [] : ['--kubeconfig', cluster.kubeconfig];
    const interval = args.includes('--interval') ? [] : ['--interval', '10s'];
    const operations = args.includes('--listen-operations') ? [] : ['--listen-operations', 'none'];
    return parts.use(startCli(['run', ...own, ...kubeconfig, ...interval, ...operations, '--lease-duration', '4s', '--log-format', 'json', ...args]));
  };
  const status = async (name: string): Promise<AppStatusView> => {
    const { status: code, text } = await api.send('GET', path(name));
    if (code !== 200) throw new Error(`the Application ${name} was answered with ${code}: ${text}`);
    return (JSON.parse(text) as { status?: AppStatusView }).status ?? {};
  };
  return {
    namespace,
    server,
    repository,
    folder: folder.path,
    api,
    agent,
    status,
    async served(...args) {
      const [operations, hooks] = [await freePort(), await freePort()];
      await mkdir(join(folder.path, 'config'), { recursive: true });
      const config = join(folder.path, 'config', `${hooks}.yaml`);
      await writeFile(config, `receivers:\n  - { id: push, provider: github, secretFile: ${secretFile} }\n`);
      const started = agent('--listen-operations', `127.0.0.1:${operations}`, '--listen-hooks', `127.0.0.1:${hooks}`, '--config', config, ...args);
      return { agent: started, operations: `http://127.0.0.1:${operations}`, hooks: `http://127.0.0.1:${hooks}` };
    },
    async declare(name, spec = {}) {
      const source = { repoURL: repository.url, targetRevision: 'main', path: `apps/${name}` };
      const object = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name, namespace }, spec: { source, destination: { namespace }, ...spec } };
      await cluster.apply(JSON.stringify(object));
    },
    async until(name, verdict, deadlineMs = patienceMs) {
      let last: AppStatusView = {};
      return waitFor(
        async () => {
          last = await status(name);
          return `${last.sync?.status ?? ''} ${last.sync?.cause ?? ''}`.trim() === verdict ? last : undefined;
        },
        { what: `${name} to be ${verdict}`, deadlineMs },
      ).catch((error: Error) => {
        throw new Error(`${error.message}; it is ${JSON.stringify(last.sync)}`, { cause: error });
      });
    },
    async edit(name, value) {
      const text = JSON.stringify({ data: { mode: value } });
      const answer = await api.send('PATCH', `${configMap(name)}?fieldManager=kubectl-edit`, { type: 'application/merge-patch+json', text });
      if (answer.status !== 200) throw new Error(`the edit was answered with ${answer.status}: ${answer.text}`);
    },
    async refresh(name) {
      refreshes += 1;
      const wish = `${refreshes}`;
      const text = JSON.stringify({ metadata: { annotations: { 'setpoint.dev/refresh': wish } } });
      const answer = await api.send('PATCH', path(name), { type: 'application/merge-patch+json', text });
      if (answer.status !== 200) throw new Error(`the refresh of ${name} was answered with ${answer.status}: ${answer.text}`);
      await waitFor(async () => (await status(name)).observedRefresh === wish, { what: `the look at ${name} that was asked for`, deadlineMs: 60_000 });
    },
    async live(name) {
      const { status: code, text } = await api.send('GET', configMap(name));
      return code === 200 ? (JSON.parse(text) as { data: { mode: string } }).data.mode : undefined;
    },
    async kubeconfigOf(user) {
      const config = JSON.parse(await readFile(cluster.kubeconfig, 'utf8')) as { users: { user: object }[] };
      const file = join(folder.path, `${user}.kubeconfig`);
      await writeFile(file, JSON.stringify({ ...config, users: config.users.map((each) => ({ ...each, user: { ...each.user, as: user, 'as-groups': ['system:masters'] } })) }));
      return file;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
