import { describe, expect, test } from 'vitest';
import { cascadeFinalizer, emptyStatus, plainApplication, resourceKey, type Application, type AppStatus, type Operation, type ResourceKey } from '../../../src/model/index.ts';
import { deletionOf, hindered } from '../../../src/reconcile/deletion.ts';
import type { Ports, Reading } from '../../../src/reconcile/ports.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';
import { whyOrphaned } from '../../../src/reconcile/why-orphaned.ts';

const now = new Date('2026-03-02T12:00:00Z');
const signal = new AbortController().signal;
const leaving: Application = plainApplication({ id: 'ns/web', name: 'web', namespace: 'ns', sources: [{ repository: 'r', revision: 'main', path: 'web', ref: undefined, options: {} }], deletionPolicy: 'Cascade', deleting: true, isHeld: true });
const begun = (more: Partial<Operation> = {}): Operation => ({ id: 'd', type: 'delete', revision: 'c1', startedAt: now.toISOString(), hooks: {}, state: 'running', ...more });
const definition = (metadata: Record<string, string>): Reading => ({ type: 'live', live: { key: 'x' as ResourceKey, resourceVersion: '1', object: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', ...metadata } } } });
const there = definition({});

describe('what an application takes with it', () => {
  test.each<[string, Partial<Application>, Reading, RegExp]>([
    ['what it applied, where it asks for that and the finalizer says that it did so before', {}, there, /^all of it$/],
    ['nothing, where it no longer asks for it', { deletionPolicy: 'Orphan' }, there, /its deletionPolicy is Orphan by now/],
    ['nothing, where the definition of Applications goes, and all of them with it', {}, definition({ deletionTimestamp: 'now' }), /is being deleted, and every Application with it/],
    ['nothing, where that definition is gone', {}, { type: 'absent' }, /is gone/],
    ['nothing, where nobody lets us see that definition', {}, { type: 'unknown', code: 'Forbidden', message: 'no' }, /may not be read/],
  ])('%s', async (_name, more, reading, why) => {
    const orphaned = await whyOrphaned({ ...leaving, ...more }, { read: () => Promise.resolve(reading) }, signal);
    expect(orphaned ?? 'all of it').toMatch(why);
  });

  test('is not decided while the definition cannot be read for now', async () => {
    const read = (): Promise<Reading> => Promise.resolve({ type: 'unknown', code: 'ClusterError', message: 'busy' });
    await expect(whyOrphaned(leaving, { read }, signal)).rejects.toThrow(/nothing is deleted before it is known/);
  });

  test.each<[string, Partial<Application>]>([
    ['one that stays', { deleting: false }],
    ['one that Kubernetes does not keep for us', { isHeld: false }],
  ])('nobody is asked about %s', async (_name, more) => {
    expect(await whyOrphaned({ ...leaving, ...more }, { read: () => expect.fail('asked') }, signal)).toBeUndefined();
  });
});

describe('the deletion', () => {
  const request = { id: 'r', by: 'me', approve: ['prune-0'] };
  const at = (operation: Operation | null, { minutes = 0, ...circumstances }: { minutes?: number; orphaned?: string; request?: typeof request } = {}): Operation | null =>
    deletionOf(leaving, { ...emptyStatus('ns/web'), operation, commit: 'c1' }, { orphaned: undefined, request: undefined, ...circumstances, now: () => new Date(now.getTime() + minutes * 60_000), newId: () => 'd' });

  test.each<[string, Operation | null, Operation | null]>([
    ['is begun', at(null), begun()],
    ['takes the place of a sync', at(begun({ type: 'deploy', id: 'sync' })), begun()],
    ['goes on', at(begun({ message: 'waits' }), { minutes: 9 }), begun({ message: 'waits' })],
    ['takes what somebody says meanwhile as an answer', at(begun(), { request }), begun({ request })],
    ['is given up after ten minutes', at(begun({ message: 'waits' }), { minutes: 10 }), begun({ state: 'failed', message: 'it was not over after 10 minutes, and what is left stays: waits', endedAt: '2026-03-02T12:10:00.000Z' })],
    ['ends before it has begun where the objects are to stay', at(null, { orphaned: 'so' }), begun({ state: 'terminated', message: 'so: what is left stays', endedAt: now.toISOString() })],
    ['ends on its way where they are to stay from now on', at(begun({ message: 'waits' }), { orphaned: 'so' }), begun({ state: 'terminated', message: 'so: what is left stays', endedAt: now.toISOString() })],
    ['stays over', at(begun({ state: 'succeeded' }), { minutes: 99, orphaned: 'so' }), begun({ state: 'succeeded' })],
  ])('%s', (_name, is, wanted) => {
    expect(is).toEqual(wanted);
  });

  test('is not ours to do where Kubernetes does not wait for it', () => {
    expect(deletionOf({ ...leaving, isHeld: false }, emptyStatus('ns/web'), { orphaned: undefined, request: undefined, now: () => now, newId: () => 'd' })).toBeNull();
  });

  test('says what keeps it from being planned', () => {
    expect(hindered(begun(), new Error('may not be read'))).toEqual(begun({ message: 'may not be read' }));
  });
});

test(`what may not even be read keeps ${cascadeFinalizer} for ten minutes, and is told`, async () => {
  let status: AppStatus = { ...emptyStatus('ns/web'), inventory: { [resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'a' })]: { uid: '1', version: 'v1' } } };
  let minutes = 0;
  const holds: boolean[] = [];
  const left: string[] = [];
  const kind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
  const ports = {
    desired: { at: () => Promise.reject(new Error('no repository')) },
    cluster: {
      discover: () => Promise.resolve({ lookUp: () => ({ type: 'served', kind }), apiVersions: [], kubeVersion: () => Promise.resolve('') }),
      read: ({ manifest }: { readonly manifest: { readonly object: { readonly kind: string } } }) => Promise.resolve(manifest.object.kind === 'ConfigMap' ? { type: 'unknown', code: 'Forbidden', message: 'not allowed to get configmaps' } : there),
    },
    standing: { of: () => ({ watch: { sight: () => undefined } }), applied: () => undefined, declarers: () => [] },
    ...{ ignoresOf: () => undefined, healthOf: () => ({ status: 'Healthy' }), tag: () => '', mayWrite: () => undefined, newId: () => 'd', staleAfterMs: 1 },
    now: () => new Date(now.getTime() + minutes * 60_000),
    status: { salt: '', read: () => Promise.resolve(status), update: (_id: string, change: (before: AppStatus) => AppStatus) => Promise.resolve((status = change(status))) },
    deletion: { hold: (_id: string, { isHeld }: { readonly isHeld: boolean }) => Promise.resolve(void holds.push(isHeld)) },
    report: { observed: () => undefined, synced: () => undefined, left: (_application: Application, rest: { readonly left: readonly string[]; readonly why: string }) => void left.push(...rest.left, rest.why) },
  } as unknown as Ports;

  for (; minutes < 10; minutes += 3) await reconcile(leaving, ports, signal);
  expect(status.operation).toMatchObject({ type: 'delete', state: 'running', message: expect.stringContaining('not allowed to get configmaps') as string });
  expect(holds).toEqual([]);
  await reconcile(leaving, ports, signal);
  expect(status.operation).toMatchObject({ state: 'failed' });
  expect(holds).toEqual([false]);
  expect(left).toEqual(['/ConfigMap/shop/a', expect.stringContaining('not over after 10 minutes')]);
});
