import { displayKey, type AppStatus, type Episode, type HistoryEntry, type JsonObject } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { span } from './application-age.ts';
import { inColumns, type Cell } from './application-columns.ts';
import { syncText } from './application-details.ts';
import { timeText } from './attribution.ts';
import { printable } from './printable.ts';

type Happening = { readonly type: 'drift' | 'deploy'; readonly at: string; readonly episode: Episode } | { readonly type: 'sync'; readonly at: string; readonly sync: HistoryEntry };

/** What happened to an application, newest first: what differed and for how long, and what was done. */
export function happenings({ episodes, history }: Pick<AppStatus, 'episodes' | 'history'>): readonly Happening[] {
  // A sync has its place by its end: above what it was begun for, which is on record a little later than it begins.
  const all: readonly Happening[] = [
    ...history.map((sync): Happening => ({ type: 'sync', at: sync.at, sync })),
    ...episodes.map((episode): Happening => ({ type: episode.cause === 'git-ahead' ? 'deploy' : 'drift', at: episode.openedAt, episode })),
  ];
  return all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

interface HistoryOptions {
  readonly colors: Colors;
  readonly now: Date;
  readonly width?: number;
}

const titles = ['SINCE', 'UNTIL', 'LASTED', 'WHAT', 'CAUSE', 'RESOURCE', 'BY', 'END', 'FIELDS'];

export function historyTable(all: readonly Happening[], { colors, now, width }: HistoryOptions): string {
  const header = titles.map((text): Cell => ({ text, paint: colors.bold }));
  return inColumns([header, ...all.map((each) => rowOf(each, { colors, now }))], width);
}

function rowOf(happening: Happening, { colors, now }: HistoryOptions): readonly Cell[] {
  if (happening.type === 'sync') {
    const { id, at, startedAt, cause, type = '-' } = happening.sync;
    const lasted = startedAt === undefined ? '-' : span(Date.parse(at) - Date.parse(startedAt));
    return [timeText(startedAt ?? at), timeText(at), lasted, 'sync', cause, syncText(happening.sync), type, `sync ${id}`, ''].map((text) => ({ text: printable(text) }));
  }
  const { key, cause, openedAt, closedAt, fields, by = '-', correctedAt } = happening.episode;
  const lasted = span((closedAt === null ? now.getTime() : Date.parse(closedAt)) - Date.parse(openedAt));
  const end = closedAt === null ? (correctedAt === undefined ? 'open' : 'open after sync') : correctedAt === undefined ? 'gone by itself' : 'corrected';
  const resource = key === '*' ? 'resources that are not listed' : displayKey(key);
  const texts = [timeText(openedAt), closedAt === null ? '-' : timeText(closedAt), lasted, happening.type, cause, resource, by, end, fields.join(', ')];
  return texts.map((text, column) => ({ text: printable(text), ...(column === 7 && closedAt === null ? { paint: colors.yellow } : {}) }));
}

/** The versioned document of `setpoint history -o json` and `-o yaml`. */
export function historyReport(id: string, all: readonly Happening[]): JsonObject {
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'HistoryReport',
    application: id,
    items: all.map((happening): JsonObject => {
      if (happening.type === 'sync') {
        const { type: operationType = null, ...sync } = happening.sync;
        return { ...(sync as unknown as JsonObject), type: 'sync', operationType };
      }
      const { id: episode, key, cause, openedAt, closedAt, fields, by, correctedAt } = happening.episode;
      return { type: happening.type, id: episode, resource: key, cause, since: openedAt, until: closedAt, fields: [...fields], by: by ?? null, correctedAt: correctedAt ?? null };
    }),
  };
}
