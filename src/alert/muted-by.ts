import type { Alert, Application, AppStatus } from '../model/index.ts';
import type { ActiveMute, Mute } from './active-mutes.ts';
import { episodeSubject, matches, type Subject } from './matches.ts';
import { stateSubjects } from './state-of.ts';

export interface Place {
  readonly application: Application;
  readonly status: AppStatus;
}

/** What mutes an alert: everything that it is about has to be muted. Of several the first to end. */
export function mutedBy(alert: Alert, place: Place, mutes: readonly ActiveMute[]): Mute | undefined {
  const own = mutes.filter(({ rules }) => rules === undefined || rules.includes(alert.rule));
  if (own.length === 0) return undefined;
  const longest: Mute[] = [];
  for (const subject of subjectsOf(alert, place)) {
    const fitting = own.filter(({ match }) => matches(match, subject)).map(({ mute }) => mute);
    const [last] = fitting.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until));
    if (last === undefined) return undefined;
    longest.push(last);
  }
  return longest.toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until))[0];
}

function subjectsOf({ about, episodes, resolvedAt }: Alert, place: Place): readonly Subject[] {
  const { application, status } = place;
  if (about !== undefined && about !== 'healed') return stateSubjects(about, place);
  const listed = status.episodes.filter(({ id }) => episodes.includes(id));
  const open = listed.filter(({ closedAt }) => closedAt === null);
  const told = resolvedAt === null && open.length > 0 ? open : listed;
  if (told.length > 0) return told.map((episode) => episodeSubject(application, episode));
  return [{ application, cause: null, state: null, namespace: '', kind: '', fields: [] }];
}
