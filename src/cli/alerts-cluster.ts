import { readApplication } from '../apps/index.ts';
import type { ApplicationWritten, Cluster } from '../cluster/index.ts';
import { isObject, labelsOf, namedApplication, SetpointError, stringifyJson, type Application, type JsonObject, type KubeObject } from '../model/index.ts';
import { readApplicationStatus } from '../status/index.ts';
import type { AlertedItem, AlertsSource } from './alerts-source.ts';
import { leaseOf } from './status-beats.ts';
import { createClusterSource } from './status-cluster.ts';

interface ClusterAlertsOptions {
  readonly cluster: Pick<Cluster, 'applications' | 'lease' | 'silences' | 'userName' | 'close'>;
  readonly context: string;
  /** Where nobody names another. */
  readonly namespace: string;
  /** Of the agent, where somebody names it. */
  readonly agentNamespace: string | undefined;
  /** As the machine calls the user. */
  readonly localUser: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

/** Where an agent is that nobody has told otherwise. */
const usualAgentNamespace = 'setpoint';

/** The alerts of the Applications of a cluster, with the user's own rights. */
export function createClusterAlerts({ cluster, context, namespace: usual, agentNamespace, localUser, now, warn }: ClusterAlertsOptions): AlertsSource {
  const applications = cluster.applications();
  const statuses = createClusterSource({ cluster, context, namespace: usual, now, warn });
  const log = { warn: (message: string, { silence }: Readonly<Record<string, unknown>> = {}): void => warn(typeof silence === 'string' ? `${message}: ${silence}` : message) };
  const itemOf = (object: KubeObject): AlertedItem => ({
    application: applicationOf(object),
    // What Git and the cluster agreed on is long, and for the agent alone.
    status: readApplicationStatus(idOf(object), isObject(object['status']) ? { ...object['status'], memory: null } : undefined),
    keeper: agentNamespace ?? keeperOf(object) ?? usualAgentNamespace,
  });
  const written = (id: string, answer: ApplicationWritten): void => {
    if (answer.type === 'written') return;
    if (answer.type === 'gone') throw new SetpointError('Usage', `there is no Application ${id} any more (context ${context})`);
    if (answer.type === 'conflict') throw new SetpointError('ClusterError', `${id} is being changed by somebody else: try again`);
    throw new SetpointError(answer.type === 'unknown' ? answer.code : 'ClusterError', `the cluster does not take the change of ${id}: ${answer.message}`);
  };

  return {
    place: `context ${context}`,
    async read(question, signal) {
      if (question.app !== undefined) {
        const found = await statuses.read(question, signal);
        const objects = await Promise.all(found.map(({ id }) => applications.get(id, signal)));
        return objects.filter((object) => object !== undefined).map(itemOf);
      }
      const objects = await applications.list({ namespaces: question.allNamespaces === true ? 'all' : [question.namespace ?? usual] }, signal);
      return objects.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1)).map(itemOf);
    },
    async setMute(id, mute, signal) {
      written(id, await applications.annotate(id, { 'setpoint.dev/mute': mute === undefined ? null : stringifyJson(mute as unknown as JsonObject) }, signal));
    },
    async askForReplay(id, text, signal) {
      written(id, await applications.annotate(id, { 'setpoint.dev/replay': text }, signal));
    },
    silencesOf: (keeper) => cluster.silences({ namespace: keeper, log, now }),
    async usualKeeper(signal) {
      if (agentNamespace !== undefined) return agentNamespace;
      // Those of one namespace are soon read, and are all that many may read.
      const near = keepersOf(await applications.list({ namespaces: [usual] }, signal).catch(orNone));
      const [keeper, ...others] = near.length > 0 ? near : keepersOf(await applications.list({ namespaces: 'all' }, signal).catch(orNone));
      if (others.length > 0) throw new SetpointError('Usage', `there are agents in the namespaces ${[keeper, ...others].join(', ')}: name one with --agent-namespace`);
      return keeper ?? usualAgentNamespace;
    },
    author: async (signal) => (await cluster.userName(signal)) ?? localUser,
    [Symbol.asyncDispose]: () => statuses[Symbol.asyncDispose](),
  };
}

/** Who may not list them is not told where the agent is. */
function orNone(error: unknown): readonly KubeObject[] {
  if (error instanceof SetpointError && error.code === 'Forbidden') return [];
  throw error;
}

/** One that is refused has a name and labels all the same. */
function applicationOf(object: KubeObject): Application {
  const read = readApplication(object);
  if (read.type === 'application') return { ...read.spec, destination: { namespace: read.spec.destination.namespace ?? 'default' } };
  return namedApplication(idOf(object), { labels: labelsOf(object) });
}

function keepersOf(objects: readonly KubeObject[]): readonly string[] {
  return [...new Set(objects.flatMap((object) => keeperOf(object) ?? []))];
}

function keeperOf(object: KubeObject): string | undefined {
  return leaseOf(object)?.split('/')[0];
}

function idOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
