import { expect, test } from 'vitest';
import { cloudEvent } from '../../../src/alert/index.ts';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type ResourceStatus } from '../../../src/model/index.ts';

const application = plainApplication({
  name: 'web',
  sources: [
    { repository: 'https://git.example.com/values', revision: 'v2', path: undefined, ref: 'values', options: {} },
    { repository: 'https://git.example.com/fleet', revision: 'main', path: 'web', ref: undefined, options: {} },
  ],
  destination: { namespace: 'shop' },
});

function resource(name: string, value: string): ResourceStatus {
  const key = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name });
  const changes = [{ path: '/spec/x', display: 'spec.x', live: value, desired: 'git', owners: [{ manager: 'kubectl-edit', operation: 'Update', time: 't' }] }];
  return { key, origin: 'a.yaml#1', type: 'changed', cause: 'live-changed', since: 't', changes, patch: [{ op: 'replace', path: '/spec/x', value: 'git' }] };
}

function eventFor(resources: readonly ResourceStatus[]): Record<string, unknown> & { data: Record<string, unknown> } {
  const incidents = [{ id: 'e1', openedAt: 't0', closedAt: null, cause: 'live-changed' as const, fingerprint: 'f', transitions: 1 }];
  const status: AppStatus = { ...emptyStatus('web'), commit: 'abc', resources, incidents };
  const pending = { key: 'e1-1', type: 'firing' as const, incidentId: 'e1', at: '2026-01-01T00:00:01Z' };
  return cloudEvent(pending, { application, cluster: 'prod', status }) as never;
}

test('names the resource, both values, the patch and the commit', () => {
  const { data, ...envelope } = eventFor([resource('web', 'live')]);
  expect(envelope).toMatchObject({ specversion: '1.0', id: 'e1-1', type: 'dev.setpoint.drift.firing.v1', subject: 'web', time: '2026-01-01T00:00:01Z' });
  expect(data).toMatchObject({
    status: 'firing',
    cause: 'live-changed',
    revision: { repo: 'https://git.example.com/fleet', ref: 'main', sha: 'abc', path: 'web' },
    resources: [{ kind: 'Deployment', name: 'web', fields: [{ display: 'spec.x', live: 'live', desired: 'git', owners: [{ manager: 'kubectl-edit' }] }], patch: [{ op: 'replace' }] }],
    truncatedResources: 0,
  });
});

test('stays under 20 KB and says how many resources it left out', () => {
  const event = eventFor(Array.from({ length: 50 }, (_, at) => resource(`web-${at}`, 'x'.repeat(1000))));
  expect(JSON.stringify(event).length).toBeLessThanOrEqual(20_000);
  const { resources, truncatedResources } = event.data as { resources: unknown[]; truncatedResources: number };
  expect(resources.length).toBeGreaterThan(0);
  expect(resources.length + truncatedResources).toBe(50);
});
