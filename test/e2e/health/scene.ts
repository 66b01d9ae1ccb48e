// A namespace of its own, whose pods no scheduler takes: the test is their kubelet, and says what becomes of them.
import type { Health, KubeObject } from '../../../src/model/index.ts';
import { healthOf, type HealthContext } from '../../../src/health/index.ts';
import type { TestCluster } from '../../support/cluster/test-cluster.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface Scene extends AsyncDisposable {
  readonly namespace: string;
  apply(manifests: string): Promise<void>;
  kubectl(...args: readonly string[]): Promise<string>;
  live(kind: string, name: string): Promise<KubeObject>;
  /** Those with the label `app`, as the server has them. */
  pods(app: string): Promise<readonly KubeObject[]>;
  setStatus(kind: string, name: string, status: object): Promise<void>;
  /** Waits until the live object is such, and gives the health that it then has. */
  healthWhen(what: Target, is: (health: Health) => boolean, context?: Partial<HealthContext>): Promise<Health>;
}

export interface Target {
  readonly kind: string;
  readonly name: string;
}

const ownsPods = new Set(['deployment', 'statefulset', 'daemonset', 'job']);

export async function stage(cluster: TestCluster): Promise<Scene> {
  const space = await cluster.createNamespace();
  const namespace = space.name;
  const kubectl = (...args: readonly string[]): Promise<string> => cluster.kubectl([...args, '-n', namespace]);
  const live = (kind: string, name: string): Promise<KubeObject> => cluster.getJson<KubeObject>(kind, name, '-n', namespace);
  const pods = async (app: string): Promise<readonly KubeObject[]> =>
    (await cluster.getJson<{ readonly items: readonly KubeObject[] }>('pods', '-l', `app=${app}`, '-n', namespace)).items;
  return {
    namespace,
    kubectl,
    live,
    pods,
    apply: async (manifests) => {
      await cluster.kubectl(['apply', '--server-side', '--field-manager', 'test-setup', '-n', namespace, '-f', '-'], manifests);
    },
    setStatus: async (kind, name, status) => {
      await kubectl('patch', kind, name, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status }));
    },
    async healthWhen({ kind, name }, is, context = {}) {
      const look = async (): Promise<Health | undefined> => {
        const health = healthOf(await live(kind, name), { now: new Date(), pods: ownsPods.has(kind) ? await pods(name) : [], ...context });
        return is(health) ? health : undefined;
      };
      return waitFor(look, { what: `the wanted health of ${kind} ${name}`, deadlineMs: 40_000 });
    },
    [Symbol.asyncDispose]: () => space[Symbol.asyncDispose](),
  };
}

export const isHealthy = ({ status }: Health): boolean => status === 'Healthy';

export const says =
  (text: string) =>
  ({ message = '' }: Health): boolean =>
    message.includes(text);

/** A workload's template, for pods that nobody schedules. */
export function template(app: string, more: object = {}): object {
  return {
    metadata: { labels: { app } },
    spec: { schedulerName: 'nobody', terminationGracePeriodSeconds: 0, containers: [{ name: 'app', image: 'registry.example.com/shop/web:1', env: [{ name: 'TOKEN', value: 'canary-of-health' }] }], ...more },
  };
}

export function workload(kind: string, name: string, spec: object): string {
  return JSON.stringify({ apiVersion: 'apps/v1', kind, metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec } });
}

const image = { name: 'app', image: 'registry.example.com/shop/web:1', imageID: '', restartCount: 0 };

/** What a kubelet writes when all goes well. */
export function readyStatus(): object {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
  const conditions = ['Ready', 'ContainersReady', 'Initialized', 'PodScheduled'].map((type) => ({ type, status: 'True', lastTransitionTime }));
  return { phase: 'Running', conditions, containerStatuses: [{ ...image, ready: true, started: true, state: { running: { startedAt: lastTransitionTime } } }] };
}

/** What a kubelet writes of a container that does not run. */
export function notReadyStatus(container: object): object {
  const conditions = [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [app]', lastTransitionTime: new Date().toISOString().replace(/\.\d+/, '') },
    { type: 'PodScheduled', status: 'True' },
  ];
  return { phase: 'Pending', conditions, containerStatuses: [{ ...image, ready: false, started: false, ...container }] };
}
