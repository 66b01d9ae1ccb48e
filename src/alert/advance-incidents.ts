import { createHash } from 'node:crypto';
import type { AppStatus, Incident, PendingAlert, TransitionType, Verdict } from '../model/index.ts';

export interface Advance {
  /** The status as it was just observed, with the incidents and the outbox of before. */
  readonly status: AppStatus & { readonly verdict: Verdict };
  readonly now: string;
  readonly newId: string;
  /** False while something is about to be done about the difference: it is recorded, and told only if it stays. */
  readonly announce: boolean;
}

type Advanced = Pick<AppStatus, 'incidents' | 'outbox'>;

const keptIncidents = 20;

/** Opens an incident at the first sight of a difference and closes it at the next sight of none. Not knowing changes nothing. */
export function advanceIncidents({ status, now, newId, announce }: Advance): Advanced {
  const { verdict, incidents, outbox } = status;
  const [latest] = incidents;
  const open = latest?.closedAt === null ? latest : undefined;
  switch (verdict.status) {
    case 'Unknown':
      return { incidents, outbox };
    case 'Synced': {
      if (open === undefined) return { incidents, outbox };
      const told = open.transitions > 0;
      const closed = { ...open, closedAt: now, transitions: open.transitions + (told ? 1 : 0) };
      return { incidents: [closed, ...incidents.slice(1)], outbox: told ? [...outbox, alert(closed, 'resolved', now)] : outbox };
    }
    case 'OutOfSync': {
      const fingerprint = fingerprintOf(status);
      const current = open ?? { id: newId, openedAt: now, closedAt: null, cause: verdict.cause, fingerprint, transitions: 0 };
      const news: TransitionType | undefined =
        current.transitions === 0 ? 'firing' : current.fingerprint === fingerprint ? undefined : 'changed';
      const told = announce && news !== undefined;
      // What was not told keeps the fingerprint of what was, so that it is still news the next time.
      const seen = told || current.transitions === 0 ? { fingerprint, cause: verdict.cause } : {};
      const next = { ...current, ...seen, transitions: current.transitions + (told ? 1 : 0) };
      const others = open === undefined ? incidents : incidents.slice(1);
      return {
        incidents: [next, ...others].slice(0, keptIncidents),
        outbox: told ? [...outbox, alert(next, news, now)] : outbox,
      };
    }
  }
}

function alert(incident: Incident, type: TransitionType, at: string): PendingAlert {
  return { key: `${incident.id}-${incident.transitions}`, type, incidentId: incident.id, at };
}

function fingerprintOf({ resources }: AppStatus): string {
  const lines = resources
    .filter(({ cause }) => cause !== undefined)
    .map(({ key, type, changes }) => [key, type, ...(changes ?? []).map(({ path }) => path).toSorted()].join('\n'))
    .toSorted();
  return createHash('sha256').update(lines.join('\n\n')).digest('hex').slice(0, 12);
}
