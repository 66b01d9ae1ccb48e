import { advanceEpisodes } from '../alert/index.ts';
import type { ComparedResource } from '../diff/index.ts';
import { displayKey, isWhole, mainSource, sameValue, type AgreedState, type AgreedStates, type Application, type AppStatus, type Cause, type Diff, type FieldChange, type Judgement, type JudgedResource, type ResourceKey, type ResourceStatus, type Verdict } from '../model/index.ts';
import { driftModes } from '../plan/index.ts';
import { conditionsAfter } from './conditions.ts';
import { differingSince } from './differing-since.ts';
import { healthAfter } from './health-after.ts';
import type { Observation } from './observe.ts';
import type { Trouble } from './ports.ts';

export interface Seen {
  readonly application: Application;
  readonly judgement: Judgement;
  readonly compared: readonly ComparedResource[];
  readonly trouble: Trouble | undefined;
  readonly health: Observation['health'];
  readonly now: Date;
  readonly newId: () => string;
}

export type Observed = AppStatus & { readonly verdict: Verdict };

const listedResources = 50;
const listedFields = 20;

/** The status after a look, from the status before it. */
export function nextStatus(before: AppStatus, { application, judgement, compared, trouble, health, now: at, newId }: Seen): Observed {
  const { verdict, commit, resources, findings } = judgement;
  const now = at.toISOString();
  // Nothing was compared: what was known of the resources stays known, with its age.
  const blind = verdict.status === 'Unknown' && resources.length === 0;
  const earlier = new Map(before.resources.map((resource) => [resource.key, resource]));
  const sinceOf: SinceOf = ({ diff: { key, type }, cause }) => differingSince({ key, type, cause }, { earlier: earlier.get(key), episodes: before.episodes, now });
  const differing = driftFirst(resources.flatMap((resource) => describe(resource, sinceOf)));
  const unread = isWhole(findings) ? [] : notCompared(before, resources);
  const wellbeing = blind ? { health: before.health, unhealthy: before.unhealthy } : healthAfter(before.unhealthy, { resources, health, now: at });
  return {
    ...before,
    verdict,
    verdictSince: isSame(before.verdict, verdict) ? before.verdictSince : now,
    ...(commit !== null && { commit, reference: referenceOf(application) }),
    checkedAt: now,
    generation: application.generation ?? null,
    observedRefresh: application.refresh ?? null,
    ...(blind ? {} : { declared: resources.length, notListed: Math.max(0, differing.length - listedResources) }),
    resources: blind ? before.resources : differing.slice(0, listedResources),
    foreign: blind ? before.foreign : application.policy.foreignFields === 'Ignore' ? [] : resources.flatMap(foreignOf).slice(0, listedResources),
    findings,
    ...wellbeing,
    conditions: conditionsAfter(before.conditions, { application, verdict, health: wellbeing.health, trouble, autoscaled: autoscaledIn(compared), now: at }),
    agreed: blind ? before.agreed : agreedAfter(before.agreed, compared, unread),
    episodes: blind ? before.episodes : advanceEpisodes({ name: before.name, episodes: before.episodes, differing: differing.filter(hasCause), ignored: ignoredIn(resources, application), unknown: new Set([...unknownIn(resources), ...unread]), now, newId }),
  };
}

/** Of more than can be listed: a large deploy must not hide drift. */
function driftFirst(differing: readonly ResourceStatus[]): readonly ResourceStatus[] {
  if (differing.length <= listedResources) return differing;
  const rank = ({ cause }: ResourceStatus): number => (cause === undefined ? 2 : cause === 'git-ahead' ? 1 : 0);
  return differing.toSorted((a, b) => rank(a) - rank(b));
}

function referenceOf(application: Application): AppStatus['reference'] {
  const { repository, revision } = mainSource(application);
  return { repository, revision };
}

function isSame(before: Verdict | null, now: Verdict): boolean {
  if (before?.status !== now.status) return false;
  if (now.status === 'OutOfSync') return before.status === 'OutOfSync' && before.cause === now.cause;
  return now.status !== 'Unknown' || (before.status === 'Unknown' && before.code === now.code);
}

function autoscaledIn(compared: readonly ComparedResource[]): readonly string[] {
  return compared.flatMap(({ diff, notice }) => (notice === undefined ? [] : [`${displayKey(diff.key)}: ${notice}`]));
}

function foreignOf({ diff }: JudgedResource): AppStatus['foreign'] {
  return 'foreign' in diff ? diff.foreign.map((field) => ({ key: diff.key, ...field })) : [];
}

function hasCause(resource: ResourceStatus): resource is ResourceStatus & { readonly cause: Cause } {
  return resource.cause !== undefined;
}

/** Live changes that are nobody's business are recorded, and told to nobody. */
function ignoredIn(resources: readonly JudgedResource[], { policy }: Application): ReadonlySet<ResourceKey> {
  return new Set(resources.flatMap(({ diff, cause }) => (cause === 'live-changed' && [...driftModes(diff, policy)].every((mode) => mode === 'Ignore') ? [diff.key] : [])));
}

/** What is known of and was not looked at: a document that cannot be read may declare it. */
function notCompared({ agreed, episodes }: AppStatus, resources: readonly JudgedResource[]): readonly ResourceKey[] {
  const compared = new Set<string>(resources.map(({ diff }) => diff.key));
  const open = episodes.flatMap(({ key, closedAt }) => (closedAt === null ? [key] : []));
  return [...new Set([...Object.keys(agreed), ...open])].filter((key) => !compared.has(key)) as ResourceKey[];
}

function unknownIn(resources: readonly JudgedResource[]): ReadonlySet<ResourceKey> {
  return new Set(resources.filter(({ diff }) => diff.type === 'unknown').map(({ diff }) => diff.key));
}

type SinceOf = (resource: JudgedResource) => string;

function describe(resource: JudgedResource, sinceOf: SinceOf): readonly ResourceStatus[] {
  const { diff, cause } = resource;
  if (diff.type === 'same') return [];
  const changes = 'changes' in diff ? diff.changes : [];
  const by = actorOf(changes);
  return [
    {
      key: diff.key,
      origin: diff.origin,
      type: diff.type,
      ...(cause === undefined ? {} : { cause }),
      since: sinceOf(resource),
      ...messageOf(diff),
      ...(changes.length === 0 ? {} : { fields: changes.slice(0, listedFields).map(({ display }) => display) }),
      ...(by === undefined || cause === 'git-ahead' ? {} : { by }),
      ...('patch' in diff ? { patch: diff.patch } : {}),
      ...('changes' in diff ? { changes: diff.changes } : {}),
    },
  ];
}

/** Who wrote what differs: those that were seen to, else those on record as its owners. */
export function actorOf(changes: readonly FieldChange[]): string | undefined {
  const writers = changes.flatMap(({ seen, owners }) => seen?.writers ?? owners);
  const names = new Set(writers.map(({ manager, subresource }) => (subresource === undefined || subresource === '' ? manager : `${manager} (${subresource})`)));
  return names.size === 0 ? undefined : [...names].toSorted().join(', ').slice(0, 200);
}

/** What is to be said of a resource besides its fields. */
function messageOf(diff: Diff): { readonly message?: string } {
  if ('message' in diff) return { message: diff.message };
  if (diff.type === 'missing') return diff.waitsFor === undefined ? {} : { message: `waits for ${diff.waitsFor}` };
  if (diff.type !== 'changed') return {};
  const { obstacle, unconfirmed } = diff;
  if (obstacle?.type === 'replace') return { message: `sync would need to delete and create it: ${obstacle.message}` };
  if (obstacle?.type === 'denied') return { message: `sync would be denied: ${obstacle.message}` };
  return unconfirmed === undefined ? {} : { message: `not confirmed by the server: ${unconfirmed}` };
}

function orKnown(agreed: AgreedState | undefined, known: AgreedState | undefined): AgreedState | undefined {
  if (agreed === undefined || known === undefined) return agreed ?? known;
  return sameValue({ ...agreed }, { ...known }) ? known : agreed;
}

/**
 * A resource that differs, or could not be read or compared, keeps what was last agreed on; one that Git no longer has is forgotten. The
 * very same value where nothing is new.
 */
function agreedAfter(before: AgreedStates, compared: readonly ComparedResource[], unread: readonly ResourceKey[]): AgreedStates {
  const seen = compared.flatMap(({ diff, state }) => {
    const known = before[diff.key];
    const agreed = diff.type === 'same' ? orKnown(state?.(), known) : known;
    return agreed === undefined ? [] : [[diff.key, agreed] as const];
  });
  const kept = unread.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]] as const]));
  const after = [...seen, ...kept];
  const isSameAsBefore = after.length === Object.keys(before).length && after.every(([key, agreed]) => before[key] === agreed);
  return isSameAsBefore ? before : Object.fromEntries(after);
}
