import { expect, test } from 'vitest';
import { exitCodeOfDiffs } from '../../../src/cli/exit-code.ts';
import type { Diff, Finding, KubeObject, ResourceKey } from '../../../src/model/index.ts';

const at = { key: '/ConfigMap/shop/a' as ResourceKey, origin: 'a.yaml#1' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } as KubeObject;
const same: Diff = { ...at, type: 'same', foreign: [] };
const missing: Diff = { ...at, type: 'missing', patch: [], after: object };
const changed: Diff = { ...at, type: 'changed', patch: [], changes: [], foreign: [], before: object, after: object };
const invalid: Diff = { ...at, type: 'invalid', message: 'x' };
const forbidden: Diff = { ...at, type: 'unknown', code: 'Forbidden', message: 'x' };
const failed: Diff = { ...at, type: 'unknown', code: 'ClusterError', message: 'x' };
const unreadable: Finding = { severity: 'error', origin: 'b', message: 'x' };
const odd: Finding = { severity: 'warning', origin: 'b', message: 'x' };

test.each<[number, string, readonly Diff[], readonly Finding[]]>([
  [0, 'all in sync', [same, same], []],
  [0, 'all in sync, with a warning', [same], [odd]],
  [1, 'a change', [same, changed], []],
  [1, 'one missing', [missing], []],
  [3, 'one refused', [same, invalid], []],
  [3, 'one unknown beside a change: 1 would claim that all was compared', [changed, failed], []],
  [3, 'a file that cannot be read', [same], [unreadable]],
  [4, 'one forbidden', [same, forbidden], []],
  [4, 'one forbidden beside a change', [changed, forbidden], []],
  [3, 'one forbidden and one refused', [forbidden, invalid], []],
])('%i: %s', (code, _name, diffs, findings) => {
  expect(exitCodeOfDiffs(diffs, findings)).toBe(code);
});
