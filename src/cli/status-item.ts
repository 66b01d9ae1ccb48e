import { readApplication } from '../apps/index.ts';
import { isObject, mainSource, modeOf, shownRevision, shownVerdict, valueAt, type ApplicationPause, type ApplicationPolicy, type ApplicationSpec, type AppStatus, type KubeObject, type Mode, type Verdict } from '../model/index.ts';
import { isVouchedFor, readApplicationStatus, type Control, type Heartbeat, type Vouching } from '../status/index.ts';

/** What can be found out about the agent that vouches for a status. */
export type Beat =
  | { readonly type: 'seen'; readonly at: Date; readonly holder: string; readonly vouching?: Vouching | undefined }
  /** There is none, and the place where it would be was looked at. */
  | { readonly type: 'absent' }
  | { readonly type: 'unreadable'; readonly why: string };

/** One application, as far as a reader may tell of it now. */
export interface StatusItem {
  readonly id: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** What may be said: a record that nobody vouches for any more is Unknown. */
  readonly verdict: Verdict;
  readonly status: AppStatus;
  /** For people, such as `main@4e9c917`. */
  readonly revision: string | undefined;
  readonly mode: Mode | undefined;
  /** What is done about new commits, where that is known. */
  readonly deploy: ApplicationPolicy['deploy'] | undefined;
  readonly pause: ApplicationPause | undefined;
  readonly source: { readonly repository: string; readonly path: string | undefined } | undefined;
  /** Until when somebody vouches for it. */
  readonly vouchedAt: Date | undefined;
  /** `status`: only by when it was last written, because the agent itself could not be looked for. */
  readonly vouchedBy: 'agent' | 'status';
  readonly generation: number | undefined;
  readonly notes: readonly string[];
  /** Where its status is, and where wishes are left. */
  readonly kept: 'cluster' | 'folder';
}

const usualIntervalMs = 60_000;

interface ClusterView {
  /** Of the lease that its status names; undefined where it names none. */
  readonly beat: Beat | undefined;
  readonly now: Date;
}

/** An Application of the cluster. */
export function clusterItem(object: KubeObject, { beat, now }: ClusterView): StatusItem {
  const { name, namespace = '', generation } = object.metadata;
  const id = `${namespace}/${name}`;
  const written = object['status'];
  // What Git and the cluster agreed on is long, and for the agent alone.
  const status = readApplicationStatus(id, isObject(written) ? { ...written, memory: null } : undefined);
  const read = readApplication(object);
  const spec: ApplicationSpec | undefined = read.type === 'application' ? read.spec : undefined;
  const lease = valueAt(written, ['lease']);
  const leaseName = typeof lease === 'string' ? lease : 'that vouches for it';
  const isGuess = beat?.type === 'unreadable';
  const isLeftOut = beat?.type === 'seen' && beat.vouching !== undefined && !isVouchedFor(beat.vouching, { id, namespace });
  const vouchedAt = isLeftOut ? undefined : beat?.type === 'seen' ? beat.at : isGuess ? dateOf(status.checkedAt) : undefined;
  const main = spec === undefined ? undefined : mainSource(spec);
  const short = valueAt(written, ['sync', 'shortRevision']);
  return {
    id,
    namespace,
    name,
    // The lease is renewed every few seconds, however rarely Git is asked.
    verdict: shownVerdict(status.verdict, { aliveAt: vouchedAt, intervalMs: Math.min(spec?.intervalMs ?? usualIntervalMs, usualIntervalMs), now }),
    status,
    revision: typeof short === 'string' ? short : shownRevision(status),
    mode: spec === undefined ? undefined : modeOf(spec, now),
    deploy: spec?.policy.deploy,
    pause: spec?.pause,
    source: main === undefined ? undefined : { repository: main.repository, path: main.path },
    vouchedAt,
    vouchedBy: isGuess ? 'status' : 'agent',
    generation: typeof generation === 'number' ? generation : undefined,
    notes: [
      ...(isGuess ? [`the agent's lease ${leaseName} cannot be read, so that only the time of the last change of the status counts: ${beat.why}`] : []),
      ...(isLeftOut ? [`the agent that holds the lease ${leaseName} does not vouch for it: it does not look after the namespace ${namespace}, or cannot write this status`] : []),
      ...(read.type === 'invalid' ? [`its document is refused: ${read.messages.join('; ')}`] : []),
      ...(typeof generation === 'number' && status.generation !== null && status.generation < generation ? ['this is about an earlier version of its spec'] : []),
    ],
    kept: 'cluster',
  };
}

interface FolderView {
  readonly heartbeat: Heartbeat | undefined;
  readonly control: Control | undefined;
  readonly now: Date;
}

/** An application of an agent that keeps its state in a folder. */
export function folderItem(status: AppStatus, { heartbeat, control, now }: FolderView): StatusItem {
  const id = status.name;
  const slash = id.indexOf('/');
  const vouchedAt = heartbeat?.applications.includes(id) === true ? dateOf(heartbeat.aliveAt) : undefined;
  return {
    id,
    namespace: slash === -1 ? undefined : id.slice(0, slash),
    name: id.slice(slash + 1),
    verdict: shownVerdict(status.verdict, { aliveAt: vouchedAt, intervalMs: heartbeat?.intervalMs ?? usualIntervalMs, now }),
    status,
    revision: shownRevision(status),
    mode: undefined,
    deploy: undefined,
    pause: control?.pause,
    source: undefined,
    vouchedAt,
    vouchedBy: 'agent',
    generation: undefined,
    notes: heartbeat !== undefined && vouchedAt === undefined ? ['the agent no longer looks after it'] : [],
    kept: 'folder',
  };
}

export function isDecayed({ verdict, status }: StatusItem): boolean {
  return status.verdict !== null && verdict !== status.verdict;
}

/** The resources that are not as Git wants them. Of those that are not listed only the number is known. */
export function differing({ status }: StatusItem): { readonly listed: AppStatus['resources']; readonly count: number } {
  const listed = status.resources.filter(({ cause }) => cause !== undefined);
  return { listed, count: listed.length === 0 ? 0 : listed.length + status.notListed };
}

/** Since when it is as the verdict says. */
export function sinceOf(item: StatusItem): Date | undefined {
  const { verdict, status } = item;
  if (isDecayed(item)) return item.vouchedAt;
  if (verdict.status === 'OutOfSync' && verdict.cause !== 'git-ahead') {
    const drifted = differing(item).listed.filter(({ cause }) => cause !== 'git-ahead');
    const oldest = drifted.map(({ since }) => since).toSorted()[0];
    if (oldest !== undefined) return dateOf(oldest);
  }
  return dateOf(status.verdictSince);
}

/** Who changed what differs, each once. */
export function actorsOf(item: StatusItem): readonly string[] {
  return [...new Set(differing(item).listed.flatMap(({ by }) => by ?? []))];
}

function dateOf(text: string | null): Date | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
