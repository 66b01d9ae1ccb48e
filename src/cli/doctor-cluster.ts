import { applicationCrd } from '../apps/index.ts';
import type { Cluster, ServerFacts } from '../cluster/index.ts';
import { applicationKind, childOf, entriesOf, isList, resourceKey, valueAt, type Json, type KubeObject } from '../model/index.ts';
import { failure, fine, warning, type Check } from './doctor-check.ts';

const oldest = [1, 27] as const;
const skewMs = 5000;
const slowMs = 1000;

/** The server's version, its distance, and whether the clocks agree. */
export function judgeServer({ version, roundTripMs, clockAheadMs }: ServerFacts, place: string): readonly Check[] {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  const text = `Kubernetes ${version}, ${Math.max(1, Math.round(roundTripMs))} ms away (${place})`;
  const server = isOld
    ? failure('cluster', `${text} is too old`, `Kubernetes ${oldest.join('.')} or newer is needed`)
    : roundTripMs > slowMs
      ? warning('cluster', `${text} is far away`, 'run Setpoint nearer to it')
      : fine('cluster', text);
  if (clockAheadMs === undefined) return [server, warning('clock', 'the cluster does not say what time it is')];
  const seconds = Math.round(Math.abs(clockAheadMs) / 1000);
  const clock =
    Math.abs(clockAheadMs) > skewMs
      ? warning('clock', `is ${seconds} s ${clockAheadMs > 0 ? 'behind' : 'ahead of'} the cluster’s: ages are wrong, and a verdict may count as old too early or too late`, 'have it set by NTP')
      : fine('clock', 'agrees with the cluster’s');
  return [server, clock];
}

const { group, version: ourVersion, kind, resource } = applicationKind;
const definition = `${resource}.${group}`;
const install = `kubectl apply --server-side -f charts/setpoint/crds/${definition}.yaml`;

interface DefinitionOptions {
  readonly cluster: Pick<Cluster, 'discover' | 'read'>;
  /** Whether nothing works without it. */
  readonly isNeeded: boolean;
}

/** Whether the cluster knows Applications, and as this release does. */
export async function checkDefinition({ cluster, isNeeded }: DefinitionOptions, signal: AbortSignal): Promise<Check> {
  const kinds = await cluster.discover(signal);
  const served = kinds.lookUp(`${group}/${ourVersion}`, kind);
  if (served.type !== 'served') {
    const others = served.type === 'not-served' ? served.servedAs.filter((version) => version.startsWith(`${group}/`)) : [];
    const text = others.length > 0 ? `the cluster serves Applications as ${others.join(', ')} only, and ${group}/${ourVersion} is wanted` : 'the cluster does not know Applications';
    return isNeeded ? failure('definition', text, install) : warning('definition', `${text}; setpoint run --repo and -f work without`, install);
  }
  const crds = kinds.lookUp('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
  if (crds.type !== 'served') return fine('definition', `Applications are served as ${group}/${ourVersion}`);
  const object: KubeObject = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: definition } };
  const key = resourceKey({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name: definition });
  const reading = await cluster.read({ manifest: { key, object, origin: definition }, kind: crds.kind }, signal);
  if (reading.type !== 'live') return fine('definition', `Applications are served as ${group}/${ourVersion}; whether as this release knows them cannot be read`);
  const present = fieldsOf(schemaIn(reading.live.object));
  const lacking = [...fieldsOf(schemaIn(applicationCrd()))].filter((field) => !present.has(field));
  if (lacking.length === 0) return fine('definition', `Applications are served as ${group}/${ourVersion}, as this release knows them`);
  return warning('definition', `the definition of Applications is of another release: it lacks ${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more` : ''}`, install);
}

function schemaIn(crd: Json): Json | undefined {
  const versions = valueAt(crd, ['spec', 'versions']);
  const ours = isList(versions) ? versions.find((version) => childOf(version, 'name') === ourVersion) : undefined;
  return valueAt(ours, ['schema', 'openAPIV3Schema']);
}

/** The paths of all fields that a schema names. */
function fieldsOf(schema: Json | undefined, at = ''): ReadonlySet<string> {
  const own = entriesOf(childOf(schema, 'properties')).flatMap(([name, child]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [path, ...fieldsOf(child, path)];
  });
  const items = childOf(schema, 'items');
  return new Set([...own, ...(items === undefined ? [] : fieldsOf(items, `${at}[]`))]);
}
