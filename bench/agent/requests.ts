// What the agent asked of the API server, by the server's own audit log.
import type { AuditEvent } from '../../test/support/cluster/audit-log.ts';
import type { World } from './world.ts';

export interface Requests {
  /** Beyond watches and the renewal of its Lease. */
  readonly count: number;
  /** What they were, the most first. */
  readonly sorts: string;
}

export async function requestsDuring({ admin, client, agentUser }: World, work: () => Promise<void>): Promise<Requests> {
  const log = await admin.auditLog();
  await work();
  // Requests are logged when they are answered: what comes after ours says that ours are all there.
  await client.send('GET', '/version');
  const events = (await log.events()).filter(({ user, verb, objectRef }) => user.username === agentUser && verb !== 'watch' && objectRef?.resource !== 'leases');
  const sorts = [...Map.groupBy(events, sortOf)].toSorted(([, one], [, other]) => other.length - one.length);
  return { count: events.length, sorts: sorts.map(([sort, { length }]) => `${length} ${sort}`).join(', ') };
}

function sortOf({ verb, requestURI, objectRef }: AuditEvent): string {
  if (objectRef === undefined) return `${verb} ${requestURI.split('?')[0]}`;
  const [path = '', query = ''] = requestURI.split('?');
  const words = [verb, objectRef.resource, path.endsWith('/status') ? 'status' : '', query.includes('dryRun') ? 'dry-run' : ''];
  return words.filter((word) => word !== '').join(' ');
}
