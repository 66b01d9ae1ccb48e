import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Scope } from '../config/index.ts';
import { createElection, defaultTiming, type Timing } from '../leader/index.ts';
import { SetpointError, staleIntervals } from '../model/index.ts';
import { warmUp } from '../reconcile/index.ts';
import { hintConcerns, type Check, type Hint } from '../server/index.ts';
import { createClusterStatus, vouchingText } from '../status/index.ts';
import { systemClock } from './clock.ts';
import { createClusterApplications } from './cluster-applications.ts';
import type { Declarations } from './declarations.ts';
import { tellEvents, tellLeft } from './events.ts';
import type { Parts } from './parts.ts';
import { persist } from './persist.ts';
import { startTerm, type Term } from './term.ts';

export interface Leading {
  term(): Term | undefined;
  isLeader(): boolean;
  hint(hint: Hint): Promise<void>;
  readonly readiness: readonly Check[];
  stop(): Promise<void>;
}

interface LeadingOptions {
  readonly parts: Parts;
  readonly declarations: Declarations;
  readonly scope: Extract<Scope, { type: 'cluster' }>;
}

const refreshAnnotation = 'setpoint.dev/refresh';
const keyName = 'setpoint-agent';
const warmAfterMs = 2000;

/** The Applications in the cluster, looked after by whichever agent leads. The others have everything at hand, and wait. */
export async function startLeading({ parts, declarations, scope }: LeadingOptions, signal: AbortSignal): Promise<Leading> {
  const { cluster, log, references, standings, ports } = parts;
  const { now, monotonic, random, setTimer } = systemClock;
  const { agentNamespace, lease: name, leaseMs, namespaces } = scope;
  const identity = `${hostname()}_${randomUUID()}`;
  const key = { namespace: agentNamespace, name: keyName, make: () => randomBytes(32).toString('hex') };
  const salt = await persist(() => cluster.agentKey(key, signal), { log, signal });
  const objects = cluster.applications();
  const applications = createClusterApplications({ objects, declarations, lists: namespaces === 'all' ? 1 : namespaces.length, defaultNamespace: parts.defaultNamespace });
  const watch = objects.watch({ namespaces, log, now, onChange: applications.take });
  const events = cluster.events({ identity, now, random, log });
  let term: Term | undefined;
  /** Since when somebody vouches for nothing but what was there before. */
  let electedAt = monotonic();
  let turn: Promise<unknown> = Promise.resolve();
  let isStopping = false;
  let cancelWarming: () => void = () => undefined;

  /** Terms begin and end one after the other. */
  function inTurn(work: () => Promise<void>): void {
    turn = turn.then(work).catch((error: Error) => log.error('a term did not begin or end as it should', { reason: error.message }));
  }

  const election = createElection({
    ...{ lease: cluster.lease({ namespace: agentNamespace, name, says: vouching }), identity, timing: timingFor(leaseMs), now: monotonic, time: now, setTimer, random, log },
    on: {
      elected(epoch, fence) {
        electedAt = monotonic();
        inTurn(() => begin(epoch, fence));
      },
      lost(reason) {
        if (!isStopping) log.warn('this agent no longer leads', { reason });
        inTurn(end);
      },
      observed: (holder) => log.info('the lease is held', { holder: holder ?? 'nobody', ours: holder === identity }),
    },
  });
  /** What readers of statuses are told with every renewal of the lease. */
  function vouching(): string {
    // A term that does not come about keeps nothing up to date.
    if (term === undefined && monotonic() - electedAt > staleIntervals * parts.config.intervalMs) return vouchingText({ namespaces: [], except: [] });
    const unseen = new Set(watch.troubles().flatMap(({ code, namespace }) => (code === 'Forbidden' ? [namespace] : [])));
    const seen = namespaces === 'all' ? (unseen.size === 0 ? ('all' as const) : []) : namespaces.filter((each) => !unseen.has(each));
    return vouchingText({ namespaces: seen, except: term?.unrecorded() ?? [] });
  }

  /** Within one term: what is left over from an earlier one may not write either, though this process leads again. */
  const mayWriteUntil = (fence: AbortSignal) => (): void => {
    if (fence.aborted || !election.mayWrite()) throw new SetpointError('NotLeader', 'this agent may not write: another one may lead by now');
  };

  async function hold(id: string, options: { readonly isHeld: boolean }, asking: AbortSignal): Promise<void> {
    const answer = await objects.hold(id, options, asking);
    if (answer.type === 'conflict') throw Object.assign(new SetpointError('ObjectUnsettled', `the Application ${id} was changed meanwhile`), { retry: 'soon' });
    if ('message' in answer) throw new SetpointError(answer.type === 'unknown' ? answer.code : 'ClusterError', `the finalizer of ${id} was not written: ${answer.message}`);
  }

  async function begin(transitions: number, fence: AbortSignal): Promise<void> {
    if (fence.aborted) return;
    cancelWarming();
    await until(() => applications.isListed(), fence);
    if (fence.aborted) return;
    // A lease that somebody deleted begins to count anew; what was written under the old count stays.
    const epoch = Math.max(transitions, 1 + applications.latestEpoch());
    log.info('this agent leads', { epoch, identity });
    const mayWrite = mayWriteUntil(fence);
    const applicationOf = (id: string) => {
      const declared = declarations.find(id);
      return declared?.type === 'application' ? declared.application : undefined;
    };
    const status = createClusterStatus({ ...{ store: applications, salt, epoch, mayWrite, applicationOf, signal: fence, now, random }, lease: `${agentNamespace}/${name}` });
    const telling = { onVerdict: tellEvents(events, { mayWrite, signal: fence }), onLeft: tellLeft(events, fence) };
    const silences = cluster.silences({ namespace: agentNamespace, log, now });
    // Whatever keeps it from that: as long as it leads, nobody else does the work.
    const started = await persist(() => startTerm({ parts, declarations, status, silences, mayWrite, deletion: { hold }, ...telling, signal: fence }), { log, signal: fence, givesUp: () => false }).catch((error: Error) => {
      if (!fence.aborted) throw error;
      return undefined;
    });
    if (fence.aborted) await started?.stop();
    else term = started;
  }

  /** Namespaces that we may not see do not keep us from looking after the others. */
  function seesSome(): boolean {
    const troubles = watch.troubles();
    return namespaces !== 'all' && troubles.length < namespaces.length && troubles.every(({ code }) => code === 'Forbidden');
  }

  async function end(): Promise<void> {
    const ended = term;
    term = undefined;
    await ended?.stop();
  }

  /** A standby that has everything at hand takes over in seconds. */
  function keepWarm(): void {
    cancelWarming();
    if (term !== undefined || isStopping) return;
    cancelWarming = setTimer(() => {
      if (term !== undefined) return;
      const known = declarations.all().flatMap((declared) => (declared.type === 'application' ? [declared.application] : []));
      const read = { read: (id: string) => Promise.resolve({ commit: null, id } as never) };
      warmUp(known, { desired: ports.desired, cluster: ports.cluster, standings, status: read }, signal).catch(() => undefined);
    }, warmAfterMs);
  }
  const endWarming = declarations.onChange(keepWarm);
  election.start();

  return {
    term: () => term,
    isLeader: () => election.state().type === 'leader',
    async hint(hint) {
      if (term !== undefined) {
        references.hint((reference) => hintConcerns(hint, reference));
        return;
      }
      // Whoever leads hears of it through one application of each reference.
      const asked = new Set<string>();
      for (const declared of declarations.all()) {
        if (declared.type !== 'application') continue;
        const source = declared.application.sources.find((each) => hintConcerns(hint, each));
        const subject = source === undefined ? undefined : `${source.repository} ${source.revision}`;
        if (subject === undefined || asked.has(subject)) continue;
        asked.add(subject);
        await objects.annotate(declared.application.id, { [refreshAnnotation]: now().toISOString() }, signal);
      }
    },
    readiness: [
      { name: 'applications', check: () => (watch.inSight() || seesSome() ? undefined : watch.troubles().map(({ message }) => message).join('; ') || 'the Applications have not been listed yet') },
      { name: 'looks', check: () => (election.state().type === 'standby' || term?.hasLookedAtAll() === true ? undefined : 'not every application has been looked at yet') },
    ],
    async stop() {
      isStopping = true;
      cancelWarming();
      endWarming();
      inTurn(end);
      await turn;
      await election.stop();
      await turn;
      await watch.close();
    },
  };
}

/** In the proportions of the usual one. */
function timingFor(leaseMs: number): Timing {
  const whole = Math.max(1, Math.round(leaseMs / 1000)) * 1000;
  const factor = whole / defaultTiming.leaseMs;
  return { leaseMs: whole, renewMs: defaultTiming.renewMs * factor, retryMs: defaultTiming.retryMs * factor };
}

async function until(isDone: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isDone() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
}
