import type { Destination, Notification } from '../model/index.ts';

interface Telling {
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly cluster: string;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly log: { warn(message: string, fields?: object): void };
}

/** A destination that takes nothing is told to the others, once, and once that it works again. Not on record: the log and the metrics say it too. */
export function tellOthers({ destinations, cluster, now, signal, log }: Telling): (failing: string, state: { readonly since: Date; readonly why: string | undefined; readonly isOver: boolean }) => void {
  return (failing, { since, why, isOver }) => {
    const at = now().toISOString();
    const message = isOver ? `notifications to ${failing} are delivered again` : `notifications to ${failing} are not delivered${why === undefined ? '' : `: ${why}`}`;
    const notification: Notification = {
      id: `evt_${failing}-${since.getTime()}-${isOver ? 'over' : 'failing'}`,
      type: isOver ? 'agent.recovered' : 'agent.blind',
      at,
      rule: { name: 'destinations', severity: 'critical' },
      cluster,
      subjects: [
        {
          alert: { id: `dst_${failing}`, fingerprint: failing, startedAt: since.toISOString(), endedAt: isOver ? at : null },
          application: { namespace: null, name: 'setpoint', labels: {} },
          ...{ cause: null, message, revision: { repo: '', ref: '', sha: null, path: null }, resources: [], truncatedResources: 0 },
        },
      ],
      truncatedSubjects: 0,
    };
    for (const [name, destination] of destinations) {
      if (name === failing) continue;
      const failed = (reason: string): void => log.warn('a destination was not told of one that fails', { destination: name, failing, reason });
      void destination.send(notification, signal).then(
        (outcome) => (outcome.type === 'sent' ? undefined : failed(outcome.why)),
        (error: Error) => failed(error.message),
      );
    }
  };
}
