import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ResourceKey } from '../../../src/model/index.ts';
import { changed, everything, fieldChange, findings, missing, objectWith, same } from '../../support/example-diffs.ts';
import { show } from './show.ts';

test('yaml is the document of json', () => {
  const json = show('json', everything, { findings }).data;
  const yaml = show('yaml', everything, { findings }).data;
  expect(parse(yaml, { version: '1.1' })).toEqual(JSON.parse(json));
});

test('the report is versioned, and holds what the Diffs hold', () => {
  const [first] = everything;
  const report = JSON.parse(show('json', everything, { findings }).data) as { resources: object[] };
  expect(report).toMatchObject({
    apiVersion: 'setpoint.dev/v1',
    kind: 'DiffReport',
    context: 'c',
    summary: { changed: 2, missing: 2, terminating: 1, invalid: 1, unknown: 1, same: 1 },
    findings,
  });
  const { obstacle, unconfirmed, foreign, ignored, sideEffects, adopted, warnings } = first as Extract<typeof first, { type: 'changed' }>;
  expect(report.resources[0]).toMatchObject({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'a', obstacle, unconfirmed, foreign, ignored, sideEffects, adopted, warnings });
});

test('an integer beyond 2^53 keeps its digits', () => {
  const diff = changed([fieldChange({ live: 9_007_199_254_740_993n })]);
  expect(show('json', [diff]).data).toContain('"live": 9007199254740993');
  expect(show('yaml', [diff]).data).toContain('live: 9007199254740993');
});

test('a patch tests what it replaces', () => {
  const guarded = [
    { op: 'test', path: '/data/x', value: 'live' },
    { op: 'replace', path: '/data/x', value: 'git' },
  ];
  expect(JSON.parse(show('jsonpatch', [changed([]), same()]).data)).toEqual([{ resource: '/ConfigMap/shop/a', patch: guarded }]);
  expect(JSON.parse(show('json', [changed([])]).data)).toMatchObject({ resources: [{ patch: guarded }] });
});

test('what is missing is added whole', () => {
  expect(JSON.parse(show('jsonpatch', [missing()]).data)).toEqual([{ resource: '/ConfigMap/shop/a', patch: [{ op: 'add', path: '', value: objectWith({ x: 'git' }) }] }]);
});

test('name lists what differs and nothing else; trouble goes to stderr', () => {
  const { data, remarks } = show('name', [...everything, same({ key: '/ConfigMap/shop/z' as ResourceKey })], { findings });
  expect(data).toBe('/ConfigMap/shop/a\n/ConfigMap/shop/b\nexample.com/Widget/shop/c\n/Namespace//shop\n/ConfigMap/shop/a\n');
  expect(remarks).toContain('b.yaml#1');
});
