import type { AlertRule, Application } from '../model/index.ts';
import type { ActiveMute } from './active-mutes.ts';
import { alertGroups, membersAt, type AlertGroup, type GroupMember } from './alert-groups.ts';
import { candidatesFor, type AlertingApplication, type Candidate } from './candidates.ts';
import { claimedNotifications } from './claimed-notifications.ts';
import { earliest } from './instant.ts';
import { mutedBy } from './muted-by.ts';
import { notificationType } from './notification-type.ts';
import type { Destinations } from './owed.ts';
import type { PlannedNotification } from './planned-notification.ts';

export interface PlanInput {
  readonly applications: readonly AlertingApplication[];
  readonly rules: readonly AlertRule[];
  readonly destinations: Destinations;
  /** What may mute something of an application now. Asked for each alert: it is to have it at hand. */
  readonly mutesOf?: (application: Application) => readonly ActiveMute[];
  readonly now: Date;
  readonly newId: () => string;
}

export interface NotificationPlan {
  /** In the order in which they are to be sent: what is claimed, then what is due longest. */
  readonly due: readonly PlannedNotification[];
  /** When time alone will make something due; null: never. */
  readonly nextAt: Date | null;
}

type Draft = Omit<PlannedNotification, 'id'>;

const mostMessages = 10;

/** What is to be sent now, and when to ask again. Nothing that is sent is decided elsewhere. */
export function planNotifications(input: PlanInput): NotificationPlan {
  const { applications, rules, destinations, mutesOf = () => [], now, newId } = input;
  const places = applications.toSorted((a, b) => compare(a.application.id, b.application.id));
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const times: number[] = [];
  const due: PlannedNotification[] = [];
  const drafts: { readonly draft: Draft; readonly dueAt: number }[] = [];
  for (const destination of new Set(destinations.names)) {
    if (destinations.disabled.includes(destination)) continue;
    const candidates = candidatesFor(destination, places, byName);
    const claimed = claimedNotifications(destination, candidates);
    times.push(...claimed.map(({ dueAt }) => dueAt));
    due.push(...claimed.filter(({ dueAt }) => dueAt <= now.getTime()).toSorted((a, b) => a.claimedAt - b.claimedAt || compare(a.notification.id, b.notification.id)).map(({ notification }) => notification));
    // What is on its way to an application's readers comes before anything newer of that application.
    const busy = new Set(claimed.flatMap(({ notification }) => notification.members.map(({ application }) => application)));
    const mayTell = (candidate: Candidate): boolean => {
      if (busy.has(candidate.place.application.id)) return false;
      const mute = mutedBy(candidate.alert, candidate.place, mutesOf(candidate.place.application));
      if (mute !== undefined) times.push(Date.parse(mute.until));
      return mute === undefined;
    };
    const groups = alertGroups(candidates, mayTell);
    times.push(...groups.map(({ dueAt }) => dueAt));
    drafts.push(...draftsOf(destination, groups, now.getTime()));
  }
  const fresh = drafts.toSorted((a, b) => a.dueAt - b.dueAt).map(({ draft }) => ({ id: `evt_${newId()}`, ...draft }));
  return { due: [...due, ...fresh], nextAt: earliest(times.filter((at) => at > now.getTime())) };
}

/** One for each group that is due. With too many at once those that only wait for company come along, and all that is alike is one digest. */
function draftsOf(destination: string, groups: readonly AlertGroup[], now: number): readonly { readonly draft: Draft; readonly dueAt: number }[] {
  const ready = groups.filter(({ dueAt }) => dueAt <= now);
  if (ready.length === 0) return [];
  const open = groups.filter((group) => group.openAt <= now && membersAt(group, now).length > 0);
  const parts = open.length > mostMessages ? [...Map.groupBy(open, ({ family }) => family).values()].filter((part) => part.some((group) => ready.includes(group))) : ready.map((group) => [group]);
  return parts.flatMap((part) => {
    const [first] = part;
    const members = part.flatMap((group) => membersAt(group, now));
    return first === undefined ? [] : [{ draft: draftOf(destination, first, members), dueAt: Math.min(...part.map(({ dueAt }) => dueAt)) }];
  });
}

function draftOf(destination: string, { family }: AlertGroup, members: readonly GroupMember[]): Draft {
  return {
    ...{ destination, isClaimed: false },
    type: notificationType(family, members.map(({ news }) => news)),
    members: members.map(({ place, alert, news }) => ({ application: place.application.id, alert: alert.id, transition: alert.transition, state: news === 'resolved' ? 'resolved' : 'firing' })),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
