import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { createRunReport } from '../../../src/cli/run-report.ts';
import { emptyStatus, resourceKey, type Application, type AppStatus, type FieldOwner, type Verdict } from '../../../src/model/index.ts';

const application: Application = { name: 'web', source: { repository: 'https://h/r', revision: 'main', path: 'web' }, namespace: 'shop', mode: 'alert' };
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function told(...statuses: readonly (AppStatus & { readonly verdict: Verdict })[]): readonly string[] {
  const lines: string[] = [];
  const report = createRunReport({ write: (text) => void lines.push(text), colors: picocolors.createColors(false), log: silent, now: () => new Date(0) });
  for (const status of statuses) report.observed(application, status);
  return lines.map((line) => line.slice(10));
}

function drifted(live: string, owner: Partial<FieldOwner> = {}): AppStatus & { readonly verdict: Verdict } {
  const owners = [{ manager: 'kubectl', operation: 'Update', time: 't1', ...owner }];
  const changes = [{ path: '/data/a', display: 'data.a', live, desired: 'git', owners }];
  const resources = [{ key, origin: 'a.yaml#1', type: 'changed' as const, cause: 'live-changed' as const, since: 't', changes }];
  return { ...emptyStatus('web'), verdict: { status: 'OutOfSync', cause: 'live-changed' }, commit: 'abcdef1234', declared: 2, resources };
}

const synced = { ...emptyStatus('web'), verdict: { status: 'Synced' } as const, commit: 'abcdef1234', declared: 2 };

test('a verdict is told once', () => {
  expect(told(synced, synced, synced)).toEqual(['web  Synced  main@abcdef1  2 resources\n']);
});

test('a change of it is told, and the way back', () => {
  expect(told(synced, drifted('a'), synced)).toHaveLength(3);
});

test('another value is news', () => {
  expect(told(drifted('a'), drifted('b'))).toHaveLength(2);
});

test('another write of the same owner is not', () => {
  expect(told(drifted('a'), drifted('a', { time: 't2' }))).toHaveLength(1);
});

test('a difference is told with its fields, both values and the owner', () => {
  expect(told(drifted('live'))).toEqual([
    'web  OutOfSync (live-changed)  main@abcdef1  1 of 2 differ\n  ~ ConfigMap shop/env\n    data.a  by kubectl, at or before t1\n      - live\n      + git\n',
  ]);
});

test('what keeps us from looking is told with its reason', () => {
  const verdict: Verdict = { status: 'Unknown', code: 'ClusterUnreachable', message: 'gone' };
  expect(told({ ...synced, verdict })).toEqual(['web  Unknown  main@abcdef1  ClusterUnreachable: gone\n']);
});

test('a step that is refused at every look is told once, and again for another reason', () => {
  const lines: string[] = [];
  const report = createRunReport({ write: (text) => void lines.push(text), colors: picocolors.createColors(false), log: silent, now: () => new Date(0) });
  for (const why of ['a', 'a', 'b']) report.synced(application, [{ type: 'held', key, why }]);
  report.synced(application, [{ type: 'applied', key }]);
  report.synced(application, [{ type: 'held', key, why: 'b' }]);
  expect(lines.map((line) => line.slice(10))).toEqual([
    'web  held ConfigMap shop/env: a\n',
    'web  held ConfigMap shop/env: b\n',
    'web  applied ConfigMap shop/env\n',
    'web  held ConfigMap shop/env: b\n',
  ]);
});
