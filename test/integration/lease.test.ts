import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster } from '../../src/cluster/index.ts';
import { createElection, type Election, type LeasePort } from '../../src/leader/index.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { recordingLog } from '../support/recording-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';
import { describeLeasePort } from '../unit/leader/lease-port-suite.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
const timing = { leaseMs: 6_000, renewMs: 4_000, retryMs: 1_000 };
let cluster: Cluster;
let namespace: TestNamespace;

beforeAll(async () => {
  cluster = await connect();
  namespace = await admin.createNamespace();
});

afterAll(async () => {
  await cluster.close();
  await namespace[Symbol.asyncDispose]();
});

async function connect(file = admin.kubeconfig): Promise<Cluster> {
  return createCluster(await loadKubeconfig({ file }));
}

/** A way to the API server that can be spoilt. */
async function openProxy(): Promise<FaultProxy> {
  const { hostname, port } = await serverOf(admin);
  const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  onTestFinished(() => proxy.stop());
  return proxy;
}

const newName = (): string => `agent-${randomBytes(4).toString('hex')}`;
const kubectl = (...args: readonly string[]): Promise<string> => admin.kubectl([...args, '-n', namespace.name]);

const claim = { holder: 'one', transitions: 1, durationSeconds: 15, renewTime: '2026-03-01T10:00:00.123Z', acquireTime: '2026-03-01T09:00:00.000Z' };

describeLeasePort('that of the API server', async () => {
  const name = newName();
  return {
    lease: cluster.lease({ namespace: namespace.name, name }),
    touch: async () => void (await kubectl('label', 'lease', name, 'touched=yes')),
    remove: async () => void (await kubectl('delete', 'lease', name)),
  };
});

describe('a Lease', () => {
  test('is what kubectl shows, with what others keep in it', async () => {
    const name = newName();
    const lease = cluster.lease({ namespace: namespace.name, name });
    await lease.create(claim, signal);
    await kubectl('label', 'lease', name, 'team=platform');
    const record = await lease.read(signal);
    await lease.update({ ...claim, version: record?.version ?? '', holder: 'two', transitions: 2 }, signal);
    expect(await admin.getJson('lease', name, '-n', namespace.name)).toMatchObject({
      metadata: { labels: { team: 'platform' } },
      spec: { holderIdentity: 'two', leaseTransitions: 2, leaseDurationSeconds: 15, renewTime: '2026-03-01T10:00:00.123000Z', acquireTime: '2026-03-01T09:00:00.000000Z' },
    });
  });

  test('tells with every write what its holder has to say', async () => {
    const name = newName();
    let said = 'one thing';
    const lease = cluster.lease({ namespace: namespace.name, name, says: () => said });
    const reader = cluster.lease({ namespace: namespace.name, name });
    await lease.create(claim, signal);
    const record = await reader.read(signal);
    expect(record?.says).toBe('one thing');
    said = 'another';
    await lease.update({ ...claim, version: record?.version ?? '' }, signal);
    expect((await reader.read(signal))?.says).toBe('another');
  });

  test('that somebody made without saying anything is nobody’s', async () => {
    const name = newName();
    await admin.apply(JSON.stringify({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: namespace.name } }));
    expect(await cluster.lease({ namespace: namespace.name, name }).read(signal)).toMatchObject({ holder: '', transitions: 0, durationSeconds: 0, renewTime: '', acquireTime: '' });
  });

  test.each<[string, readonly string[], (lease: LeasePort) => Promise<unknown>]>([
    ['get', [], (lease) => lease.read(signal)],
    ['create', ['get'], (lease) => lease.create(claim, signal)],
    ['patch', ['get', 'create'], (lease) => lease.update({ ...claim, version: '1' }, signal)],
  ])('that one may not %s says so', async (verb, verbs, use) => {
    const rules = verbs.length === 0 ? [] : [{ apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs }];
    const restricted = await connect(await admin.restrictedUser(namespace.name, rules));
    onTestFinished(() => restricted.close());
    const refused = use(restricted.lease({ namespace: namespace.name, name: newName() }));
    await expect(refused).rejects.toMatchObject({
      code: 'Forbidden',
      message: expect.stringContaining(`not allowed: ${verb} leases.coordination.k8s.io in namespace ${namespace.name}`),
    });
  });

  test('of a namespace that is not there cannot be made, and the error names the namespace', async () => {
    const lease = cluster.lease({ namespace: 'nowhere', name: 'agent' });
    expect(await lease.read(signal)).toBeUndefined();
    await expect(lease.create(claim, signal)).rejects.toMatchObject({ code: 'ClusterError', message: expect.stringContaining('namespaces "nowhere" not found') });
  });
});

test('a Lease does not wait behind other requests that hang', async () => {
  const proxy = await openProxy();
  const busy = await connect(await kubeconfigVia(admin, proxy.port));
  await busy.discover(signal);
  const off = new AbortController();
  const lease = busy.lease({ namespace: namespace.name, name: newName() });
  for (const connection of proxy.connections) connection.stall();
  proxy.treatNew((connection) => connection.stall());
  const hanging = Array.from({ length: 10 }, () => busy.discover(off.signal).catch(() => 'cut off'));
  await waitFor(() => proxy.connections.length >= 8, { what: 'all connections of the other requests to be in use' });
  proxy.treatNew(() => undefined);
  expect(await lease.read(AbortSignal.timeout(5_000))).toBeUndefined();
  off.abort();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['cut off']));
  await proxy.stop();
  await busy.close();
});

describe('two candidates', () => {
  interface Member {
    readonly election: Election;
    readonly told: string[];
    readonly proxy: FaultProxy;
  }

  /** Both on the same lease; the second one comes when the first one leads. */
  async function pair(): Promise<readonly [Member, Member]> {
    const name = newName();
    const one = await join('one', name);
    await waitFor(() => one.election.mayWrite(), { what: 'the first to lead' });
    const two = await join('two', name);
    await waitFor(() => two.told.includes('observed one'), { what: 'the second to see the first' });
    return [one, two];
  }

  async function join(identity: string, name: string): Promise<Member> {
    const proxy = await openProxy();
    const own = await connect(await kubeconfigVia(admin, proxy.port));
    const told: string[] = [];
    const election = createElection({
      ...{ lease: own.lease({ namespace: namespace.name, name }), identity, timing, now: () => performance.now(), time: () => new Date(), random: Math.random },
      setTimer(callback, delayMs) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
      on: {
        elected: (epoch) => void told.push(`elected ${epoch}`),
        lost: (reason) => void told.push(`lost ${reason}`),
        observed: (holder) => void told.push(`observed ${holder ?? 'nobody'}`),
      },
      log: recordingLog(),
    });
    election.start();
    onTestFinished(async () => {
      await election.stop();
      // Connections that hang would be waited for.
      await proxy.stop();
      await own.close();
    });
    return { election, told, proxy };
  }

  test('are one leader and one that stands by, for as long as it is renewed', async () => {
    const [one, two] = await pair();
    const { election } = one;
    const first = election.state();
    await waitFor(() => validUntil(election) > validUntil({ state: () => first }) + timing.leaseMs, { what: 'renewals beyond the first lease' });
    expect(one.told).toEqual(['observed one', 'elected 1']);
    expect(two.told).toEqual(['observed one']);
    expect(two.election.state()).toEqual({ type: 'standby', holder: 'one' });
  });

  test('hand over at once when the leader stops', async () => {
    const [one, two] = await pair();
    await one.election.stop();
    const stoppedAt = performance.now();
    await waitFor(() => two.election.mayWrite(), { what: 'the second to lead' });
    // Well before the lease would have run out.
    expect(performance.now() - stoppedAt).toBeLessThan(timing.leaseMs - 1_000);
    expect(one.told.slice(2)).toEqual(['lost stopped', 'observed nobody']);
    expect(two.election.state()).toMatchObject({ type: 'leader', epoch: 2 });
  });

  test.each<[string, (proxy: FaultProxy) => Promise<void>]>([
    ['is cut off', (proxy) => proxy.refuse()],
    [
      'gets no more answers',
      async (proxy) => {
        proxy.treatNew((connection) => connection.stall());
        for (const connection of proxy.connections) connection.stall();
      },
    ],
  ])('hand over when the leader %s, and has stopped by then', async (_, spoil) => {
    const [one, two] = await pair();
    await spoil(one.proxy);
    await waitFor(() => !one.election.mayWrite(), { what: 'the first to give up' });
    expect(two.election.mayWrite()).toBe(false);
    await waitFor(() => two.election.mayWrite(), { what: 'the second to lead' });
    expect(one.told.slice(2)).toEqual(['lost expired']);
    expect(two.told).toEqual(['observed one', 'observed two', 'elected 2']);
  });

  test('that was cut off and comes back stands by', async () => {
    const [one, two] = await pair();
    await one.proxy.refuse();
    await waitFor(() => two.election.mayWrite(), { what: 'the second to lead' });
    await one.proxy.accept();
    await waitFor(() => one.told.includes('observed two'), { what: 'the first to see the second' });
    expect(one.told).toEqual(['observed one', 'elected 1', 'lost expired', 'observed two']);
    expect(one.election.state()).toEqual({ type: 'standby', holder: 'two' });
  });
});

function validUntil(election: Pick<Election, 'state'>): number {
  const state = election.state();
  return state.type === 'leader' ? state.validUntil : Number.NaN;
}
