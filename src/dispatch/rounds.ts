import { advanceAlerts, claimAlert, planNotifications, replay, withUndelivered, type AlertingApplication, type PlannedMember, type PlannedNotification } from '../alert/index.ts';
import type { Alert, Application, AppStatus } from '../model/index.ts';
import type { DispatchPorts } from './ports.ts';
import { mutesAt, type AlertSettings } from './settings.ts';

/** Works out what there is to tell, puts it on record and into the queues. */
export type Round = (changed: ReadonlySet<string>, signal: AbortSignal) => Promise<RoundEnd>;

export interface RoundEnd {
  /** When time alone makes something due. */
  readonly nextAt: Date | null;
  /** False where something could not be recorded or queued: it is tried again. */
  readonly isWhole: boolean;
}

/** An application with what its alerts become, as far as that is not on record yet. */
interface Drafted extends AlertingApplication {
  readonly nextAt: Date | null;
  /** Those that new alerts were given. */
  readonly ids: readonly string[];
}

const writesAtOnce = 8;
// Time alone does nothing to the others before then, and a sweep finds what was missed.
const sweepMs = 30_000;

export function createRounds(settings: AlertSettings, ports: DispatchPorts, disabled: () => readonly string[]): Round {
  const { store, clock, newId, queues, report } = ports;
  const { rules } = settings;
  /** What was last worked out, and from what. */
  const known = new Map<string, { readonly status: AppStatus; readonly nextAt: Date | null }>();
  let sweptAt = -Infinity;

  return async (changed, signal) => {
    const now = clock.now();
    const applications = ports.applications();
    const mutesOf = mutesAt({ ...settings, silences: ports.silences() }, now);
    const destinations = { names: [...ports.destinations.keys()], disabled: disabled() };
    const telling = { rules, destinations: destinations.names, now };
    const isSweep = now.getTime() - sweptAt >= sweepMs;
    const drafts: Drafted[] = [];
    for (const application of applications) drafts.push(await draft(application));
    const plan = planNotifications({ applications: drafts, rules, destinations, mutesOf, now, newId });
    const whole = await settle(plan.due);
    if (isSweep && whole) sweptAt = now.getTime();
    const present = new Set(applications.map(({ id }) => id));
    for (const id of known.keys()) if (!present.has(id)) known.delete(id);
    const times = [plan.nextAt, ...drafts.map(({ nextAt }) => nextAt)].flatMap((at) => (at === null ? [] : [at.getTime()]));
    return { nextAt: times.length === 0 ? null : new Date(Math.min(...times)), isWhole: whole };

    async function draft(application: Application): Promise<Drafted> {
      const status = await store.read(application.id);
      const before = known.get(application.id);
      const isDue = before?.nextAt !== null && before !== undefined && before.nextAt.getTime() <= now.getTime();
      if (before?.status === status && !isDue && !isSweep && !changed.has(application.id)) return { application, status, alerts: status.alerts, nextAt: before.nextAt, ids: [] };
      const ids: string[] = [];
      const advanced = advance(application, status, () => ids[ids.push(newId()) - 1] ?? '');
      known.set(application.id, { status, nextAt: advanced.nextAt });
      return { application, status, ids, ...advanced };
    }

    function advance(application: Application, status: AppStatus, nextId: () => string): { readonly alerts: readonly Alert[]; readonly nextAt: Date | null } {
      const asked = application.replay?.id === status.answeredReplay ? undefined : application.replay;
      const alerts = asked === undefined ? status.alerts : status.alerts.map((alert) => asked.notifications.reduce((replayed, id) => replay(replayed, id, now), alert));
      return advanceAlerts({ application, status, alerts, rules, destinations, mutes: mutesOf(application), now, newId: nextId });
    }

    /** On record, then queued. What is not on record is not sent. */
    async function settle(due: readonly PlannedNotification[]): Promise<boolean> {
      let isWhole = true;
      const claims = Map.groupBy(due.filter(({ isClaimed }) => !isClaimed).flatMap((notification) => notification.members.map(({ application }) => ({ application, notification }))), ({ application }) => application);
      const unwritten = new Set<PlannedNotification>();
      const waiting = drafts.filter(({ application: { id, replay: asked }, status, alerts }) => alerts !== status.alerts || withUndelivered(status.conditions, alerts, telling) !== status.conditions || claims.has(id) || (asked !== undefined && asked.id !== status.answeredReplay)).values();
      const writeSome = async (): Promise<void> => {
        for (const drafted of waiting) {
          signal.throwIfAborted();
          const some = (claims.get(drafted.application.id) ?? []).map(({ notification }) => notification);
          const isWritten = await record(drafted, some).catch((error: Error) => {
            report.hindered('alerts were not recorded', error);
            return false;
          });
          if (isWritten) continue;
          isWhole = false;
          for (const notification of some) unwritten.add(notification);
        }
      };
      await Promise.all(Array.from({ length: writesAtOnce }, writeSome));
      for (const notification of due) {
        if (unwritten.has(notification)) continue;
        await queues.get(notification.destination)?.add(notification.id).catch((error: Error) => {
          isWhole = false;
          report.hindered('a notification was not queued', error);
        });
      }
      return isWhole;
    }

    /** False where what was to be claimed is no longer so: it is worked out anew. */
    async function record({ application, status, alerts: drafted, ids }: Drafted, claimed: readonly PlannedNotification[]): Promise<boolean> {
      let isClaimed = false;
      const written = await store.update(application.id, (current) => {
        const left = [...ids];
        const alerts = current === status ? drafted : advance(application, current, () => left.shift() ?? newId()).alerts;
        isClaimed = claimed.every(({ members }) => members.every((member) => member.application !== application.id || alerts.some((alert) => isMeant(alert, member))));
        const after = isClaimed ? claimed.reduce((some, notification) => some.map((alert) => claimAlert(alert, notification, now)), alerts) : alerts;
        return { ...current, alerts: after, conditions: withUndelivered(current.conditions, after, telling), answeredReplay: application.replay?.id ?? current.answeredReplay };
      });
      known.set(application.id, { status: written, nextAt: isClaimed ? (known.get(application.id)?.nextAt ?? null) : now });
      return isClaimed;
    }
  };
}

/** The same count may have come about otherwise meanwhile: what was to be told as lasting may be over. */
function isMeant({ id, transition, resolvedAt }: Alert, { alert, transition: planned, state }: PlannedMember): boolean {
  return id === alert && transition === planned && (resolvedAt === null) === (state === 'firing');
}
