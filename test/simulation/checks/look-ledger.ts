import { isPaused, trackingAnnotation, type AppStatus, type ResourceKey } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import type { ApplicationWatch } from '../agent/application-watch.ts';
import type { ObjectWatch } from '../agent/object-watch.ts';
import type { ApplicationServer, StoredApplication } from '../world/application-server.ts';
import type { Commit, Fields, GitServer } from '../world/git-server.ts';
import { configMapKey, type Declaration, type ObjectServer, type Version } from '../world/object-server.ts';
import { isUnderWay } from './operation-ledger.ts';
import { inventoryIn, type Recorded } from './recorded.ts';
import { agrees, unreadAt, wantedAt } from './truth.ts';
import type { Violated } from './witness.ts';

/** A process that looks, and what it can see. */
export interface Viewer {
  readonly name: string;
  readonly objectWatch: ObjectWatch;
  readonly applicationWatch: ApplicationWatch;
}

export interface Proposal {
  readonly id: string;
  readonly before: AppStatus;
  readonly after: AppStatus;
}

/** An apply as it leaves a process. */
export interface Apply {
  /** Of the Application that the object belongs to. */
  readonly id: string;
  readonly key: ResourceKey;
  readonly declared: Declaration;
}

/** A deletion as it leaves a process. */
export interface Prune {
  readonly id: string;
  readonly key: ResourceKey;
  readonly uid: string;
}

/** Holds what an agent says after a look against what it could have seen: nothing is recorded that was never so since the look began. */
export interface LookLedger {
  began(viewer: Viewer, id: string): void;
  /** The server has said what the branch is, or has not answered. */
  asked(viewer: Viewer, commit: string | undefined): void;
  /** Whether the last question of a process was not answered. */
  isSilent(viewer: string): boolean;
  /** Returns what the commit in question wants, where anything was compared with it. */
  proposed(viewer: Viewer, proposal: Proposal): Compared | undefined;
  applySent(viewer: Viewer, apply: Apply): void;
  pruneSent(viewer: Viewer, prune: Prune): void;
}

/** What was compared with: what a commit wants, and whether all of its files could be read. */
export interface Compared {
  readonly wanted: ReadonlyMap<ResourceKey, Fields>;
  readonly isWhole: boolean;
}

interface Look {
  readonly stored: StoredApplication | undefined;
  /** The oldest version of each object that can be meant: older ones had been seen to be replaced. */
  readonly from: ReadonlyMap<ResourceKey, number>;
  /** The oldest commit that can be meant. */
  readonly commit: number;
  readonly silentSince: number | undefined;
  readonly beganAt: number;
}

interface Options {
  readonly git: GitServer;
  readonly objects: ObjectServer;
  readonly applications: () => ApplicationServer;
  readonly recorded: Recorded;
  readonly names: readonly string[];
  readonly staleAfterMs: number;
  readonly time: () => number;
  readonly now: () => Date;
  readonly violated: Violated;
}

export function createLookLedger({ git, objects, applications, recorded, names, staleAfterMs, time, now, violated }: Options): LookLedger {
  const looks = new Map<string, Look>();
  const silences = new Map<string, number>();
  const answers = new Map<string, number>();
  const lookOf = (viewer: Viewer, id: string): Look | undefined => looks.get(`${viewer.name} ${id}`);

  const possible = (key: ResourceKey, { from }: Look): readonly Version[] => objects.versions(key).slice(from.get(key) ?? 0);

  function checkListing({ id, after }: Proposal, look: Look, wanted: ReadonlyMap<ResourceKey, Fields>): void {
    const listed = new Set(after.resources.filter(({ cause }) => cause !== undefined).map(({ key }) => key));
    const unknown = new Set(after.resources.filter(({ type }) => type === 'unknown').map(({ key }) => key));
    for (const key of listed) if (!wanted.has(key)) violated(`${id} is said to have ${key}, which ${after.commit} does not declare`);
    for (const [key, fields] of wanted) {
      if (unknown.has(key)) continue;
      const isListed = listed.has(key);
      if (!possible(key, look).some((version) => agrees(version, fields) !== isListed)) {
        violated(`${key} is said to ${isListed ? 'differ from' : 'be as in'} ${after.commit}, and was not at any moment since the look at ${id} began`);
      }
    }
  }

  function checkEpisodes({ id, before, after }: Proposal, look: Look, compared: Compared | undefined): void {
    const open = new Set(after.episodes.filter(({ closedAt }) => closedAt === null).map(({ key }) => key));
    for (const { id: episode, key, closedAt } of before.episodes) {
      if (closedAt !== null || key === '*' || after.episodes.some((each) => each.id === episode && each.closedAt === null) || open.has(key)) continue;
      const fields = compared?.wanted.get(key);
      const isSeen = compared !== undefined && ((fields === undefined && compared.isWhole) || (fields !== undefined && possible(key, look).some((version) => agrees(version, fields))));
      if (!isSeen) violated(`episode ${episode} of ${id} is closed, and nobody has seen ${key} agree`);
    }
  }

  function checkCommit({ name }: Viewer, { id, before, after }: Proposal, commit: Commit): void {
    const look = looks.get(`${name} ${id}`);
    if (look === undefined || isAskedFor(after.commit, before, look.stored)) return;
    // While Git is silent, what another agent has put on record may stay: which of the two is later nobody can tell.
    const stays = (look.silentSince ?? silences.get(name)) !== undefined && after.commit === before.commit;
    if (commit.order < look.commit && !stays) violated(`${id} is said to be ${after.verdict?.status} at ${commit.id}, when a later commit was known`);
    if (before.commit !== null && commit.order < git.find(before.commit).order) violated(`${id} goes back to ${commit.id} from ${before.commit}, which is later`);
    if (after.verdict?.status === 'Synced' && look.silentSince !== undefined && silences.get(name) === look.silentSince && look.beganAt - look.silentSince >= staleAfterMs) {
      violated(`${id} is said to be Synced, and Git has not answered for ${look.beganAt - look.silentSince} ms`);
    }
  }

  /** Whether the agent can have seen the object as Git wants it, and nobody's. */
  function isUnmarked(name: string, { id, key, declared }: Apply): boolean {
    const look = looks.get(`${name} ${id}`);
    return look !== undefined && possible(key, look).some((version) => agrees(version, declared.data) && version.content?.annotations[trackingAnnotation] === undefined);
  }

  /** Against what the agent knows of people's wishes at this moment, and what is on record. */
  function checkAct({ name }: Viewer, { object, wishes }: StoredApplication, { id, key, declared }: Apply): void {
    const { data, annotations } = declared;
    const stored = applications().find(id);
    // It was deleted, or deleted and made again, and the agent does not know yet.
    if (stored === undefined || stored.object.metadata['uid'] !== object.metadata['uid']) return;
    const { episodes, commit, operation } = recorded(stored);
    const episode = episodes.find((each) => each.key === key && each.closedAt === null);
    const isAdopted = episode === undefined && (operation?.type === 'deploy' || operation?.type === 'manual') && isUnmarked(name, { id, key, declared });
    if (episode === undefined && !isAdopted) violated(`${key} of ${id} is applied, and that it differs is not on record`);
    const acts = operation?.request !== undefined || (episode?.cause === 'live-changed' ? wishes.policy.drift === 'Heal' : wishes.policy.deploy === 'automatic');
    if (!acts) violated(`${key} of ${id} is applied against the policy (${episode?.cause ?? 'adopted'})`);
    if (annotations[trackingAnnotation] !== trackingId(id, key)) violated(`${key} of ${id} is applied without its mark`);
    if (isPaused(wishes.pause, now())) violated(`${key} of ${id} is applied in a pause`);
    const wanted = commit === null ? undefined : wantedAt(git.find(commit), stored)?.get(key);
    if (wanted === undefined || JSON.stringify(wanted) !== JSON.stringify(data)) violated(`${key} of ${id} is applied, and that is not what the recorded commit ${commit} wants`);
  }

  /** Likewise: only what is on record as the Application's own, and is wanted neither by the recorded commit nor perhaps by a file that cannot be read. */
  function checkPrune({ object, wishes }: StoredApplication, { id, key, uid }: Prune): void {
    const stored = applications().find(id);
    if (stored === undefined || stored.object.metadata['uid'] !== object.metadata['uid']) return;
    const { commit, operation } = recorded(stored);
    const { request } = operation ?? {};
    if (request?.prune !== true && !wishes.policy.prune) violated(`${key} of ${id} is deleted, and nobody said that it may be`);
    if (request === undefined && wishes.policy.deploy === 'manual') violated(`${key} of ${id} is deleted against the policy`);
    if (isPaused(wishes.pause, now())) violated(`${key} of ${id} is deleted in a pause`);
    if (inventoryIn(stored)[key]?.uid !== uid) violated(`${key} of ${id} is deleted as ${uid}, and the inventory says ${inventoryIn(stored)[key]?.uid}`);
    const at = commit === null ? undefined : git.find(commit);
    const wanted = at === undefined ? undefined : wantedAt(at, stored);
    if (at === undefined || wanted === undefined || unreadAt(at, stored).size > 0) violated(`${key} of ${id} is deleted, and not all of ${commit} could be read`);
    else if (wanted.has(key)) violated(`${key} of ${id} is deleted, and ${commit} wants it`);
  }

  return {
    began(viewer, id) {
      const stored = viewer.applicationWatch.find(id);
      const namespace = stored?.application.destination.namespace ?? '';
      const keys = names.map((name) => configMapKey(namespace, name));
      looks.set(`${viewer.name} ${id}`, {
        stored,
        from: new Map(keys.map((key) => [key, (viewer.objectWatch.known(key) ?? objects.latest(key)).index])),
        commit: answers.get(viewer.name) ?? 0,
        silentSince: silences.get(viewer.name),
        beganAt: time(),
      });
    },
    asked({ name }, commit) {
      // Where the server never answered this process, what counts is what an earlier one has seen.
      if (commit === undefined && !answers.has(name)) return;
      if (commit === undefined) silences.set(name, silences.get(name) ?? time());
      else {
        silences.delete(name);
        answers.set(name, git.find(commit).order);
      }
    },
    isSilent: (viewer) => silences.has(viewer),
    proposed(viewer, proposal) {
      const { id, before, after } = proposal;
      const look = lookOf(viewer, id);
      // What was not looked at again is not said again.
      const isUnseen = after.checkedAt === before.checkedAt && after.resources === before.resources && after.verdict === before.verdict;
      if (look?.stored === undefined || after.verdict === null || isUnseen) return undefined;
      // Nothing was compared, so that nothing is known to have ended.
      const isBlind = after.verdict.status === 'Unknown' && after.resources === before.resources;
      const commit = after.commit === null ? undefined : git.find(after.commit);
      const wanted = commit === undefined || isBlind ? undefined : wantedAt(commit, look.stored);
      const compared = commit === undefined || wanted === undefined ? undefined : { wanted, isWhole: unreadAt(commit, look.stored).size === 0 };
      checkEpisodes(proposal, look, compared);
      if (after.verdict.status === 'Unknown' || commit === undefined) return compared;
      if (wanted === undefined) violated(`${id} is said to be ${after.verdict.status} at ${commit.id}, whose files cannot be rendered`);
      else checkListing(proposal, look, wanted);
      if (after.verdict.status === 'Synced' && compared?.isWhole === false) violated(`${id} is said to be Synced at ${commit.id}, of which not all could be read`);
      checkCommit(viewer, proposal, commit);
      return compared;
    },
    applySent(viewer, apply) {
      const known = viewer.applicationWatch.find(apply.id);
      if (known === undefined) violated(`${apply.key} is applied, and ${apply.id} is known to be deleted`);
      else checkAct(viewer, known, apply);
    },
    pruneSent(viewer, prune) {
      const known = viewer.applicationWatch.find(prune.id);
      if (known === undefined) violated(`${prune.key} is deleted, and ${prune.id} is known to be deleted`);
      else checkPrune(known, prune);
    },
  };
}

/** Somebody named this commit, and waits for what becomes of it: until then it is what is wanted. */
function isAskedFor(commit: string | null, { operation, answered, commit: recordedCommit }: AppStatus, stored: StoredApplication | undefined): boolean {
  if (operation !== null && isUnderWay(operation)) return operation.request?.revision === commit;
  const { id, revision } = stored?.application.sync ?? {};
  // What is recorded again, because the first answer was lost, finds the first record.
  return revision === commit && (recordedCommit === commit || (answered?.request !== id && operation?.request?.id !== id));
}
