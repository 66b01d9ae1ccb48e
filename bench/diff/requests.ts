// What the API server is asked while nothing changes, and when one thing does. The server's own audit log is the witness.
import type { AuditEvent } from '../../test/support/cluster/audit-log.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { BenchOptions, Figure } from '../bench.ts';
import { lookAt, standingOf } from './rates.ts';
import type { World } from './world.ts';

const looks = 20;

export async function measureRequests(world: World, options: BenchOptions): Promise<readonly Figure[]> {
  const { admin, cache, targets } = world;
  if (admin.description.auditLogFile === null) {
    options.say('requests are not counted: this cluster has no audit log that can be read');
    return [];
  }
  options.say('counting requests');
  const standing = standingOf(world);
  const look = (): ReturnType<typeof lookAt> => lookAt(world, standing, options);

  const requestsDuring = async (work: () => Promise<void>): Promise<readonly AuditEvent[]> => {
    const log = await admin.auditLog();
    await work();
    // Requests are logged when they are answered: what comes after ours says that ours are all there.
    await admin.kubectl(['version']);
    return (await log.events()).filter(({ userAgent, verb }) => userAgent === 'setpoint' && verb !== 'watch');
  };

  const first = await requestsDuring(async () => void (await look()));
  const idle = await requestsDuring(async () => {
    for (let done = 0; done < looks; done++) await look();
  });
  const edited = targets.find(({ kind, manifest }) => kind.kind === 'ConfigMap' && manifest.object.metadata.name === 'gateway-flags') ?? targets.find(({ kind }) => kind.kind === 'ConfigMap');
  if (edited === undefined) throw new Error('there is no ConfigMap to edit');
  const { key, object } = edited.manifest;
  const digest = cache.digestOf(key);
  const patch = JSON.stringify({ data: { edited: 'by hand', ...Object.fromEntries(Object.keys(object['data'] ?? {}).map((name) => [name, 'other'])) } });
  await admin.kubectl(['patch', 'configmap', object.metadata.name, '-n', object.metadata.namespace ?? 'default', '--type', 'merge', '-p', patch]);
  await waitFor(() => cache.digestOf(key) !== digest, { what: 'the edit to be seen' });
  const onEdit = await requestsDuring(async () => {
    const { compared } = await look();
    const found = compared.find(({ diff }) => diff.key === key);
    if (found?.diff.type !== 'changed') throw new Error(`the edit was not found: ${found?.diff.type}`);
  });
  const afterwards = await requestsDuring(async () => void (await look()));
  await world.cluster.apply(edited, { force: true, signal: options.signal });

  const among = `${targets.length} objects`;
  return [
    figure('requests of the first look', { events: first, looks: 1 }, `${among} in the live cache, nothing remembered: a dry-run of each that is UNSURE`),
    figure('requests per look, nothing changed', { events: idle, looks, wanted: 0 }, `${looks} looks at ${among}, watches aside`),
    figure('requests of a look, one object changed', { events: onEdit, looks: 1, wanted: 1 }, `one ConfigMap of ${among} edited by hand; a dry-run of it is wanted`),
    figure('requests of the look after that', { events: afterwards, looks: 1, wanted: 0 }, 'the change is still there'),
  ];
}

interface Count {
  readonly events: readonly AuditEvent[];
  readonly looks: number;
  readonly wanted?: number;
}

function figure(what: string, { events, looks: divisor, wanted }: Count, conditions: string): Figure {
  const each = events.length / divisor;
  const sorts = Map.groupBy(events, ({ verb, objectRef, requestURI }) => `${verb} ${objectRef?.resource ?? requestURI}`);
  const seen = [...sorts].map(([name, group]) => `${group.length} ${name}`);
  return { what, value: String(each), conditions: wanted === undefined ? conditions : [conditions, ...seen].join('; '), ...(wanted === undefined ? {} : { target: { wanted: String(wanted), met: each === wanted } }) };
}
