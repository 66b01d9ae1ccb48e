import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { emptyStatus, isList, isObject, plainApplication, resourceKey, type Alert, type AppStatus, type Json, type JsonObject, type KubeObject } from '../../../src/model/index.ts';
import { createClusterStatus, readApplicationStatus, type ApplicationStore } from '../../../src/status/index.ts';

const key = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });
const agreed = { [key]: { desired: 'd1', live: { '/spec/replicas': 'h1' }, fields: { 'f:spec': {} } } };

const alert = (at: string): Alert => ({
  ...{ id: 'drf_1', rule: 'drift', severity: 'warning', startedAt: at, firedAt: at, resolvedAt: null, fingerprint: 'g', episodes: ['e1'], transition: 1, transitionAt: at },
  deliveries: { slack: { told: 0, toldAt: null, toldState: null, claim: { notification: 'evt_1', transition: 1, state: 'firing', at, attempts: 1, nextTryAt: at, error: 'silent' } } },
});

function drifted(before: AppStatus, at = '2026-01-01T00:00:05Z'): AppStatus {
  return {
    ...before,
    verdict: { status: 'OutOfSync', cause: 'live-changed' },
    verdictSince: at,
    checkedAt: at,
    commit: 'c'.repeat(40),
    reference: { repository: 'https://git.example.com/acme/fleet', revision: 'main' },
    declared: 3,
    generation: 2,
    agreed,
    resources: [{ key, origin: 'web.yaml#1', type: 'changed', cause: 'live-changed', since: at, fields: ['spec.replicas'], by: 'kubectl (scale)' }],
    episodes: [{ id: 'e1', key, cause: 'live-changed', openedAt: at, closedAt: null, fingerprint: 'f', fields: ['spec.replicas'] }],
    alerts: [alert(at)],
    answeredReplay: 'evt_1@now',
  };
}

/** A store with the semantics of the API server: merge patches, versions, and nulls that are dropped. */
function store(status: JsonObject = {}) {
  let version = 1;
  let object: KubeObject | undefined = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace: 'ns', uid: 'u1', resourceVersion: '1' }, status };
  const patches: JsonObject[] = [];
  let meanwhile: (() => void) | undefined;
  const write = (change: (before: KubeObject) => KubeObject): KubeObject => {
    version += 1;
    const before = object as KubeObject;
    const after = change(before);
    object = { ...after, metadata: { ...after.metadata, resourceVersion: String(version) } };
    return object;
  };
  const it = {
    patches,
    write,
    status: () => (object?.['status'] ?? {}) as JsonObject,
    delete: () => void (object = undefined),
    /** Once, before the next patch arrives. */
    before: (change: () => void) => void (meanwhile = change),
    find: () => object,
    read: () => Promise.resolve(object),
    patchStatus(_id: string, patch: JsonObject, { resourceVersion }: { resourceVersion: string }) {
      meanwhile?.();
      meanwhile = undefined;
      if (object === undefined) return Promise.resolve({ type: 'gone' as const });
      if (object.metadata['resourceVersion'] !== resourceVersion) return Promise.resolve({ type: 'conflict' as const });
      patches.push(patch);
      return Promise.resolve({ type: 'written' as const, object: write((before) => ({ ...before, status: merged((before['status'] ?? {}) as JsonObject, patch) })) });
    },
  };
  return it satisfies ApplicationStore & object;
}

function merged(before: JsonObject, patch: JsonObject): JsonObject {
  const after: Record<string, Json> = { ...before };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete after[field];
    else after[field] = isObject(value) ? merged(isObject(after[field] ?? null) ? (after[field] as JsonObject) : {}, value) : withoutNulls(value);
  }
  return after;
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  return isObject(value) ? merged({}, value) : value;
}

function open(applications: ApplicationStore, more: { readonly epoch?: number; readonly mayWrite?: () => void } = {}) {
  const application = plainApplication({ id: 'ns/web', name: 'web', sources: [{ repository: 'r', revision: 'main', path: 'web', ref: undefined, options: {} }] });
  return createClusterStatus({
    ...{ store: applications, salt: 's', epoch: 1, lease: 'ns/lease', mayWrite: () => undefined, applicationOf: () => application, signal: new AbortController().signal },
    ...{ now: () => new Date('2026-01-01T00:00:06Z'), random: () => 0 },
    ...more,
  });
}

test('what was written is what the next term reads, patches and values aside', async () => {
  const applications = store();
  const written = await open(applications).update('ns/web', drifted);
  const read = await open(applications).read('ns/web');
  expect(read).toEqual(written);
});

test('of several sources all commits, of history when it was deployed, and how a resource is, are where Argo CD has them', async () => {
  const applications = store();
  const at = '2026-01-01T00:00:05Z';
  const known = (before: AppStatus): AppStatus => {
    return {
      ...drifted(before),
      commits: ['c'.repeat(40), 'd'.repeat(40)],
      unhealthy: [{ key, status: 'Degraded', isOverdue: true, message: 'for 12 min', since: at }],
      corrections: [{ key, path: 'spec.replicas', times: [at, at], by: 'kubectl (scale)' }],
      history: [{ id: 1, at, startedAt: '2026-01-01T00:00:01Z', type: 'deploy', operation: 'o', state: 'terminated', pruned: 0, revision: 'c'.repeat(40), cause: 'git-ahead', applied: 1, held: 0, failed: 0 }],
    };
  };
  const written = await open(applications).update('ns/web', known);
  expect(applications.status()).toMatchObject({ sync: { revisions: ['c'.repeat(40), 'd'.repeat(40)] }, resources: [{ health: { status: 'Degraded' } }], history: [{ id: 1, deployStartedAt: '2026-01-01T00:00:01Z', deployedAt: at, state: 'terminated' }] });
  expect(await open(applications).read('ns/web')).toEqual(written);
  expect((await open(store({ history: [{ id: 1, at, revision: null, cause: 'both', applied: 0, held: 0, failed: 0 }, { id: 2 }] })).read('ns/web')).history).toMatchObject([{ id: 1, at }]);
});

test('what Argo CD has too is where Argo CD has it', async () => {
  const applications = store();
  await open(applications).update('ns/web', drifted);
  expect(applications.status()).toMatchObject({
    sync: { status: 'OutOfSync', revision: 'c'.repeat(40), shortRevision: 'main@ccccccc', comparedTo: { source: { repoURL: 'https://git.example.com/acme/fleet', targetRevision: 'main' } }, cause: 'live-changed' },
    resources: [{ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web', status: 'OutOfSync', by: 'kubectl (scale)' }],
    drift: '1/3',
    driftedSince: '2026-01-01T00:00:05Z',
    mode: 'alert',
    epoch: 1,
    lease: 'ns/lease',
  });
});

describe('a write', () => {
  test('is not made where only the time of the look is new', async () => {
    const applications = store();
    const status = open(applications);
    await status.update('ns/web', drifted);
    await status.update('ns/web', (before) => ({ ...before, checkedAt: '2026-01-01T00:10:00Z' }));
    expect(applications.patches).toHaveLength(1);
    expect((await status.read('ns/web')).checkedAt).toBe('2026-01-01T00:10:00Z');
  });

  test('does not make a condition that is found with each write look new', async () => {
    const earlier = { type: 'RecordsTruncated', status: 'True', reason: 'MemoryTooLarge', message: 'm', lastTransitionTime: '2025-12-31T00:00:00Z' };
    const applications = store({ conditions: [earlier] });
    const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`/ConfigMap/shop/${createHash('sha256').update(String(at)).digest('hex')}`, { desired: 'd', live: {} }]));
    const status = open(applications);
    await status.update('ns/web', (before) => ({ ...drifted(before), agreed: many }));
    expect(applications.status()['conditions']).toEqual([expect.objectContaining({ type: 'RecordsTruncated', lastTransitionTime: earlier.lastTransitionTime })]);
    await status.update('ns/web', (before) => ({ ...before, agreed: {} }));
    expect(applications.status()['conditions']).toEqual([]);
  });

  test('sends only what is new: not the memory, where that has not changed', async () => {
    const applications = store();
    const status = open(applications);
    await status.update('ns/web', drifted);
    await status.update('ns/web', (before) => ({ ...before, alerts: [] }));
    expect(Object.keys(applications.patches[1] ?? {})).not.toContain('memory');
    expect(applications.patches[1]).toMatchObject({ alerts: [] });
  });

  test('goes on after somebody else wrote, and leaves what they wrote', async () => {
    const applications = store();
    const status = open(applications);
    applications.before(() => applications.write((object) => ({ ...object, metadata: { ...object.metadata, annotations: { note: 'theirs' } } })));
    await status.update('ns/web', drifted);
    expect(applications.status()).toMatchObject({ sync: { status: 'OutOfSync' } });
    expect(applications.find()?.metadata['annotations']).toEqual({ note: 'theirs' });
  });

  test('goes on after somebody else wrote the status, and fields that are not known stay', async () => {
    const applications = store();
    const status = open(applications);
    applications.before(() => applications.write((object) => ({ ...object, status: { newer: 'field' } })));
    await status.update('ns/web', drifted);
    expect(applications.status()).toMatchObject({ newer: 'field', sync: { status: 'OutOfSync' } });
  });

  test('of an agent whose term is over is refused: by its own fence', async () => {
    const applications = store();
    const status = open(applications, {
      mayWrite() {
        throw new Error('no longer');
      },
    });
    await expect(status.update('ns/web', drifted)).rejects.toThrow('no longer');
    expect(applications.patches).toEqual([]);
  });

  test('of an agent whose term is over is refused: by what a later one left', async () => {
    const applications = store();
    const status = open(applications, { epoch: 4 });
    applications.before(() => applications.write((object) => ({ ...object, status: { epoch: 5 } })));
    await expect(status.update('ns/web', drifted)).rejects.toMatchObject({ code: 'NotLeader' });
    expect(applications.status()).toEqual({ epoch: 5 });
  });

  test('that always meets another writer is tried again soon', async () => {
    const applications = store();
    const status = open({
      ...applications,
      patchStatus: () => Promise.resolve({ type: 'conflict' as const }),
    });
    await expect(status.update('ns/web', drifted)).rejects.toMatchObject({ code: 'ClusterError', retry: 'soon' });
  });

  test('to an Application that is gone changes nothing, and is no error', async () => {
    const applications = store();
    applications.delete();
    expect(await open(applications).update('ns/web', drifted)).toMatchObject({ verdict: { status: 'OutOfSync' } });
    expect(applications.patches).toEqual([]);
  });

  test('to one that was deleted and made again begins from nothing', async () => {
    const applications = store();
    const status = open(applications);
    await status.update('ns/web', drifted);
    applications.write((object) => ({ ...object, metadata: { ...object.metadata, uid: 'u2' }, status: {} }));
    expect((await status.read('ns/web')).agreed).toEqual({});
  });
});

describe('a status that somebody else wrote', () => {
  test.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'broken'],
    ['lists of the wrong things', { resources: [1, null, { kind: 3 }], conditions: ['x'], episodes: [{}], alerts: [{ id: 1 }, { id: 'a', rule: 'drift' }], history: 'none', sync: [], counts: 'many' }],
    ['a memory that is none', { memory: 'AAAA' }],
    ['a verdict of a newer release', { sync: { status: 'Fabulous' } }],
  ])('%s reads as nothing known', (_name, status) => {
    expect(readApplicationStatus('ns/web', status)).toEqual(emptyStatus('ns/web'));
  });

  test('fields that are not known yet are passed over', () => {
    expect(readApplicationStatus('a', { sync: { status: 'Synced', future: 1 }, tomorrow: {} }).verdict).toEqual({ status: 'Synced' });
  });
});

test('five thousand resources make a status that the server takes', async () => {
  const applications = store();
  const live = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/spec/template/spec/containers/0/env/${at}/value`, `${'0123456789abcdef'.slice(at % 8)}${at}`]));
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: `c${at}` }), { desired: `${at}`.padStart(16, 'a'), live }]));
  await open(applications).update('ns/web', (before) => ({ ...drifted(before), agreed: many }));
  expect(JSON.stringify(applications.status()).length).toBeLessThan(700_000);
  expect(Object.keys((await open(applications).read('ns/web')).agreed)).toHaveLength(5000);
});

test('what a status does not show is no reason to write it: a live value that changes all the time', async () => {
  const applications = store();
  const status = open(applications);
  const at = (second: number): string => `2026-01-01T00:01:0${second}Z`;
  const differing = (live: number, checkedAt: string) => (before: AppStatus): AppStatus => ({
    ...drifted(before),
    checkedAt,
    resources: drifted(before).resources.map((resource) => ({ ...resource, changes: [{ path: '/spec/replicas', display: 'spec.replicas', live, desired: 3, owners: [] }], patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] })),
    foreign: [{ key, path: '/metadata/annotations/leader', display: 'metadata.annotations.leader', live: String(live), owners: [] }],
  });
  await status.update('ns/web', differing(4, at(1)));
  await status.update('ns/web', differing(5, at(2)));
  const last = await status.update('ns/web', differing(6, at(3)));
  expect(applications.patches).toHaveLength(1);
  expect(await status.read('ns/web')).toBe(last);
  expect(last.resources[0]?.changes?.[0]?.live).toBe(6);
  await status.update('ns/web', (before) => ({ ...before, verdict: { status: 'Synced' }, checkedAt: at(4) }));
  expect(applications.patches.map(({ observedAt }) => observedAt)).toEqual([at(1), at(4)]);
});
