// The chart as Helm installs it, and the agent as its pod would run it, with the same rights: the pods themselves have an image that nobody has.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { valueAt } from '../../src/model/index.ts';
import type { AgentScene } from './agent-scene.ts';
import { accountOf, chartFolder, helm, objectsIn, type Rendered } from './chart.ts';
import { runCli, startCli, type RunningCli } from './cli.ts';
import { kubeconfigText } from './cluster/kubeconfig.ts';
import type { TestCluster } from './cluster/test-cluster.ts';

export interface Doctored {
  readonly code: number | null;
  /** What is not fine, sorted. */
  readonly bad: readonly string[];
}

export interface ChartPod {
  /** As whom the agent goes. */
  readonly username: string;
  start(): RunningCli;
  doctor(): Promise<Doctored>;
}

export interface InstalledChart extends ChartPod, AsyncDisposable {}

export async function installChart(cluster: TestCluster, scene: AgentScene, values: object): Promise<InstalledChart> {
  const { namespace } = scene;
  const run = async (command: readonly string[], given: object = {}): Promise<string> => {
    const { code, stdout, stderr } = await helm([...command, '-n', namespace, '--kubeconfig', cluster.kubeconfig], given);
    if (code !== 0) throw new Error(`helm ${command.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  await run(['install', 'setpoint', chartFolder], { image: { repository: 'registry.example.com/setpoint' }, crds: { install: false }, applications: { namespaces: [namespace] }, ...values });
  const objects = objectsIn(await run(['get', 'manifest', 'setpoint']));
  return {
    ...(await podOf(cluster, scene, objects)),
    async [Symbol.asyncDispose]() {
      await run(['uninstall', 'setpoint']);
    },
  };
}

/** What the pod of these objects would run, once they are in the cluster. */
export async function podOf(cluster: TestCluster, { namespace, folder }: AgentScene, objects: readonly Rendered[]): Promise<ChartPod> {
  const account = accountOf(objects);
  const token = (await cluster.kubectl(['create', 'token', account, '-n', namespace])).trim();
  const admin = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'])) as { clusters: { cluster: { server: string; 'certificate-authority-data': string } }[] };
  const [target] = admin.clusters;
  const pod = await mkdtemp(join(folder, 'pod-'));
  const [kubeconfig, config] = [join(pod, 'kubeconfig'), join(pod, 'config.yaml')];
  await writeFile(kubeconfig, kubeconfigText({ server: target?.cluster.server ?? '', caData: target?.cluster['certificate-authority-data'] ?? '', token, namespace }));
  const map = objects.find((object) => object.kind === 'ConfigMap' && valueAt(object, ['data', 'config.yaml']) !== undefined);
  await writeFile(config, valueAt(map, ['data', 'config.yaml']) as string);
  const env = { SETPOINT_AGENT_NAMESPACE: namespace, SETPOINT_LEASE: 'setpoint-agent', SETPOINT_RENDER_ENGINE: await buildRenderEngine(), NODE_OPTIONS: '--disable-proto=delete' };
  let agents = 0;
  return {
    username: `system:serviceaccount:${namespace}:${account}`,
    start() {
      agents += 1;
      // But for addresses and folders of this machine, and for times that are shorter.
      const here = ['--state', join(pod, `state-of-${agents}`), '--listen-operations', 'none', '--interval', '10s', '--sweep', '1s', '--lease-duration', '4s', '--log-level', 'debug'];
      return startCli(['run', '--config', config, '--kubeconfig', kubeconfig, ...here], { env });
    },
    async doctor() {
      const { code, stdout } = await runCli(['doctor', '--as-agent', '-n', namespace, '--kubeconfig', kubeconfig, '-o', 'json'], { env });
      const { checks } = JSON.parse(stdout) as { checks: readonly { level: string; about: string; text: string }[] };
      return { code, bad: checks.filter(({ level }) => level !== 'fine').map(({ level, about, text }) => `${level} ${about}: ${text}`).toSorted() };
    },
  };
}
