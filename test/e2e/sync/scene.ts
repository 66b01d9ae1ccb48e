// One application `shop`, an agent that looks after it under a name of its own, and what the audit log says of that name.
import { agentScene, type AgentScene, type AppStatusView } from '../../support/agent-scene.ts';
import { installCrd } from '../../support/application-crd.ts';
import type { RunningCli } from '../../support/cli.ts';
import type { AuditEvent } from '../../support/cluster/audit-log.ts';
import type { TestCluster } from '../../support/cluster/test-cluster.ts';
import type { Operation } from '../../../src/model/index.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface SyncView extends AppStatusView {
  readonly operation?: Operation | null;
  readonly answered?: { readonly request: string; readonly message?: string } | null;
  readonly held?: readonly { readonly kind: string; readonly name: string; readonly code: string; readonly why: string; readonly confirm?: string }[];
  readonly health?: { readonly status: string; readonly message: string | null } | null;
  readonly history?: readonly { readonly type: string; readonly revision: string; readonly applied: number; readonly pruned: number; readonly held: number; readonly failed: number }[];
  readonly resources?: readonly { readonly name: string; readonly message?: string }[];
  readonly inventory?: string | null;
}

type Files = Readonly<Record<string, string | null>>;

export interface SyncScene extends Omit<AgentScene, 'agent'> {
  readonly cluster: TestCluster;
  /** Files of the application; null takes one away. A running agent is told that there is something new. */
  commit(files: Files): Promise<string>;
  /** Declares the application, with this spec besides its source. */
  application(spec?: Readonly<Record<string, unknown>>): Promise<void>;
  start(...args: readonly string[]): Promise<RunningCli>;
  look(): Promise<void>;
  view(): Promise<SyncView>;
  viewWhen(what: string, is: (view: SyncView) => boolean | Promise<boolean>): Promise<SyncView>;
  /** Waits until this commit is Synced, with nothing under way. */
  synced(commit: string): Promise<SyncView>;
  /** Waits until something is held for this reason. */
  heldFor(code: string): Promise<NonNullable<SyncView['held']>[number]>;
  /** Asks for a sync by hand, and waits until it is answered and over. */
  ask(request?: Readonly<Record<string, unknown>>): Promise<SyncView>;
  /** What the agent changed, leaving out its own records: `patch configmaps/a`, in the order of the server. */
  written(): Promise<readonly string[]>;
  deleted(): Promise<readonly string[]>;
  requests(): Promise<readonly AuditEvent[]>;
  /** Waits until the ConfigMap is not there any more. */
  gone(name: string): Promise<unknown>;
  object(resource: string, name: string): Promise<LiveView | undefined>;
}

export interface LiveView {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly generation?: number; readonly annotations?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly replicas?: number; readonly selector?: Readonly<Record<string, string>>; readonly sessionAffinity?: string };
}

export const deadlineMs = 60_000;

export async function syncScene(cluster: TestCluster, files: Files): Promise<SyncScene> {
  // Two that install it at once see it before its server does.
  await waitFor(() => installCrd(cluster).then(() => true), { what: 'the definition of Applications', deadlineMs });
  const { agent, ...at } = await agentScene(cluster, []);
  const audit = await cluster.auditLog();
  const user = `agent-of-${at.namespace}`;
  const kubeconfig = await at.kubeconfigOf(user);
  let [asked, looks] = [0, 0];
  const inFolder = (some: Files): Files => Object.fromEntries(Object.entries(some).map(([path, text]) => [`apps/shop/${path}`, text]));
  const annotate = async (name: string, value: string): Promise<void> => {
    const text = JSON.stringify({ metadata: { annotations: { [name]: value } } });
    const answer = await at.api.send('PATCH', `/apis/setpoint.dev/v1alpha1/namespaces/${at.namespace}/applications/shop`, { type: 'application/merge-patch+json', text });
    if (answer.status !== 200) throw new Error(`the annotation ${name} was answered with ${answer.status}: ${answer.text}`);
  };
  const view = (): Promise<SyncView> => at.status('shop') as Promise<SyncView>;
  const viewWhen: SyncScene['viewWhen'] = async (what, is) => {
    let last: SyncView = {};
    return waitFor(async () => ((await is((last = await view()))) ? last : undefined), { what, deadlineMs }).catch((error: Error) => {
      const { sync, operation, held, resources, answered } = last;
      throw new Error(`${error.message.split(';')[0]}; it is ${JSON.stringify({ sync, operation, held, resources, answered }, undefined, 1)}`, { cause: error });
    });
  };
  const requests = async (): Promise<readonly AuditEvent[]> => (await audit.events()).filter(({ impersonatedUser }) => impersonatedUser?.username === user);
  const written = async (): Promise<readonly string[]> => (await requests()).filter(isWrite).map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}/${objectRef?.name ?? ''}`);
  const look = async (): Promise<void> => {
    looks += 1;
    await annotate('setpoint.dev/refresh', `look-${looks}`);
  };
  await at.repository.commit(inFolder(files));
  let isDeclared = false;
  return {
    ...at,
    cluster,
    view,
    viewWhen,
    requests,
    written,
    look,
    start: async (...args) => agent('--kubeconfig', kubeconfig, ...args),
    async commit(some) {
      const commit = await at.repository.commit(inFolder(some));
      if (isDeclared) await look();
      return commit;
    },
    async application(spec = {}) {
      await at.declare('shop', spec);
      isDeclared = true;
    },
    synced: (commit) =>
      viewWhen(`shop to be Synced at ${commit}`, ({ sync, operation }) => sync?.status === 'Synced' && sync.revision === commit && operation?.state !== 'running' && operation?.state !== 'failing'),
    async heldFor(code) {
      const { held = [] } = await viewWhen(`something to be held for ${code}`, ({ held: some = [] }) => some.some((hold) => hold.code === code));
      return held.find((hold) => hold.code === code) as NonNullable<SyncView['held']>[number];
    },
    async ask(request = {}) {
      asked += 1;
      const id = `ask-${asked}`;
      await annotate('setpoint.dev/sync', JSON.stringify({ id, by: 'test', ...request }));
      return viewWhen(`an answer to ${id}`, ({ answered, operation }) => answered?.request === id && operation?.state !== 'running' && operation?.state !== 'failing');
    },
    deleted: async () => (await written()).filter((line) => line.startsWith('delete')),
    gone: (name) => waitFor(async () => (await at.live(name)) === undefined, { what: `${name} to be gone`, deadlineMs }),
    async object(resource, name) {
      const group = resource === 'configmaps' || resource === 'services' ? 'api/v1' : 'apis/apps/v1';
      const { status, text } = await at.api.send('GET', `/${group}/namespaces/${at.namespace}/${resource}/${name}`);
      return status === 200 ? (JSON.parse(text) as LiveView) : undefined;
    },
  };
}

const own: ReadonlySet<string> = new Set(['events', 'leases', 'applications', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews']);

function isWrite({ verb, requestURI, objectRef, responseStatus }: AuditEvent): boolean {
  const isChange = ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(verb) && !requestURI.includes('dryRun=All');
  const isOwn = own.has(objectRef?.resource ?? '') || requestURI.includes('/secrets');
  return isChange && !isOwn && (verb === 'delete' || (responseStatus?.code ?? 500) < 300);
}

export function configMap(name: string, more: { readonly value?: string; readonly annotations?: Readonly<Record<string, string>> } = {}): string {
  const { value = 'on', annotations } = more;
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(annotations && { annotations }) }, data: { mode: value } })}\n`;
}
