import type { AlertedApplication, AlertedField, AlertedResource, Notification } from '../model/index.ts';
import { nameOf, phraseOf } from './message-title.ts';
import { cut, longestValue, plainText, shownValue } from './plain-text.ts';
import { shownSpan, shownTime } from './shown-time.ts';

const maxLines = 40;
const longestLine = 500;
const longestName = 100;
const few = 5;
const linesOfFew = 4;

/** What each subject is about. Of one subject all of it, of a few the beginning, of many a line each. */
export function linesOf(notification: Notification): readonly string[] {
  const { subjects, truncatedSubjects } = notification;
  const [first] = subjects;
  if (notification.type === 'test') return ['Alerts arrive here.'];
  if (first !== undefined && subjects.length + truncatedSubjects === 1) return [...messageLine(first), ...resourceLines(first, notification, maxLines - 1)];
  const shown = subjects.length <= few ? subjects.flatMap((subject) => withHeading(subject, notification)) : subjects.slice(0, maxLines - 1).map((subject) => heading(subject, notification));
  const hidden = truncatedSubjects + Math.max(0, subjects.length - (maxLines - 1));
  return hidden > 0 ? [...shown, `and ${hidden} more applications`] : shown;
}

/** In the title there may be no room for all of it. */
function messageLine({ message }: AlertedApplication): readonly string[] {
  return message === undefined ? [] : [plainText(message, longestLine)];
}

function withHeading(subject: AlertedApplication, notification: Notification): readonly string[] {
  return [heading(subject, notification), ...resourceLines(subject, notification, linesOfFew).map((line) => cut(`  ${line}`, longestLine))];
}

function heading(subject: AlertedApplication, { type }: Notification): string {
  return cut(`${nameOf(subject)}: ${phraseOf({ type, truncatedSubjects: 0 }, [subject])}`, longestLine);
}

/** At most `limit` lines; the last one counts the resources that have none. */
function resourceLines({ resources, truncatedResources }: AlertedApplication, { at, type }: Notification, limit: number): readonly string[] {
  const lines: string[] = [];
  let told = 0;
  for (const resource of resources) {
    const own = linesOfResource(resource, { at, isOver: type === 'drift.resolved' });
    if (lines.length + own.length > limit - 1 && told > 0) break;
    lines.push(...firstOf(own, limit - 1));
    told += 1;
  }
  const hidden = resources.length - told + truncatedResources;
  return hidden > 0 ? [...lines, `and ${hidden} more ${hidden === 1 ? 'resource' : 'resources'}`] : lines;
}

function firstOf(own: readonly string[], room: number): readonly string[] {
  return own.length <= room ? own : [...own.slice(0, room - 1), `and ${own.length - room + 1} more fields of it`];
}

interface When {
  readonly at: string;
  /** What is over was changed until now, not since then. */
  readonly isOver: boolean;
}

function linesOfResource(resource: AlertedResource, when: When): readonly string[] {
  const place = [resource.namespace, resource.name].filter((part) => part !== '').map((part) => plainText(part, longestName)).join('/');
  const what = `${plainText(resource.kind, longestName)} ${place}`;
  const since = sinceOf(resource, when);
  if (resource.fields.length === 0) return [cut(`${what}  ${plainText(resource.change, longestName)}  ${byOf(resource)}${since}`, longestLine)];
  return resource.fields.map((field) => cut(`${what}  ${plainText(field.display, longestValue)}  ${valuesOf(field)}${byOf(resource, field)}${since}`, longestLine));
}

function sinceOf({ since, endedAt, correctedAt }: AlertedResource, { at, isOver }: When): string {
  const put = correctedAt === undefined ? '' : `, put back ${shownTime(correctedAt, at)}`;
  if (endedAt !== undefined) return `from ${shownTime(since, at)} to ${shownTime(endedAt, at)} (${shownSpan(since, endedAt)})${put}`;
  if (isOver) return `from ${shownTime(since, at)}${put}`;
  return `since ${shownTime(since, at)} (${shownSpan(since, correctedAt ?? at)})${put}`;
}

/** `git 3 → live 5`. Where both are unknown or secret, nothing. */
function valuesOf({ desired, live }: AlertedField): string {
  if (desired === undefined && live === undefined) return '';
  return `git ${desired === undefined ? '(none)' : shownValue(desired)} → live ${live === undefined ? '(none)' : shownValue(live)}  `;
}

function byOf({ by }: AlertedResource, field?: AlertedField): string {
  const actor = field?.actor;
  if (actor !== undefined) return `by ${plainText(actor.manager, longestName)}${actor.subresource === undefined ? '' : ` (${plainText(actor.subresource, longestName)})`} `;
  return by === undefined ? '' : `by ${plainText(by, longestName)} `;
}
