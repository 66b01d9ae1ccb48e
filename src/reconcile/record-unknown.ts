import { namedApplication, type AppStatus, type ErrorCode } from '../model/index.ts';
import { nextStatus } from './next-status.ts';
import type { Ports } from './ports.ts';

interface Reason {
  readonly id: string;
  readonly generation: number | undefined;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Nothing was looked at, and this is why. What was known before stays, with its age. */
export function recordUnknown({ id, generation, code, message }: Reason, ports: Pick<Ports, 'status' | 'now' | 'newId'>): Promise<AppStatus> {
  const verdict = { status: 'Unknown', code, message } as const;
  const judgement = { verdict, commit: null, resources: [], findings: [] };
  const seen = { application: namedApplication(id, { generation }), judgement, compared: [], trouble: undefined, health: () => undefined, now: ports.now(), newId: ports.newId };
  return ports.status.update(id, (before) => nextStatus(before, seen));
}
