import { isByHand, type AlertedApplication, type Cause, type Notification, type NotificationType } from '../model/index.ts';
import { cut, longestValue, plainText } from './plain-text.ts';
import { shownSpan, shownTime } from './shown-time.ts';

const longestTitle = 200;
const longestSummary = 300;
const longestName = 80;

/** `checkout in prod: 2 of its resources were changed by hand`, or of many: `12 applications in prod-eu-1: …`. */
export function titleOf(notification: Notification): string {
  const { type, subjects, truncatedSubjects } = notification;
  if (type === 'test') return 'Setpoint: a test of this destination';
  const [first] = subjects;
  const many = subjects.length + truncatedSubjects;
  const who = first !== undefined && many === 1 ? nameOf(first) : `${many} applications in ${plainText(notification.cluster, longestName)}`;
  return cut(`${who}: ${phraseOf(notification, subjects)}`, longestTitle);
}

/** `checkout in prod`. */
export function nameOf({ application }: AlertedApplication): string {
  const name = plainText(application.name, longestName);
  return application.namespace === null ? name : `${name} in ${plainText(application.namespace, longestName)}`;
}

export function summaryOf({ at, cluster, rule, subjects, type }: Notification): string {
  const starts = subjects.map(({ alert }) => alert.startedAt).toSorted();
  const ends = subjects.flatMap(({ alert }) => alert.endedAt ?? []).toSorted();
  const [start, end] = [starts[0], ends.length === subjects.length ? ends.at(-1) : undefined];
  const place = `cluster ${plainText(cluster, longestName)}, rule ${plainText(rule.name, longestName)} (${rule.severity})`;
  if (start === undefined || type === 'test') return cut(place, longestSummary);
  const when = end === undefined ? `since ${shownTime(start, at)} (${shownSpan(start, at)})` : `from ${shownTime(start, at)} to ${shownTime(end, at)} (${shownSpan(start, end)})`;
  return cut(`${place}, ${when}`, longestSummary);
}

/** What happened, of one application or of many. */
export function phraseOf({ type, truncatedSubjects }: Pick<Notification, 'type' | 'truncatedSubjects'>, subjects: readonly AlertedApplication[]): string {
  const fixed = fixedPhrases[type];
  if (fixed !== undefined) return withMessage(fixed, subjects);
  const cause = causeOf(subjects);
  const [only] = subjects;
  if (cause === null) return only?.message !== undefined && subjects.length === 1 ? plainText(only.message, longestValue) : 'something is wrong';
  const count = subjects.reduce((sum, { resources, truncatedResources }) => sum + resources.length + truncatedResources, 0);
  // Of what is not listed the resources are not counted.
  const what = truncatedSubjects > 0 ? 'their resources' : count === 0 ? 'it' : `${count} of ${subjects.length > 1 ? 'their' : 'its'} resources`;
  const [one, many] = lasting[type] === undefined ? ['was', 'were'] : ['is', 'are'];
  const how = phrases[cause](count > 1 || truncatedSubjects > 0 ? many : one, subjects.every(isAllByHand) ? 'by hand' : 'in the cluster');
  return `${lasting[type] ?? ''}${what} ${how}${type === 'drift.healed' ? ', and put back' : ''}`;
}

const fixedPhrases: Readonly<Partial<Record<NotificationType, string>>> = {
  'drift.resolved': 'in sync with Git again',
  'sync.succeeded': 'synced',
  'sync.failed': 'the sync failed',
  'agent.blind': 'the state is not known',
  'agent.recovered': 'the state is known again',
};

const lasting: Readonly<Partial<Record<NotificationType, string>>> = { 'drift.changed': 'now ', 'drift.repeated': 'still ' };

const phrases: Readonly<Record<Cause, (verb: string, where: string) => string>> = {
  'live-changed': (verb, where) => `${verb} changed ${where}`,
  'git-ahead': (verb) => `${verb} changed in Git and not in the cluster`,
  both: (verb, where) => `${verb} changed in Git, and otherwise ${where}`,
};

function withMessage(phrase: string, subjects: readonly AlertedApplication[]): string {
  const message = subjects.length === 1 ? subjects[0]?.message : undefined;
  return message === undefined ? phrase : `${phrase}: ${plainText(message, longestValue)}`;
}

/** Of all of them; null where nobody says one. */
function causeOf(subjects: readonly AlertedApplication[]): Cause | null {
  const causes = new Set(subjects.flatMap(({ cause }) => cause ?? []));
  const [first] = causes;
  if (first === undefined) return null;
  return causes.size === 1 ? first : 'both';
}

function isAllByHand({ resources }: AlertedApplication): boolean {
  const managers = resources.flatMap(({ by, fields }) => {
    const actors = fields.flatMap(({ actor }) => actor?.manager ?? []);
    return actors.length > 0 ? actors : by === undefined ? [''] : [by.split(' ')[0] ?? ''];
  });
  return managers.length > 0 && managers.every(isByHand);
}
