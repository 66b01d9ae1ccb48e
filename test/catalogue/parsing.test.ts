// Catalogue P: what a text means, and which object it is about. The oracle is what kubectl and the server make of the same text.
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/model/index.ts';
import { useBench, type Changed } from './bench.ts';
import { closedSpec, defineKind, openSpec } from './custom-kind.ts';
import { configMap, deployment } from './manifests.ts';

const bench = useBench();

describe('numbers and words', () => {
  const withMode = (mode: string): string =>
    deployment('modes', `containers: [{ name: app, image: app }]\nvolumes: [{ name: config, configMap: { name: config, defaultMode: ${mode} } }]`);

  test('P1: 0644 in Git and 420 live are the same mode', async () => {
    await bench().ours(withMode('0644'));
    expect(await bench().kubectl(['get', 'deployment', 'modes', '-o', 'jsonpath={.spec.template.spec.volumes[0].configMap.defaultMode}'])).toBe('420');
    expect((await bench().look(withMode('0644'))).verdict).toBe('S');
    expect((await bench().look(withMode('420'))).verdict).toBe('S');
    const { verdict, diff } = await bench().look(withMode('0600'));
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ live: 420, desired: 384 }]);
  });

  test('P2: yes, on, n and a key y are booleans: an error where a string is wanted, the same where a boolean is', async () => {
    await bench().ours(configMap('words', '{ x: "yes" }'));
    for (const word of ['yes', 'on', 'n', 'Off']) expect(`${word} ${(await bench().look(configMap('words', `{ x: ${word} }`))).verdict}`).toBe(`${word} E`);
    await using kind = await defineKind(bench(), { kind: 'Word', versions: [{ name: 'v1', schema: openSpec }] });
    const git = `
apiVersion: ${kind.group}/v1
kind: Word
metadata: { name: words }
spec: { a: yes, b: on, c: n, d: "yes", y: key, n: [No, off, y] }
`;
    await bench().ours(git);
    expect(valueAt(await bench().live(git), ['spec'])).toEqual({ a: true, b: true, c: false, d: 'yes', true: 'key', false: [false, false, true] });
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('P3: two integers beyond 2^53 that a double cannot tell apart are different', async () => {
    await using kind = await defineKind(bench(), { kind: 'Big', versions: [{ name: 'v1', schema: openSpec }] });
    const git = (size: string): string => `{ apiVersion: ${kind.group}/v1, kind: Big, metadata: { name: big }, spec: { size: ${size} } }`;
    await bench().ours(git('9007199254740992'));
    expect((await bench().look(git('9007199254740992'))).verdict).toBe('S');
    const { verdict, diff } = await bench().look(git('9007199254740993'));
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ live: 9_007_199_254_740_992n, desired: 9_007_199_254_740_993n }]);
  });

  test('P4: 1.0 and 1e3 in Git are 1 and 1000 live', async () => {
    await using kind = await defineKind(bench(), {
      kind: 'Amount',
      versions: [{ name: 'v1', schema: closedSpec({ one: { type: 'number' }, many: { type: 'integer' }, half: { type: 'number' } }) }],
    });
    const git = `{ apiVersion: ${kind.group}/v1, kind: Amount, metadata: { name: a }, spec: { one: 1.0, many: 1e3, half: 5e-1 } }`;
    await bench().ours(`{ apiVersion: ${kind.group}/v1, kind: Amount, metadata: { name: a }, spec: { one: 1, many: 1000, half: 0.5 } }`);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    const replicas = deployment('amounts', 'containers: [{ name: app, image: app }]').replace('replicas: 0', 'replicas: 0.0');
    await bench().ours(replicas.replace('0.0', '0'));
    expect((await bench().look(replicas)).verdict).toBe('S');
  });

  test('P6: an unquoted date is a string', async () => {
    const git = configMap('dates', '{ day: 2024-01-01, moment: 2024-01-01T10:00:00Z }');
    await bench().ours(git);
    expect((await bench().live(git))['data']).toEqual({ day: '2024-01-01', moment: '2024-01-01T10:00:00Z' });
    expect((await bench().look(git)).verdict).toBe('S');
    expect((await bench().look(configMap('dates', '{ day: "2024-01-01", moment: "2024-01-01T10:00:00Z" }'))).verdict).toBe('S');
  });
});

test('P5: a key named __proto__ that is not live is missing', async () => {
  const git = configMap('proto', '{ a: b, __proto__: c }');
  await bench().ours(configMap('proto', '{ a: b }'));
  const { verdict, diff } = await bench().look(git);
  expect(verdict).toBe('O');
  expect((diff as Changed).patch).toEqual([{ op: 'add', path: '/data/__proto__', value: 'c' }]);
  await bench().ours(git);
  expect((await bench().look(git)).verdict).toBe('S');
});

describe('identity', () => {
  test('P7: an object that two files declare is an error that names both', async () => {
    const { seen } = await bench().lookAll({ 'a.yaml': configMap('twice', '{ a: "1" }'), 'b/c.yaml': configMap('twice', '{ a: "2" }') });
    expect(seen.map(({ verdict }) => verdict)).toEqual(['E', 'E']);
    for (const { diff } of seen) expect(diff).toMatchObject({ message: expect.stringMatching(/a\.yaml#1 and b\/c\.yaml#1/) as string });
  });

  test('P7: so is one that is declared with and without the default namespace, and in two versions of its group', async () => {
    const explicit = configMap('twice', '{}').replace('name: twice', `name: twice, namespace: ${bench().namespace}`);
    expect((await bench().lookAll({ 'a.yaml': configMap('twice', '{}'), 'b.yaml': explicit })).seen.map(({ verdict }) => verdict)).toEqual(['E', 'E']);
    const scaler = (version: string): string =>
      `{ apiVersion: autoscaling/${version}, kind: HorizontalPodAutoscaler, metadata: { name: h }, spec: { maxReplicas: 2, scaleTargetRef: { kind: Deployment, name: d } } }`;
    expect((await bench().lookAll({ 'a.yaml': scaler('v1'), 'b.yaml': scaler('v2') })).seen.map(({ verdict }) => verdict)).toEqual(['E', 'E']);
  });

  test('P8: an object with a generateName is left out, with a warning', async () => {
    const { seen, findings } = await bench().lookAll({
      'a.yaml': '{ apiVersion: v1, kind: Pod, metadata: { generateName: task- }, spec: { containers: [{ name: a, image: a }] } }',
      'b.yaml': configMap('beside', '{}'),
    });
    expect(seen.map(({ diff }) => diff.origin)).toEqual(['b.yaml#1']);
    expect(findings).toEqual([{ severity: 'warning', origin: 'a.yaml#1', message: expect.stringContaining('generateName') as string }]);
  });

  test('P9: a namespace on a cluster-wide object is ignored', async () => {
    const name = `${bench().namespace}-p9`;
    const role = (metadata: string): string => `{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { ${metadata} }, rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }] }`;
    await bench().ours(role(`name: ${name}`));
    try {
      // kubectl refuses a namespace other than its own here, so it is asked without.
      expect((await bench().look(role(`name: ${name}`))).verdict).toBe('S');
      const seen = await bench().look(role(`name: ${name}, namespace: somewhere`), { witness: false });
      expect(seen.verdict).toBe('S');
      expect(seen.diff.key).toBe(`rbac.authorization.k8s.io/ClusterRole//${name}`);
    } finally {
      await bench().remove(role(`name: ${name}`));
    }
  });

  test('P10: a namespaced object without a namespace is looked for in that of the application', async () => {
    await bench().ours(configMap('placed', '{ a: b }'));
    const seen = await bench().look(configMap('placed', '{ a: b }'));
    expect(seen.verdict).toBe('S');
    expect(seen.diff.key).toBe(`/ConfigMap/${bench().namespace}/placed`);
  });

  test('P10: an empty namespace is none', async () => {
    await bench().ours(configMap('nowhere', '{ a: b }'));
    const seen = await bench().look(configMap('nowhere', '{ a: c }', 'namespace: ""'));
    expect(seen.verdict).toBe('O');
    expect(seen.diff.key).toBe(`/ConfigMap/${bench().namespace}/nowhere`);
  });

  test('P11: lists, lists of one kind and lists in lists stand for their items', async () => {
    const role = (name: string, verb: string): string => `{ metadata: { name: ${name} }, rules: [{ apiGroups: [""], resources: [pods], verbs: [${verb}] }] }`;
    const rbac = 'apiVersion: rbac.authorization.k8s.io/v1';
    const map = (name: string): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { a: b } }`;
    const git = `{ apiVersion: v1, kind: List, items: [${map('in-list')}, { ${rbac}, kind: RoleList, items: [${role('one', 'get')}, ${role('two', 'list')}] }, { apiVersion: v1, kind: List, items: [${map('deeper')}] }] }`;
    for (const one of [map('in-list'), `{ ${rbac}, kind: Role, ${role('one', 'get').slice(1)}`, `{ ${rbac}, kind: Role, ${role('two', 'watch').slice(1)}`]) await bench().ours(one);
    const { seen } = await bench().lookAll({ 'list.yaml': git });
    expect(Object.fromEntries(seen.map(({ diff, verdict }) => [diff.key.split('/').at(-1), verdict]))).toEqual({ 'in-list': 'S', one: 'S', two: 'O', deeper: 'O' });
  });
});

describe('what Git says and never decides', () => {
  test('P12: resourceVersion and uid in Git mean nothing', async () => {
    await bench().ours(configMap('versions', '{ a: b }'));
    const git = configMap('versions', '{ a: b }').replace('name: versions', 'name: versions, resourceVersion: "1", uid: 11111111-2222-3333-4444-555555555555, generation: 7, selfLink: /x');
    expect((await bench().look(git, { witness: false })).verdict).toBe('S');
    expect((await bench().look(git.replace('a: b', 'a: c'), { witness: false })).verdict).toBe('O');
  });

  test('P13: creationTimestamp: null says nothing, at the top and in templates', async () => {
    const git = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: stamps, creationTimestamp: null }
spec:
  replicas: 0
  serviceName: stamps
  selector: { matchLabels: { app: stamps } }
  template:
    metadata: { labels: { app: stamps }, creationTimestamp: null }
    spec: { containers: [{ name: app, image: app }] }
  volumeClaimTemplates:
    - metadata: { name: data, creationTimestamp: null }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    await bench().ours(git.replaceAll(', creationTimestamp: null', ''));
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('P14: a status in Git counts only where the kind keeps it with the rest', async () => {
    const git = deployment('statuses', 'containers: [{ name: app, image: app }]');
    await bench().ours(git);
    expect((await bench().look(`${git}status: { replicas: 5 }\n`)).verdict).toBe('S');
    const schema = { type: 'object', properties: { status: { type: 'object', properties: { phase: { type: 'string' } } } } };
    await using plain = await defineKind(bench(), { kind: 'Plain', versions: [{ name: 'v1', schema }] });
    await using split = await defineKind(bench(), { kind: 'Split', versions: [{ name: 'v1', schema, hasStatus: true }] });
    for (const [kind, verdict] of [[plain, 'O'], [split, 'S']] as const) {
      await bench().ours(kind.manifest('one', { status: { phase: 'new' } }));
      expect((await bench().look(kind.manifest('one', { status: { phase: 'old' } }))).verdict).toBe(verdict);
    }
  });

  test('P15: the last-applied annotation is bookkeeping, in Git and live', async () => {
    const git = configMap('annotated', '{ a: b }');
    await bench().kubectl(['apply', '-f', '-'], git);
    expect((await bench().look(git)).verdict).toBe('S');
    const other = git.replace('name: annotated', `name: annotated, annotations: { kubectl.kubernetes.io/last-applied-configuration: '{"data":{"a":"z"}}' }`);
    // kubectl takes the annotation of the file at its word.
    const seen = await bench().look(other, { witness: false });
    expect(seen.verdict).toBe('S');
    expect(JSON.stringify(seen.diff)).not.toContain('last-applied');
  });

  test('P15: so it is beside our own mark, in a Secret too', async () => {
    const git = '{ apiVersion: v1, kind: Secret, metadata: { name: marked }, data: { a: YQ== } }';
    await bench().kubectl(['apply', '-f', '-'], git);
    await bench().ours(git.replace('name: marked', 'name: marked, annotations: { setpoint.dev/tracking-id: a:b }'));
    // kubectl, which does not know the mark, would take it away.
    expect((await bench().look(git, { witness: false })).verdict).toBe('S');
  });
});

test('P17: a version that is no longer served is an error that names the one that is', async () => {
  const old = deployment('old', 'containers: [{ name: app, image: app }]').replace('apps/v1', 'apps/v1beta1');
  expect(await bench().look(old)).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('it serves Deployment as apps/v1') as string } });
  const scaler = '{ apiVersion: autoscaling/v2beta2, kind: HorizontalPodAutoscaler, metadata: { name: h }, spec: {} }';
  expect(await bench().look(scaler)).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('autoscaling/v2') as string } });
});
