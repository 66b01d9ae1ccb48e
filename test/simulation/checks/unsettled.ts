import { isPaused, type AppStatus, type ResourceKey } from '../../../src/model/index.ts';
import { timeAt } from '../agent/agent-clock.ts';
import type { Agent } from '../agent/agent.ts';
import type { Scene } from '../scene.ts';
import type { StoredApplication } from '../world/application-server.ts';
import type { Commit } from '../world/git-server.ts';
import { isUnderWay } from './operation-ledger.ts';
import { inventoryIn } from './recorded.ts';
import { isContested, truthOf, unreadAt, wantedAt } from './truth.ts';

/** The ten minutes in which they count, and the longest rest, after which nobody has looked again. */
const fightMs = 20 * 60_000;
/** The interval between two messages of a group, the time that the first one waits, and the way. */
const longestMessageMs = 9_000;

/** What the leader still has to do, where there is one. */
export async function undone({ network, witness, applications }: Scene, agents: Iterable<Agent>): Promise<readonly string[]> {
  if (!network.isOver()) return ['answers are still waited for'];
  const asleep = [...agents].find(({ process }) => process.isPaused);
  if (asleep !== undefined) return [`${asleep.name} sleeps`];
  const leader = [...agents].find((agent) => agent.term() !== undefined);
  const term = leader?.term();
  if (leader === undefined || term === undefined) return ['nobody leads'];
  if (applications.all().length > 0 && witness.isGitSilent(leader.name)) return [`Git has not answered ${leader.name} yet`];
  const pending = await term.pending();
  return pending === 0 ? [] : [`${pending} looks or deliveries are still wanted or under way`];
}

/** What is not as it has to be in the end, once nothing stands in the way any more. Messages take a while: what is younger than that is not asked for. */
export function unsettled(scene: Scene, messagesMs = longestMessageMs): readonly string[] {
  return scene.applications.all().flatMap((stored) => {
    const status = scene.witness.recorded(stored);
    return [...unsettledIn(scene, stored, status), ...untold(scene, { stored, status, messagesMs })];
  });
}

function unsettledIn(scene: Scene, stored: StoredApplication, status: AppStatus): readonly string[] {
  const { id, application, wishes } = stored;
  const head = wantedCommit(scene, status);
  const truth = truthOf(stored, head, scene.objects);
  const { verdict } = status;
  const says = (what: string): string => `${id} ${what}`;
  if (verdict === null) return [says('was never looked at')];
  if (wishes.pause?.until !== undefined && isPaused(wishes.pause, timeAt(scene.world))) return [says(`is paused until ${wishes.pause.until}`)];
  if (!wishes.isValid) return verdict.status === 'Unknown' && verdict.code === 'ApplicationInvalid' ? [] : [says(`is invalid, and is said to be ${JSON.stringify(verdict)}`)];
  if (truth.type === 'broken') return verdict.status === 'Unknown' && verdict.code === 'RenderFailed' ? [] : [says(`cannot be rendered, and is said to be ${JSON.stringify(verdict)}`)];
  const { differing, unread } = truth;
  // Where nothing at all can be compared, what was known stays so.
  const isBlind = unread.size > 0 && wantedAt(head, stored)?.size === 0;
  const right = differing.size > 0 ? 'OutOfSync' : unread.size > 0 ? 'Unknown' : 'Synced';
  const listed = status.resources.map(({ key }) => key);
  // What was open stays so, where nobody can say that it is over.
  const open = status.episodes.filter(({ key, closedAt }) => closedAt === null && (unread.size === 0 || differing.has(key as ResourceKey)));
  return [
    ...(verdict.status === right ? [] : [says(`is ${right}, and is said to be ${JSON.stringify(verdict)}`)]),
    ...(status.commit === head.id ? [] : [says(`is said to be at ${status.commit}, and the branch is at ${head.id}`)]),
    ...(isBlind || isSameSet(listed, differing) ? [] : [says(`differs in ${[...differing].join()}, and is said to differ in ${listed.join()}`)]),
    ...(isSameSet(open.map(({ key }) => key), differing) ? [] : [says(`differs in ${[...differing].join()}, and has open episodes of ${open.map(({ key }) => key).join()}`)]),
    ...(isBlind ? [] : unanswered(scene, stored, status)),
    ...(status.generation === application.generation ? [] : [says(`is of generation ${application.generation}, and ${status.generation} was looked at`)]),
    ...(unread.size > 0 ? [] : [...unhealed(scene, stored, status), ...unpruned(scene, stored, status), ...unfinished(scene, stored, status)]),
  ];
}

/** People are told of what lasts, and of its end, unless they said that they do not care. */
function untold({ witness, world, rules, git }: Scene, { stored, status, messagesMs }: { readonly stored: StoredApplication; readonly status: AppStatus; readonly messagesMs: number }): readonly string[] {
  const { id, wishes } = stored;
  const { verdict, verdictSince, alerts, operation } = status;
  // Nobody knows what is wanted of it: that has to wait.
  if (!wishes.isValid || verdict === null) return [];
  const since = timeAt(world).getTime() - messagesMs;
  const owed = witness.alerts.owed(id, alerts, since);
  // Nothing is new while it runs.
  if (operation !== null && isUnderWay(operation)) return owed;
  const isBlind = alerts.some(({ about, resolvedAt }) => about === 'Unknown' && resolvedAt === null);
  const blindMs = rules.find(({ match }) => match.status !== undefined)?.forMs ?? 0;
  if (verdict.status === 'Unknown') return isBlind || Date.parse(verdictSince ?? '') + blindMs > since ? owed : [...owed, `${id} is Unknown since ${verdictSince}, and no alert says so`];
  const over = Date.parse(verdictSince ?? '') > since ? [] : alerts.filter(({ about, resolvedAt }) => resolvedAt === null && (verdict.status === 'Synced' || about === 'Unknown'));
  return [...owed, ...witness.drifts.untold(stored, { status, unread: unreadAt(git.head(), stored) }, since), ...over.map((alert) => `${id} is ${verdict.status} since ${verdictSince}, and ${alert.rule} ${alert.id} fires`)];
}

/** The branch, or the commit of a rollback that waits for the end of a pause. */
function wantedCommit({ git }: Scene, { operation }: AppStatus): Commit {
  const revision = operation !== null && isUnderWay(operation) ? operation.request?.revision : undefined;
  return revision === undefined ? git.head() : git.find(revision);
}

/** Whoever asked for a sync is told what became of it, unless the one before waits for the end of a pause, or nothing can be compared. */
function unanswered({ world }: Scene, { id, wishes: { sync, pause } }: StoredApplication, { answered, operation }: AppStatus): readonly string[] {
  if (operation !== null && isUnderWay(operation) && isPaused(pause, timeAt(world))) return [];
  return sync === undefined || answered?.request === sync.id || operation?.request?.id === sync.id ? [] : [`${sync.id} of ${id} is not answered`];
}

/** What the policies say to act on is acted on, in the end. */
function unhealed({ git, objects, world }: Scene, stored: StoredApplication, status: AppStatus): readonly string[] {
  const { id, wishes } = stored;
  const { policy, pause } = wishes;
  if (isPaused(pause, timeAt(world)) || status.operation?.isEndedByHand === true) return [];
  const wanted = wantedAt(git.head(), stored);
  const isHeld = (key: ResourceKey): boolean => isContested(objects.latest(key), wanted?.get(key) ?? {}) || isFought(status, key, timeAt(world));
  const acts = status.resources.filter(({ key, cause }) => (cause === 'live-changed' ? policy.drift === 'Heal' : policy.deploy === 'automatic') && !isHeld(key));
  return acts.map(({ key, cause }) => `${key} of ${id} differs (${cause}), and nothing is done about it`);
}

/** What Git no longer has goes where the policies say so, unless somebody else has made it anew or claims it. */
function unpruned({ git, objects, world }: Scene, stored: StoredApplication, { operation, held }: AppStatus): readonly string[] {
  const { id, wishes } = stored;
  const { policy, pause } = wishes;
  if (!policy.prune || policy.deploy !== 'automatic' || isPaused(pause, timeAt(world)) || operation?.isEndedByHand === true) return [];
  const wanted = wantedAt(git.head(), stored);
  const left = Object.entries(inventoryIn(stored)).flatMap(([key, { uid }]) => (wanted?.has(key as ResourceKey) === false && objects.latest(key as ResourceKey).content?.uid === uid ? [key as ResourceKey] : []));
  return left.map((key) => `${key} of ${id} is left, and Git does not have it: ${JSON.stringify(held.find((hold) => hold.key === key))}`);
}

/** It was put back three times in ten minutes, and changed again each time: then it is left, and people are told. */
function isFought({ corrections, held }: AppStatus, key: ResourceKey, now: Date): boolean {
  const isRecent = (at: string): boolean => now.getTime() - Date.parse(at) < fightMs;
  return corrections.some((correction) => correction.key === key && correction.times.length >= 3 && isRecent(correction.times.at(-1) ?? '')) && held.some((step) => step.key === key && step.code === 'Fighting');
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
