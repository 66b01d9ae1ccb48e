import { readApplication } from '../apps/index.ts';
import type { Cluster } from '../cluster/index.ts';
import { modeOf, namespaceOf, parseResourceKey, type ApplicationSpec, type KubeObject, type ResourceKey, type ServedKind } from '../model/index.ts';
import { readApplicationStatus } from '../status/index.ts';
import { fine, isDenied, warning, type Check } from './doctor-check.ts';
import type { Managed } from './doctor-needs.ts';

type KindTable = Awaited<ReturnType<Cluster['discover']>>;

export interface VisibleApplications {
  readonly objects: readonly KubeObject[];
  readonly specs: readonly ApplicationSpec[];
  /** Undefined: all. */
  readonly namespaces: readonly (string | undefined)[];
  readonly checks: readonly Check[];
}

interface Listing {
  readonly cluster: Pick<Cluster, 'applications'>;
  /** The only ones to look in, where somebody says so. */
  readonly namespace: string | undefined;
  /** Where to look if all namespaces may not be listed. */
  readonly ownNamespace: string;
}

/** Those that may be seen: of all namespaces, or of one where that is not allowed. */
export async function visibleApplications({ cluster, namespace, ownNamespace }: Listing, signal: AbortSignal): Promise<VisibleApplications> {
  const applications = cluster.applications();
  const list = (namespaces: 'all' | readonly string[]): Promise<readonly KubeObject[]> => applications.list({ namespaces }, signal);
  if (namespace !== undefined) return visible(await list([namespace]).catch(noneIfDenied), [namespace]);
  try {
    return visible(await list('all'), [undefined]);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const found = visible(await list([ownNamespace]).catch(noneIfDenied), [ownNamespace]);
    return { ...found, checks: [warning('applications', `those of all namespaces may not be listed, only namespace ${ownNamespace} is looked at`, 'name another with -n'), ...found.checks] };
  }
}

/** That they may not be listed is told with the other rights. */
function noneIfDenied(error: unknown): readonly KubeObject[] {
  if (isDenied(error)) return [];
  throw error;
}

function visible(objects: readonly KubeObject[], namespaces: VisibleApplications['namespaces']): VisibleApplications {
  const readings = objects.map((object) => ({ object, read: readApplication(object) }));
  const specs = readings.flatMap(({ read }) => (read.type === 'application' ? [read.spec] : []));
  const refused = readings.flatMap(({ object, read }) => (read.type === 'invalid' ? [warning('applications', `${idOf(object)} is refused: ${read.messages.join('; ')}`)] : []));
  const odd = specs.flatMap(({ id, warnings }) => (warnings.length === 0 ? [] : [warning('applications', `${id}: ${warnings.join('; ')}`)]));
  return { objects, specs, namespaces, checks: [...(specs.length === 0 ? [] : [fine('applications', `${specs.length} can be read`)]), ...refused, ...odd] };
}

/** The objects that Applications were last seen to declare. */
export function managedOf({ objects, specs }: VisibleApplications, kinds: KindTable, now: Date): readonly Managed[] {
  const find = kindFinder(kinds);
  return objects.flatMap((object) => {
    const id = idOf(object);
    const spec = specs.find((each) => each.id === id);
    const { agreed, resources } = readApplicationStatus(id, object['status']);
    const keys = new Set([...(Object.keys(agreed) as ResourceKey[]), ...resources.map(({ key }) => key)]);
    const acts = spec !== undefined && modeOf(spec, now) !== 'alert';
    return managed(keys, { find, acts, deletes: (acts && spec.policy.prune) || spec?.deletionPolicy === 'Cascade' });
  });
}

/** The objects of manifests that somebody has at hand. */
export function managedIn(objects: readonly KubeObject[], kinds: KindTable, namespace: string): readonly Managed[] {
  return objects.flatMap(({ apiVersion, kind: name, metadata }) => {
    const found = kinds.lookUp(apiVersion, name);
    if (found.type !== 'served') return [];
    const { kind } = found;
    const place = kind.namespaced ? namespaceOf({ metadata }, namespace) : '';
    return [{ key: [kind.group, kind.kind, place, metadata.name].join('/') as ResourceKey, kind, acts: false, deletes: false }];
  });
}

interface ManagedOptions {
  readonly find: (group: string, kind: string) => ServedKind | undefined;
  readonly acts: boolean;
  readonly deletes: boolean;
}

function managed(keys: ReadonlySet<ResourceKey>, { find, ...policy }: ManagedOptions): readonly Managed[] {
  return [...keys].flatMap((key) => {
    const { group, kind: name } = parseResourceKey(key);
    const kind = find(group, name);
    return kind === undefined ? [] : [{ key, kind, ...policy }];
  });
}

function idOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** A key has no version: any that the cluster serves will do. */
function kindFinder(kinds: KindTable): (group: string, kind: string) => ServedKind | undefined {
  const known = new Map<string, ServedKind>();
  for (const text of kinds.apiVersions) {
    const slash = text.lastIndexOf('/');
    const found = slash === -1 ? undefined : kinds.lookUp(text.slice(0, slash), text.slice(slash + 1));
    if (found?.type === 'served') known.set(`${found.kind.group}/${found.kind.kind}`, found.kind);
  }
  return (group, kind) => known.get(`${group}/${kind}`);
}
