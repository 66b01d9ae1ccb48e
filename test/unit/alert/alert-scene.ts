// Applications that drift, and a dispatcher that does with the core what a real one does: advance, plan, claim, send, record.
import { activeMutes, advanceAlerts, advanceEpisodes, claimAlert, describeNotification, markCorrected, planNotifications, recordOutcome, type AlertingApplication, type PlannedMember, type PlannedNotification } from '../../../src/alert/index.ts';
import { emptyStatus, plainApplication, resourceKey, type Alert, type AlertRule, type Application, type AppStatus, type Cause, type ErrorCode, type MuteWindow, type Notification, type Operation, type ResourceKey, type ResourceStatus, type SendOutcome, type Silence } from '../../../src/model/index.ts';

export const start = Date.parse('2026-11-16T10:00:00Z');
export const seconds = 1000;
export const minutes = 60_000;
export const hours = 60 * minutes;

export function exampleRule(changes: Partial<AlertRule> = {}): AlertRule {
  return {
    name: 'drift',
    match: {},
    forMs: 5 * minutes,
    severity: 'warning',
    groupBy: ['cluster', 'namespace', 'app'],
    groupWaitMs: 30 * seconds,
    groupIntervalMs: 5 * minutes,
    repeatIntervalMs: 24 * hours,
    sendResolved: true,
    sendHealed: false,
    destinations: ['chat'],
    ...changes,
  };
}

export const keyOf = (name: string): ResourceKey => resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name });

/** What becomes of a notification. Crashes: nothing is sent, or it is sent and nobody records it, or only in part. */
export type Fate = SendOutcome | { readonly type: 'crash'; readonly at: 'claiming' | 'sending' | 'recording' | 'half recorded' };

/** What was tried, whatever came of it, with those alerts that were claimed for it. */
export interface Attempt {
  readonly at: number;
  readonly planned: PlannedNotification;
  readonly fate: Fate;
  readonly claimed: readonly { readonly application: string; readonly alert: Alert; readonly transition: number; readonly state: 'firing' | 'resolved' }[];
}

export interface Sent extends PlannedNotification {
  readonly at: number;
  readonly notification: Notification;
}

interface Drift {
  readonly cause: Cause;
  readonly path: string;
}

interface World {
  readonly drifts: Map<string, Drift>;
  blind: ErrorCode | undefined;
  place: AlertingApplication;
}

export interface SceneOptions {
  readonly rules?: readonly AlertRule[];
  readonly applications?: readonly string[];
  readonly destinations?: readonly string[];
  readonly muteWindows?: readonly MuteWindow[];
  readonly random?: () => number;
  readonly describe?: (id: string) => Partial<Application>;
}

export interface Scene {
  rules: readonly AlertRule[];
  silences: readonly Silence[];
  disabled: readonly string[];
  fate: (planned: PlannedNotification) => Fate;
  readonly sent: readonly Sent[];
  readonly attempts: readonly Attempt[];
  now(): number;
  nextAt(): number | undefined;
  drift(id: string, names: readonly string[], drift?: Partial<Drift>): void;
  end(id: string, ...names: readonly string[]): void;
  heal(id: string, ...names: readonly string[]): void;
  blind(id: string, code: ErrorCode): void;
  see(id: string): void;
  sync(id: string, operation: Partial<Operation> | null): void;
  change(id: string, change: (status: AppStatus) => AppStatus): void;
  alertsOf(id: string): readonly Alert[];
  edit(id: string, change: (alert: Alert) => Alert): void;
  place(id: string): AlertingApplication;
  /** Nobody does anything for a while. */
  stop(ms: number): void;
  pass(ms: number): void;
  lines(): readonly string[];
}

export function createScene({ rules = [exampleRule()], applications = ['web'], destinations = ['chat'], muteWindows = [], random = () => 0.5, describe = () => ({}) }: SceneOptions = {}): Scene {
  let time = start;
  let count = 0;
  const newId = (): string => `id${String((count += 1)).padStart(6, '0')}`;
  const sent: Sent[] = [];
  const attempts: Attempt[] = [];
  const sources = [{ repository: 'https://git.example.com/fleet', revision: 'main', path: 'web', ref: undefined, options: {} }];
  const worlds = new Map<string, World>(
    applications.map((name) => {
      const application = plainApplication({ name, sources, destination: { namespace: 'shop' }, ...describe(name) });
      return [application.id, { drifts: new Map(), blind: undefined, place: { application, status: { ...emptyStatus(name), verdict: { status: 'Synced' as const }, verdictSince: at() }, alerts: [] } }];
    }),
  );
  function at(): string {
    return new Date(time).toISOString();
  }
  function world(id: string): World {
    const found = worlds.get(id);
    if (found === undefined) throw new RangeError(`no application ${id} in the scene`);
    return found;
  }
  function change(id: string, make: (status: AppStatus) => AppStatus): void {
    const one = world(id);
    one.place = { ...one.place, status: make(one.place.status) };
  }
  function look(id: string): void {
    const { drifts, blind } = world(id);
    change(id, (status) => {
      const differing = [...drifts].map(([name, drift]) => resourceOf(name, drift, at()));
      const next: AppStatus =
        blind === undefined
          ? {
              ...status,
              verdict: differing.length === 0 ? { status: 'Synced' } : { status: 'OutOfSync', cause: 'live-changed' },
              resources: differing,
              episodes: advanceEpisodes({ name: id, episodes: status.episodes, differing, unknown: new Set(), now: at(), newId }),
            }
          : { ...status, verdict: { status: 'Unknown', code: blind, message: `${blind}, said the scene` } };
      return { ...next, verdictSince: next.verdict?.status === status.verdict?.status ? status.verdictSince : at() };
    });
  }
  const input = () => ({ rules: scene.rules, destinations: { names: destinations, disabled: scene.disabled }, now: new Date(time), newId });
  const mutes = () => activeMutes({ silences: scene.silences, muteWindows }, new Date(time));
  function advance(): number | undefined {
    const times = [...worlds.values()].map((one) => {
      const { alerts, nextAt } = advanceAlerts({ ...input(), mutes: mutes(), ...one.place });
      one.place = { ...one.place, alerts };
      return nextAt;
    });
    return first(times);
  }
  const plan = () => {
    const present = mutes();
    return planNotifications({ ...input(), mutesOf: () => present, applications: [...worlds.values()].map(({ place }) => place) });
  };
  function each(members: readonly PlannedMember[], make: (alert: Alert) => Alert): void {
    for (const { application, alert } of members) scene.edit(application, (one) => (one.id === alert ? make(one) : one));
  }
  /** False after a crash. */
  function send(planned: PlannedNotification): boolean {
    const fate = scene.fate(planned);
    const { members, destination, isClaimed } = planned;
    const crash = fate.type === 'crash' ? fate.at : undefined;
    if (!isClaimed) each(crash === 'claiming' ? members.slice(0, 1) : members, (alert) => claimAlert(alert, planned, new Date(time)));
    const claimed = members.flatMap(({ application, transition, state, alert: id }) =>
      scene.alertsOf(application).filter((alert) => alert.id === id && alert.deliveries[destination]?.claim?.notification === planned.id).map((alert) => ({ application, alert, transition, state })),
    );
    attempts.push({ at: time, planned, fate, claimed });
    if (crash === 'claiming' || crash === 'sending') return false;
    if (fate.type === 'sent' || crash !== undefined) {
      const notification = describeNotification(planned, [...worlds.values()].map(({ place }) => place), { cluster: 'prod', now: new Date(time) });
      if (notification === undefined) throw new RangeError(`nothing to tell in ${planned.id}`);
      sent.push({ ...planned, at: time, notification });
    }
    if (crash === 'recording') return false;
    const outcome: SendOutcome = fate.type === 'crash' ? { type: 'sent' } : fate;
    each(crash === 'half recorded' ? members.slice(0, 1) : members, (alert) => recordOutcome(alert, destination, { outcome, describedAt: new Date(time), now: new Date(time), random }));
    return crash === undefined;
  }
  /** All that is to be done now, until a crash. Returns when to come again. */
  function dispatch(): number | undefined {
    for (let round = 0; round < 100; round += 1) {
      const advanced = advance();
      const { due, nextAt } = plan();
      if (due.length === 0) return first([advanced === undefined ? null : new Date(advanced), nextAt]);
      if (!due.every(send)) return time + 1 * seconds;
    }
    throw new RangeError('something is due for ever');
  }
  const scene: Scene = {
    rules,
    silences: [],
    disabled: [],
    fate: () => ({ type: 'sent' }),
    sent,
    attempts,
    now: () => time,
    nextAt: dispatch,
    drift(id, names, { cause = 'live-changed', path = '/spec/replicas' } = {}) {
      for (const name of names) world(id).drifts.set(name, { cause, path });
      look(id);
    },
    end(id, ...names) {
      for (const name of names) world(id).drifts.delete(name);
      look(id);
    },
    heal(id, ...names) {
      change(id, (status) => ({ ...status, episodes: markCorrected(status.episodes, new Set(names.map(keyOf)), at()) }));
      scene.end(id, ...names);
    },
    blind(id, code) {
      world(id).blind = code;
      look(id);
    },
    see(id) {
      world(id).blind = undefined;
      look(id);
    },
    sync(id, operation) {
      change(id, (status) => ({ ...status, operation: operation === null ? null : { id: 'op1', type: 'deploy', revision: 'c1', startedAt: at(), hooks: {}, state: 'running', ...operation } }));
    },
    change,
    alertsOf: (id) => world(id).place.alerts,
    edit(id, make) {
      const one = world(id);
      one.place = { ...one.place, alerts: one.place.alerts.map(make) };
    },
    place: (id) => world(id).place,
    stop(ms) {
      time += ms;
    },
    pass(ms) {
      const end = time + ms;
      for (;;) {
        const next = dispatch();
        if (next === undefined || next > end) break;
        time = Math.max(next, time + 1);
      }
      time = end;
      dispatch();
    },
    lines: () => sent.map((one) => `${Math.round((one.at - start) / seconds)} ${one.destination} ${one.type} ${one.members.map(({ application }) => application).join(' ')}`),
  };
  return scene;
}

function first(times: readonly (Date | null)[]): number | undefined {
  return times.flatMap((time) => (time === null ? [] : [time.getTime()])).toSorted((a, b) => a - b)[0];
}

function resourceOf(name: string, { cause, path }: Drift, since: string): ResourceStatus & { readonly cause: Cause } {
  const changes = [{ path, display: path.slice(1).replaceAll('/', '.'), live: 5, desired: 3, owners: [{ manager: 'kubectl-edit', operation: 'Update' }] }];
  return { key: keyOf(name), origin: 'a.yaml#1', type: 'changed', cause, since, changes, by: 'kubectl-edit', patch: [{ op: 'replace', path, value: 3 }] };
}
