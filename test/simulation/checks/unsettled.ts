import { isPaused, type AppStatus, type ResourceKey } from '../../../src/model/index.ts';
import { timeAt } from '../agent/agent-clock.ts';
import type { Agent } from '../agent/agent.ts';
import type { Scene } from '../scene.ts';
import type { StoredApplication } from '../world/application-server.ts';
import { isUnderWay } from './operation-ledger.ts';
import { recordedIn } from './recorded.ts';
import { isContested, truthOf, wantedAt } from './truth.ts';

/** The ten minutes in which they count, and the longest rest, after which nobody has looked again. */
const fightMs = 20 * 60_000;

/** What the leader still has to do, where there is one. */
export async function undone({ network }: Scene, agents: Iterable<Agent>): Promise<readonly string[]> {
  if (!network.isOver()) return ['answers are still waited for'];
  const asleep = [...agents].find(({ process }) => process.isPaused);
  if (asleep !== undefined) return [`${asleep.name} sleeps`];
  const [term] = [...agents].flatMap((agent) => agent.term() ?? []);
  if (term === undefined) return ['nobody leads'];
  const pending = await term.pending();
  return pending === 0 ? [] : [`${pending} looks or deliveries are still wanted or under way`];
}

/** What is not as it has to be in the end, once nothing stands in the way any more. */
export function unsettled(scene: Scene): readonly string[] {
  const applications = scene.applications.all();
  // What is to be told of an application is told by what it says of itself.
  const held = new Set(applications.filter(({ wishes }) => !wishes.isValid).flatMap((stored) => recordedIn(stored).outbox.map(({ key }) => key)));
  const owed = scene.witness.alerts.owed().filter((key) => !held.has(key));
  return [...applications.flatMap((stored) => unsettledIn(scene, stored)), ...owed.map((key) => `alert ${key} has not come`)];
}

function unsettledIn(scene: Scene, stored: StoredApplication): readonly string[] {
  const { id, application, wishes } = stored;
  const head = scene.git.head();
  const truth = truthOf(stored, head, scene.objects);
  const status = recordedIn(stored);
  const { verdict } = status;
  const says = (what: string): string => `${id} ${what}`;
  if (verdict === null) return [says('was never looked at')];
  if (wishes.pause?.until !== undefined && isPaused(wishes.pause, timeAt(scene.world))) return [says(`is paused until ${wishes.pause.until}`)];
  if (!wishes.isValid) return verdict.status === 'Unknown' && verdict.code === 'ApplicationInvalid' ? [] : [says(`is invalid, and is said to be ${JSON.stringify(verdict)}`)];
  if (truth.type === 'broken') return verdict.status === 'Unknown' && verdict.code === 'RenderFailed' ? [] : [says(`cannot be rendered, and is said to be ${JSON.stringify(verdict)}`)];
  const { differing } = truth;
  const right = differing.size === 0 ? 'Synced' : 'OutOfSync';
  const listed = status.resources.map(({ key }) => key);
  const open = status.episodes.filter(({ closedAt }) => closedAt === null);
  return [
    ...(verdict.status === right ? [] : [says(`is ${right}, and is said to be ${JSON.stringify(verdict)}`)]),
    ...(status.commit === head.id ? [] : [says(`is said to be at ${status.commit}, and the branch is at ${head.id}`)]),
    ...(isSameSet(listed, differing) ? [] : [says(`differs in ${[...differing].join()}, and is said to differ in ${listed.join()}`)]),
    ...(isSameSet(open.map(({ key }) => key), differing) ? [] : [says(`differs in ${[...differing].join()}, and has open episodes of ${open.map(({ key }) => key).join()}`)]),
    ...(status.generation === application.generation ? [] : [says(`is of generation ${application.generation}, and ${status.generation} was looked at`)]),
    ...untold(scene, stored, status),
    ...unhealed(scene, stored, status),
    ...unfinished(scene, stored, status),
  ];
}

/** People are told of what stays, unless they said that they do not care. */
function untold({ witness }: Scene, { id, wishes }: StoredApplication, { verdict, incidents, outbox }: AppStatus): readonly string[] {
  const [latest] = incidents;
  const isOpen = latest?.closedAt === null;
  if (outbox.length > 0) return [`${id} has ${outbox.length} alerts in its outbox`];
  if (verdict?.status === 'Synced') return isOpen ? [`${id} is Synced, and incident ${latest.id} is open`] : [];
  if (verdict?.status !== 'OutOfSync') return [];
  if (!isOpen) return [`${id} is OutOfSync, and has no open incident`];
  const isTold = latest.transitions > 0 && witness.alerts.wasReceived(`${latest.id}-1`);
  return isTold || (wishes.policy.drift === 'Ignore' && verdict.cause === 'live-changed') ? [] : [`nobody was told of incident ${latest.id} of ${id}`];
}

/** What the policies say to act on is acted on, in the end. */
function unhealed({ git, objects, world }: Scene, stored: StoredApplication, status: AppStatus): readonly string[] {
  const { id, wishes } = stored;
  const { policy, pause } = wishes;
  if (isPaused(pause, timeAt(world))) return [];
  const wanted = wantedAt(git.head(), stored);
  const isHeld = (key: ResourceKey): boolean => isContested(objects.latest(key), wanted?.get(key) ?? {}) || isFought(status, key, timeAt(world));
  const acts = status.resources.filter(({ key, cause }) => (cause === 'live-changed' ? policy.drift === 'Heal' : policy.deploy === 'automatic') && !isHeld(key));
  return acts.map(({ key, cause }) => `${key} of ${id} differs (${cause}), and nothing is done about it`);
}

/** It was put back three times in ten minutes, and changed again each time: then it is left, and people are told. */
function isFought({ episodes, held }: AppStatus, key: ResourceKey, now: Date): boolean {
  const corrected = episodes.filter((episode) => episode.key === key && episode.cause !== 'git-ahead' && now.getTime() - Date.parse(episode.correctedAt ?? '') < fightMs);
  return corrected.length >= 3 && held.some((step) => step.key === key && step.code === 'Fighting');
}

/** A sync ends, and what is an Application's own is known, unless it was told to wait. */
function unfinished({ witness, world }: Scene, stored: StoredApplication, { operation }: AppStatus): readonly string[] {
  const { id, wishes } = stored;
  if (isPaused(wishes.pause, timeAt(world))) return [];
  return [...(operation !== null && isUnderWay(operation) ? [`operation ${operation.id} of ${id} is under way: ${operation.message}`] : []), ...witness.wrongInventory(stored)];
}

function isSameSet(keys: readonly string[], others: ReadonlySet<string>): boolean {
  return keys.length === others.size && keys.every((key) => others.has(key));
}
