import type { Application, ErrorCode } from '../model/index.ts';
import { nextStatus, type Observed } from './next-status.ts';
import type { Ports } from './ports.ts';

interface Reason {
  /** As far as it is known. */
  readonly application: Application;
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether that is the answer to who asked for a look. */
  readonly isAnswer: boolean;
}

/** Nothing was looked at, and this is why. What was known before stays, with its age. */
export async function recordUnknown({ application, code, message, isAnswer }: Reason, ports: Pick<Ports, 'status' | 'now' | 'newId' | 'report'>): Promise<void> {
  const verdict = { status: 'Unknown', code, message } as const;
  const judgement = { verdict, commit: null, resources: [], findings: [] };
  const seen = { application, judgement, compared: [], trouble: undefined, health: () => undefined, now: ports.now(), newId: ports.newId };
  const recorded = await ports.status.update(application.id, (before) => {
    const after = nextStatus(before, seen);
    return isAnswer ? after : { ...after, observedRefresh: before.observedRefresh };
  }, application.uid);
  ports.report.observed(application, { ...recorded, verdict } satisfies Observed);
}
