import { parseResourceKey, resourceKey, type AlertRule, type AppStatus, type Episode, type Notification } from '../../../src/model/index.ts';
import { applicationId, type StoredApplication } from '../world/application-server.ts';
import type { Network } from '../world/network.ts';
import type { SinkName } from '../world/sink.ts';

/** Holds the episodes that are on record against what destinations were told of them. One for all Applications. */
export interface DriftLedger {
  written(stored: StoredApplication, status: AppStatus): void;
  /** People want something else of an Application. */
  changed(stored: StoredApplication): void;
  gone(id: string): void;
  heard(sink: SinkName, notification: Notification): void;
  /** What was worth telling at that time, and somebody has not heard of. */
  untold(stored: StoredApplication, now: Known, at: number): readonly string[];
}

interface Known {
  readonly status: AppStatus;
  /** Declared in files that cannot be read: nobody can look at these. */
  readonly unread: ReadonlySet<string>;
}

export function createDriftLedger(rules: readonly AlertRule[], network: Pick<Network, 'isDown'>): DriftLedger {
  const about = rules.filter(({ match }) => match.cause !== undefined);
  const known = new Map<string, Map<string, Episode>>();
  /** People said that they do not care, before everybody had heard: what is over then is not told any more. */
  const waived = new Set<string>();
  const heard = new Set<string>();
  const isWanted = ({ wishes: { policy } }: StoredApplication, { cause }: Episode): boolean => cause !== 'live-changed' || policy.drift !== 'Ignore';

  const waive = (stored: StoredApplication): void => {
    for (const episode of known.get(stored.id)?.values() ?? []) if (!isWanted(stored, episode)) waived.add(episode.id);
  };

  return {
    written(stored, { episodes, generation }) {
      const all = known.get(stored.id) ?? new Map<string, Episode>();
      known.set(stored.id, all);
      for (const episode of episodes) all.set(episode.id, episode);
      waive(stored);
      // The look began with what they said before.
      if (generation !== stored.application.generation) for (const { id, ignored } of episodes) if (ignored === true) waived.add(id);
    },
    changed: waive,
    gone: (id) => void known.delete(id),
    heard(sink, { subjects }) {
      for (const { application, resources } of subjects) {
        for (const resource of resources) heard.add(mark(sink, applicationId(application.name), { key: resourceKey(resource), openedAt: resource.since }));
      }
    },
    untold(stored, { status: { episodes }, unread }, at) {
      const { id } = stored;
      const listed = new Set(episodes.map((episode) => episode.id));
      return [...(known.get(id)?.values() ?? [])].flatMap((episode) =>
        about.flatMap(({ match, forMs, destinations }) => {
          if (match.cause?.includes(episode.cause) !== true || !isWanted(stored, episode) || !isWorthTelling(episode, forMs, at)) return [];
          // Of deploys that are over only a few are kept.
          if (episode.cause === 'git-ahead' && !listed.has(episode.id)) return [];
          // People may care by now, and it is too late for that, or nobody can say whether it is still so.
          if (waived.has(episode.id) && (episode.closedAt !== null || unread.has(episode.key))) return [];
          return destinations
            .filter((sink) => !network.isDown(sink as SinkName) && !heard.has(mark(sink, id, episode)))
            .map((sink) => `${sink} has never heard of episode ${episode.id} of ${parseResourceKey(episode.key as Parameters<typeof parseResourceKey>[0]).name} of ${id}, from ${episode.openedAt} to ${episode.closedAt ?? 'now'}`);
        }),
      );
    },
  };
}

/** What was put right before it had lasted long enough is nobody's business, however long it took to see that. */
function isWorthTelling({ openedAt, closedAt, correctedAt }: Episode, forMs: number, at: number): boolean {
  if (closedAt !== null && Date.parse(closedAt) > at) return false;
  return (closedAt === null ? at : Date.parse(correctedAt ?? closedAt)) - Date.parse(openedAt) >= forMs;
}

function mark(sink: string, id: string, { key, openedAt }: Pick<Episode, 'key' | 'openedAt'>): string {
  return `${sink} ${id} ${key} ${openedAt}`;
}
