import { parseResourceKey, type AlertedState, type AlertMatch, type AlertRule, type Application, type Cause, type Episode, type ResourceKey } from '../model/index.ts';
import { matchesGlob } from './matches-glob.ts';

export type Matched = Pick<Application, 'id' | 'name' | 'namespace' | 'labels' | 'destination'>;

/** What a match is held against: an episode, a resource in a state, or an application as a whole. */
export interface Subject {
  readonly application: Matched;
  readonly cause: Cause | null;
  readonly state: AlertedState | null;
  readonly namespace: string;
  /** With its group: `apps/Deployment`, `/ConfigMap`. Empty where there is no resource, or nobody knows which: only `*` matches it. */
  readonly kind: string;
  readonly fields: readonly string[];
}

export function matches(match: AlertMatch, { application, cause, state, namespace, kind, fields }: Subject): boolean {
  const { id, name, labels } = application;
  const shortKind = kind.slice(kind.indexOf('/') + 1);
  return (
    (match.cause === undefined || (cause !== null && match.cause.includes(cause))) &&
    (match.status === undefined || (state !== null && match.status.includes(state))) &&
    isAnyOf(match.applications, [name, id]) &&
    isAnyOf(match.namespaces, [namespace]) &&
    (match.kinds === undefined || match.kinds.some((pattern) => matchesGlob(pattern, pattern.includes('/') ? kind : shortKind))) &&
    Object.entries(match.labels ?? {}).every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value) &&
    isAnyOf(match.fields, fields.length === 0 ? [''] : fields)
  );
}

/** Deploys are told of where a rule asks for them, and live changes that are nobody's business never. */
export function matchesEpisode({ match }: AlertRule, application: Matched, episode: Episode): boolean {
  if (match.status !== undefined || episode.ignored === true) return false;
  return matches({ cause: ['live-changed', 'both'], ...match }, episodeSubject(application, episode));
}

export function episodeSubject(application: Matched, { key, cause, fields }: Episode): Subject {
  const [namespace, kind] = key === '*' ? ['', ''] : placeOf(key);
  return { application, cause, state: null, namespace, kind, fields: key === '*' ? [] : fields };
}

/** The namespace is that of the Application: the state is its own, whatever brought it about. */
export function stateSubject(application: Matched, state: AlertedState, { key, cause = null }: { readonly key?: ResourceKey; readonly cause?: Cause | null } = {}): Subject {
  return { application, cause, state, namespace: namespaceOf(application), kind: key === undefined ? '' : placeOf(key)[1], fields: [] };
}

export function namespaceOf({ namespace, destination }: Matched): string {
  return namespace ?? destination.namespace;
}

function placeOf(key: ResourceKey): readonly [namespace: string, kind: string] {
  const { group, kind, namespace } = parseResourceKey(key);
  return [namespace, `${group}/${kind}`];
}

function isAnyOf(patterns: readonly string[] | undefined, texts: readonly string[]): boolean {
  return patterns === undefined || patterns.some((pattern) => texts.some((text) => matchesGlob(pattern, text)));
}
