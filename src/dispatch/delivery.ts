import { describeNotification, planNotifications, recordOutcome, withUndelivered, type AlertingApplication, type PlannedMember, type PlannedNotification } from '../alert/index.ts';
import type { Alert, Claim, SendOutcome } from '../model/index.ts';
import type { DispatchPorts } from './ports.ts';
import type { AlertSettings } from './settings.ts';

interface Disabling {
  readonly disabled: () => readonly string[];
  readonly disable: (destination: string) => void;
}

/** What this process knows to have been sent, until it is seen to be on record. */
interface Sent {
  readonly outcome: SendOutcome;
  readonly describedAt: Date;
  isRecorded: boolean;
}

/**
 * Sends what is on record under an id, and records what became of it. Whoever can write to the queue can only bring forward what is due anyway.
 * True where something has come of it.
 */
export function createDelivery({ rules }: AlertSettings, ports: DispatchPorts, { disabled, disable }: Disabling): (destination: string, id: string, signal: AbortSignal) => Promise<boolean> {
  const { store, destinations, clock, cluster, report, mayWrite } = ports;
  /** By destination, notification and alert: where only the recording failed, or an application is gone, nothing is sent once more. */
  const sent = new Map<string, Sent>();

  return async (name, id, signal) => {
    const destination = destinations.get(name);
    if (destination === undefined || signal.aborted) return false;
    const now = clock.now();
    const places = await gather();
    const planned = claimed(places, name, id);
    const notification = planned && describeNotification(planned, places, { cluster, now });
    if (planned === undefined || notification === undefined) return false;
    const attempts = new Map(claimsOf(planned, places).map(({ alert, claim }) => [alert, claim.attempts]));
    const known = sentBefore(planned);
    if (known?.isRecorded === true) return false;
    mayWrite();
    const { describedAt } = known ?? { describedAt: now };
    const outcome = known?.outcome ?? (await destination.send(notification, signal).catch((error: Error): SendOutcome => ({ type: 'retry', why: error.message })));
    // Nobody knows whether it arrived: it is sent again under the same id.
    if (signal.aborted && outcome.type !== 'sent') return false;
    if (known === undefined) tell(planned, outcome, Math.min(...claimsOf(planned, places).map(({ claim }) => Date.parse(claim.at))));
    if (outcome.type === 'sent') for (const key of keysOf(planned)) sent.set(key, { outcome, describedAt, isRecorded: false });
    await record(planned, { outcome, describedAt }, attempts);
    await forgetRecorded(planned);
    return true;
  };

  /** Undefined unless all that it tells of was sent. */
  function sentBefore(planned: PlannedNotification): Sent | undefined {
    const known = keysOf(planned).map((key) => sent.get(key));
    return known.includes(undefined) ? undefined : (known.find((one) => one?.isRecorded === false) ?? known[0]);
  }

  /** What still shows as claimed is of an application that is gone, though nobody has said so yet. */
  async function forgetRecorded(planned: PlannedNotification): Promise<void> {
    const left = new Set(claimsOf(planned, await gather()).map(({ alert }) => alert));
    for (const member of planned.members) {
      const key = keyOf(planned, member);
      const known = sent.get(key);
      if (known !== undefined && left.has(member.alert)) known.isRecorded = true;
      else sent.delete(key);
    }
  }

  async function gather(): Promise<readonly AlertingApplication[]> {
    const places: AlertingApplication[] = [];
    for (const application of ports.applications()) {
      const status = await store.read(application.id);
      if (status.alerts.length > 0) places.push({ application, status, alerts: status.alerts });
    }
    return places;
  }

  function claimed(applications: readonly AlertingApplication[], name: string, id: string): PlannedNotification | undefined {
    const plan = planNotifications({ applications, rules, destinations: { names: [name], disabled: disabled() }, now: clock.now(), newId: () => '' });
    return plan.due.find((planned) => planned.isClaimed && planned.id === id);
  }

  function tell({ destination: name, id: notification }: PlannedNotification, outcome: SendOutcome, since: number): void {
    if (outcome.type === 'sent') {
      report.attempted(name, 'sent', { notification, afterMs: Math.max(0, clock.now().getTime() - since) });
      return;
    }
    report.attempted(name, 'failed', { notification, why: outcome.why });
    if (outcome.type !== 'gone') return;
    disable(name);
    report.gone(name, outcome.why);
  }

  async function record({ id, destination, members }: PlannedNotification, { outcome, describedAt }: Pick<Sent, 'outcome' | 'describedAt'>, attempts: ReadonlyMap<string, number>): Promise<void> {
    const now = clock.now();
    // Members of a group are tried again at the same time.
    const chance = clock.random();
    const isOpen = ({ id: alert, deliveries }: Alert): boolean => {
      const claim = deliveries[destination]?.claim;
      // A write that got no answer may have been carried out: one failure counts once.
      return claim?.notification === id && (outcome.type !== 'retry' || claim.attempts === attempts.get(alert));
    };
    for (const application of new Set(members.map((member) => member.application))) {
      await store.update(application, (current) => {
        const alerts = current.alerts.map((alert) => (isOpen(alert) ? recordOutcome(alert, destination, { outcome, describedAt, now, random: () => chance }) : alert));
        return { ...current, alerts, conditions: withUndelivered(current.conditions, alerts, { rules, destinations: [...destinations.keys()], now }) };
      });
    }
  }
}

function claimsOf({ id, destination }: PlannedNotification, places: readonly AlertingApplication[]): readonly { readonly alert: string; readonly claim: Claim }[] {
  return places.flatMap(({ alerts }) =>
    alerts.flatMap(({ id: alert, deliveries }) => {
      const claim = deliveries[destination]?.claim;
      return claim?.notification === id ? [{ alert, claim }] : [];
    }),
  );
}

function keysOf(planned: PlannedNotification): readonly string[] {
  return planned.members.map((member) => keyOf(planned, member));
}

function keyOf({ destination, id }: PlannedNotification, { alert }: PlannedMember): string {
  return `${destination} ${id} ${alert}`;
}
