import type { Alert, Notification, Severity } from '../model/index.ts';
import type { AlertingApplication } from './candidates.ts';
import { describeSubject } from './describe-subject.ts';
import type { PlannedMember, PlannedNotification } from './planned-notification.ts';

interface Context {
  readonly cluster: string;
  readonly now: Date;
}

interface Told {
  readonly place: AlertingApplication;
  readonly alert: Alert;
  readonly state: PlannedMember['state'];
}

const listedSubjects = 20;
const bySeverity: readonly Severity[] = ['critical', 'warning', 'info'];

/** What a destination is told, by what is known now. Undefined where none of the alerts is there any more. */
export function describeNotification(planned: PlannedNotification, applications: readonly AlertingApplication[], { cluster, now }: Context): Notification | undefined {
  const { id, type, destination } = planned;
  const told = toldIn(planned, applications);
  if (told.length === 0) return undefined;
  const ref = commonRef(told, destination, applications);
  return {
    id,
    type,
    at: now.toISOString(),
    rule: {
      name: [...new Set(told.map(({ alert }) => alert.rule))].toSorted().join(', '),
      severity: bySeverity.find((severity) => told.some(({ alert }) => alert.severity === severity)) ?? 'info',
    },
    cluster,
    subjects: told.slice(0, listedSubjects).map(({ place, alert, state }) => describeSubject(alert, place, { destination, state })),
    truncatedSubjects: Math.max(0, told.length - listedSubjects),
    ...(ref === undefined ? {} : { ref }),
  };
}

function toldIn({ members }: PlannedNotification, applications: readonly AlertingApplication[]): readonly Told[] {
  const byId = new Map(applications.map((place) => [place.application.id, place]));
  return members.flatMap((member) => {
    const place = byId.get(member.application);
    const alert = place?.alerts.find(({ id }) => id === member.alert);
    return place === undefined || alert === undefined ? [] : [{ place, alert, state: member.state }];
  });
}

/** An earlier message can be replaced where it told of these alerts and of no other. */
function commonRef(told: readonly Told[], destination: string, applications: readonly AlertingApplication[]): string | undefined {
  const refOf = ({ deliveries }: Alert): string | undefined => (Object.hasOwn(deliveries, destination) ? deliveries[destination]?.ref : undefined);
  const [ref, ...others] = new Set(told.map(({ alert }) => refOf(alert)));
  if (ref === undefined || others.length > 0) return undefined;
  const all = applications.flatMap(({ alerts }) => alerts.filter((alert) => refOf(alert) === ref));
  return all.length === told.length ? ref : undefined;
}
