import { createCluster, loadKubeconfig, type Cluster } from '../cluster/index.ts';
import type { ApplicationSpec, KubeObject } from '../model/index.ts';
import { createSourceRenderer } from '../sources.ts';
import { checkAgents } from './doctor-agents.ts';
import { managedIn, managedOf, visibleApplications } from './doctor-applications.ts';
import { failureOf, fine, type Check } from './doctor-check.ts';
import { checkDefinition, judgeServer } from './doctor-cluster.ts';
import { needsOfAgent, needsOfManaged, needsOfUser } from './doctor-needs.ts';
import { checkRights } from './doctor-rights.ts';
import type { DoctorFlags } from './doctor.ts';
import { openManifests } from './manifest-reader.ts';

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly tell: (...checks: readonly Check[]) => void;
  readonly signal: AbortSignal;
}

type Connection = Awaited<ReturnType<typeof loadKubeconfig>>;

/** Everything about the cluster, as far as it can be reached. Gives the Applications that it holds. */
export async function examineCluster(flags: DoctorFlags, surroundings: Surroundings): Promise<readonly ApplicationSpec[]> {
  const { tell } = surroundings;
  let cluster: Cluster | undefined;
  try {
    const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
    cluster = createCluster(connection);
    tell(fine('kubeconfig', `context ${connection.context}`));
    return await examine({ cluster, connection, flags }, surroundings);
  } catch (error) {
    tell(failureOf(cluster === undefined ? 'kubeconfig' : 'cluster', error));
    return [];
  } finally {
    await cluster?.close();
  }
}

interface Subject {
  readonly cluster: Cluster;
  readonly connection: Connection;
  readonly flags: DoctorFlags;
}

async function examine({ cluster, connection, flags }: Subject, { env, stdin, tell, signal }: Surroundings): Promise<readonly ApplicationSpec[]> {
  const now = (): Date => new Date();
  const ownNamespace = connection.namespace ?? 'default';
  // Discovery has the clearest words for a cluster that is not there, or has another user.
  const kinds = await cluster.discover(signal);
  tell(...judgeServer(await cluster.askServer(signal), connection.server));

  const definition = await checkDefinition({ cluster, isNeeded: flags.asAgent }, signal);
  tell(definition);
  const isServed = kinds.lookUp('setpoint.dev/v1alpha1', 'Application').type === 'served';
  const seen = isServed ? await visibleApplications({ cluster, namespace: flags.namespace, ownNamespace }, signal) : undefined;
  tell(...(seen?.checks ?? []));

  const manifests = flags.filename === undefined ? [] : await documentsIn({ path: flags.filename, namespace: flags.namespace ?? ownNamespace, env, stdin }, signal);
  const managed = [...(seen === undefined ? [] : managedOf(seen, kinds, now())), ...managedIn(manifests, kinds, flags.namespace ?? ownNamespace)];
  const namespaces = seen?.namespaces ?? [flags.namespace ?? ownNamespace];
  const needs = [
    ...(flags.asAgent ? needsOfAgent({ namespaces, cascades: seen?.specs.some(({ deletionPolicy }) => deletionPolicy === 'Cascade') ?? false, agentNamespace: flags.agentNamespace, lease: flags.lease }) : isServed ? needsOfUser(namespaces) : []),
    ...needsOfManaged(managed),
  ];
  tell(...(await checkRights(cluster, needs, signal)));
  if (isServed) tell(...(await checkAgents({ cluster, objects: seen?.objects ?? [], usual: `${flags.agentNamespace}/${flags.lease}`, now }, signal)));
  return seen?.specs ?? [];
}

interface Manifests extends Pick<Surroundings, 'env' | 'stdin'> {
  readonly path: string;
  readonly namespace: string;
}

async function documentsIn({ path, namespace, env, stdin }: Manifests, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const renderer = createSourceRenderer({ renderer: 'wasm', env });
  try {
    const nothingSpecial = { values: [], set: [], setString: [], apiVersions: [], skipCrds: false, renderer: 'wasm' } as const;
    const reader = await openManifests({ ...nothingSpecial, filename: path }, renderer, stdin);
    const { documents } = await reader.read({ namespace, capabilities: undefined, signal });
    return documents.map(({ object }) => object);
  } finally {
    await renderer.close();
  }
}
