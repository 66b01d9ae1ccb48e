import { describe, expect, test } from 'vitest';
import { createClusterApplications } from '../../../src/agent/cluster-applications.ts';
import { createDeclarations } from '../../../src/agent/declarations.ts';
import type { KubeObject } from '../../../src/model/index.ts';

function scene(lists: number, objects: Parameters<typeof createClusterApplications>[0]['objects'] = { get: () => Promise.resolve(undefined), putStatus: () => Promise.resolve({ type: 'gone' } as const) }) {
  const declarations = createDeclarations();
  return { declarations, applications: createClusterApplications({ objects, declarations, lists, defaultNamespace: 'default' }) };
}

const object = (metadata: Record<string, unknown>, spec: Record<string, unknown> = {}): KubeObject =>
  ({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace: 'shop', resourceVersion: '1', ...metadata }, spec }) as unknown as KubeObject;

describe('all that may be seen has been seen once', () => {
  const listed = (namespace: string) => ({ type: 'listed', namespace, objects: [] }) as const;
  const unseen = (namespace: string, code: 'Forbidden' | 'ClusterUnreachable') => ({ type: 'out-of-sight', namespace, code, message: 'no' }) as const;

  test.each([
    { when: 'both namespaces are listed', events: [listed('a'), listed('b')], isListed: true },
    { when: 'one is listed', events: [listed('a')], isListed: false },
    { when: 'one is listed, and the other may not be seen', events: [listed('a'), unseen('b', 'Forbidden')], isListed: true },
    { when: 'one is listed, and the other cannot be reached just now', events: [listed('a'), unseen('b', 'ClusterUnreachable')], isListed: false },
  ])('when $when: $isListed', ({ events, isListed }) => {
    const { applications } = scene(2);
    for (const event of events) applications.take(event);
    expect(applications.isListed()).toBe(isListed);
  });
});

test('of one that cannot be read is known what its metadata say', () => {
  const { declarations, applications } = scene(1);
  const metadata = { uid: 'u', generation: 4, labels: { team: 'a' }, annotations: { 'setpoint.dev/refresh': 'now' }, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['setpoint.dev/cascade'] };
  applications.take({ type: 'changed', object: object(metadata) });
  expect(declarations.all()).toMatchObject([
    { type: 'invalid', application: { id: 'shop/web', name: 'web', namespace: 'shop', uid: 'u', generation: 4, labels: { team: 'a' }, refresh: 'now', deleting: true, isHeld: true, sources: [] } },
  ]);
});

describe('an answer that comes after the watch has told of the end of the Application', () => {
  const { signal } = new AbortController();
  const late = object({ uid: 'one', resourceVersion: '7' });
  const objects = { get: () => Promise.resolve(late), putStatus: () => Promise.resolve({ type: 'written', object: late } as const) };

  test.each([
    ['does not bring it back', [], []],
    ['leaves the one in its place', [{ type: 'changed', object: object({ uid: 'two', resourceVersion: '9' }) }] as const, ['two']],
  ])('%s', async (_what, events, uids) => {
    const { applications, declarations } = scene(1, objects);
    applications.take({ type: 'changed', object: object({ uid: 'one' }) });
    const [written, read] = [applications.patchStatus('shop/web', {}, { resourceVersion: '1', signal }), applications.read('shop/web', signal)];
    applications.take({ type: 'deleted', id: 'shop/web', uid: 'one' });
    for (const event of events) applications.take(event);
    await Promise.all([written, read]);
    expect(declarations.all().map(({ application }) => application.uid)).toEqual(uids);
    expect(applications.find('shop/web')?.metadata['uid']).toBe(uids[0]);
  });
});
