import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { createRunReport } from '../../../src/cli/run-report.ts';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type FieldChange, type FieldOwner, type ResourceKey, type ResourceStatus, type Verdict } from '../../../src/model/index.ts';

const application = plainApplication({ name: 'web', sources: [{ repository: 'https://h/r', revision: 'main', path: 'web', ref: undefined, options: {} }] });
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function told(...statuses: readonly (AppStatus & { readonly verdict: Verdict })[]): readonly string[] {
  const lines: string[] = [];
  const report = createRunReport({ write: (text) => void lines.push(text), colors: picocolors.createColors(false), log: silent, now: () => new Date(0) });
  for (const status of statuses) report.observed(application, status);
  return lines.map((line) => line.slice(10));
}

function drifted(live: string, owner: Partial<FieldOwner> = {}, change: Partial<FieldChange> = {}): AppStatus & { readonly verdict: Verdict } {
  const owners = [{ manager: 'kubectl', operation: 'Update', time: 't1', ...owner }];
  const changes = [{ path: '/data/a', display: 'data.a', live, desired: 'git', owners, ...change }];
  return outOfSync({ key, origin: 'a.yaml#1', type: 'changed', cause: 'live-changed', since: 't', changes });
}

function outOfSync(...resources: readonly ResourceStatus[]): AppStatus & { readonly verdict: Verdict } {
  return { ...emptyStatus('web'), verdict: { status: 'OutOfSync', cause: 'live-changed' }, commit: 'abcdef1234', reference: { repository: 'r', revision: 'main' }, declared: 2, resources };
}

const synced = { ...emptyStatus('web'), verdict: { status: 'Synced' } as const, commit: 'abcdef1234', reference: { repository: 'r', revision: 'main' }, declared: 2 };

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

test('a change that was seen has its time; seeing it again is no news, that software holds the field is', () => {
  const seen = { seenAt: '2026-03-01T10:32:07.1Z', writers: [{ manager: 'operator', operation: 'Update' }] };
  const lines = told(drifted('a', {}, { seen }), drifted('a', {}, { seen: { ...seen, seenAt: 't9' } }), drifted('a', { manager: 'operator' }, { seen, standing: 'contested' }));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('    data.a  by operator at 2026-03-01T10:32:07Z\n      - a\n');
  expect(lines[1]).toContain('      ! contested: operator holds this field; remove it from Git or stop that writer\n');
});

test('what is missing, refused or being deleted says so', () => {
  const at = { key, origin: 'a.yaml#1', cause: 'git-ahead', since: 't' } as const;
  const lines = told(outOfSync({ ...at, type: 'missing' }, { ...at, type: 'terminating', message: 'it is being deleted' }, { ...at, type: 'invalid', message: 'no\n such field' }));
  expect(lines[0]?.split('\n').slice(1, -1)).toEqual([
    '  - ConfigMap shop/env  is not in the cluster',
    '  x ConfigMap shop/env  it is being deleted',
    '  ~ ConfigMap shop/env  no such field',
  ]);
});

test('nothing that the cluster or Git holds steers the terminal', () => {
  const hostile = '\u001B[2J\u009B2J\r\u202E';
  const bad = { ...drifted(hostile, { manager: hostile }, { display: hostile }), findings: [{ severity: 'error' as const, origin: hostile, message: hostile }] };
  const unknown = { ...synced, verdict: { status: 'Unknown', code: 'ClusterError', message: hostile } as const };
  const poisonedKey = `/ConfigMap/shop/${hostile}` as ResourceKey;
  const foreign = { ...synced, foreign: [{ key: poisonedKey, path: '/x', display: hostile, live: hostile, owners: [] }] };
  const lines = told(bad, unknown, foreign, outOfSync({ key: poisonedKey, origin: '', type: 'invalid', since: 't', message: hostile }));
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
});

test('what keeps us from looking is told with its reason', () => {
  const verdict: Verdict = { status: 'Unknown', code: 'ClusterUnreachable', message: 'gone' };
  expect(told({ ...synced, verdict })).toEqual(['web  Unknown  main@abcdef1  ClusterUnreachable: gone\n']);
});

test('a step that is refused at every look is told once, and again for another reason', () => {
  const lines: string[] = [];
  const report = createRunReport({ write: (text) => void lines.push(text), colors: picocolors.createColors(false), log: silent, now: () => new Date(0) });
  for (const why of ['a', 'a', 'b']) report.synced(application, [{ type: 'held', code: 'Contested', key, why }]);
  report.synced(application, [{ type: 'applied', key }]);
  report.synced(application, [{ type: 'held', code: 'Contested', key, why: 'b' }]);
  expect(lines.map((line) => line.slice(10))).toEqual([
    'web  held ConfigMap shop/env: a\n',
    'web  held ConfigMap shop/env: b\n',
    'web  applied ConfigMap shop/env\n',
    'web  held ConfigMap shop/env: b\n',
  ]);
});
