import type { Events } from '../cluster/index.ts';
import { applicationKind, displayKey, type Application, type ResourceKey, type Verdict } from '../model/index.ts';
import type { Observed } from '../reconcile/index.ts';

const waitMs = 1000;
const apartMs = 50;
// More than anybody reads: verdicts and alerts are elsewhere.
const longestWaitMs = 60_000;

interface Telling {
  /** Throws where this process may not. */
  readonly mayWrite: () => void;
  readonly signal: AbortSignal;
}

/** Kubernetes Events about verdicts that became other ones. No values: whoever may read events may not read everything else. */
export function tellEvents(events: Pick<Events, 'record'>, { mayWrite, signal }: Telling): (application: Application, status: Observed, before: Verdict | null) => void {
  let nextAt = 0;
  /** Deploys that wait to be told, by application. */
  const deploys = new Map<string, NodeJS.Timeout>();
  return (application, status, before) => {
    const told = describe(status, before);
    if (told === undefined || application.namespace === undefined) return;
    const regarding = subjectOf(application, application.namespace);
    // Verdicts come first: when many become others at once, their events wait, and come one by one.
    const now = performance.now();
    const at = Math.max(now + waitMs, nextAt);
    if (at - now > longestWaitMs) return;
    nextAt = at + apartMs;
    // A deploy that is over before it was told is told by its end.
    clearTimeout(deploys.get(application.id));
    deploys.delete(application.id);
    const timer = setTimeout(() => {
      if (deploys.get(application.id) === timer) deploys.delete(application.id);
      // Asked now: after a pause of the process the timers of the term before fire first.
      if (isAllowed(mayWrite)) void events.record({ regarding, action: 'Compare', ...told }, signal);
    }, at - now).unref();
    if (told.reason === 'OutOfSync') deploys.set(application.id, timer);
  };
}

const listedLeft = 10;

/** The last that is heard of an application: its status goes with it. */
export function tellLeft(events: Pick<Events, 'record'>, signal: AbortSignal): (application: Application, left: readonly ResourceKey[]) => void {
  return (application, left) => {
    if (application.namespace === undefined) return;
    const more = left.length > listedLeft ? ` and ${left.length - listedLeft} more` : '';
    const note = `deleted, and these stay: ${left.slice(0, listedLeft).map(displayKey).join(', ')}${more}`;
    void events.record({ regarding: subjectOf(application, application.namespace), action: 'Delete', type: 'Warning', reason: 'ObjectsLeft', note }, signal);
  };
}

function subjectOf({ name, uid }: Application, namespace: string): Parameters<Events['record']>[0]['regarding'] {
  const { group, version, kind } = applicationKind;
  return { apiVersion: `${group}/${version}`, kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
}

function isAllowed(mayWrite: () => void): boolean {
  try {
    mayWrite();
    return true;
  } catch {
    return false;
  }
}

type Told = { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly note: string };

function describe({ verdict, resources, notListed, declared, commit }: Observed, before: Verdict | null): Told | undefined {
  const at = commit === null ? '' : ` at ${commit.slice(0, 7)}`;
  switch (verdict.status) {
    case 'Synced':
      // The first look at an application that is as it should be is no news.
      return before === null ? undefined : { type: 'Normal', reason: wasDrift(before) ? 'DriftResolved' : 'Synced', note: `all ${declared} resources are as Git wants them${at}` };
    case 'Unknown':
      return { type: 'Warning', reason: 'CompareFailed', note: `${verdict.code}: ${verdict.message}` };
    case 'OutOfSync': {
      const count = resources.filter(({ cause }) => cause !== undefined).length + notListed;
      const note = `${count} of ${declared} resources differ${at} (${verdict.cause})`;
      return verdict.cause === 'git-ahead' ? { type: 'Normal', reason: 'OutOfSync', note } : { type: 'Warning', reason: 'DriftDetected', note };
    }
  }
}

function wasDrift(before: Verdict): boolean {
  return before.status === 'OutOfSync' && before.cause !== 'git-ahead';
}
