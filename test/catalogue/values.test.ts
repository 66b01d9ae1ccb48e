// Catalogue V: when two spellings are one value, and when they are not.
import { describe, expect, test } from 'vitest';
import { stringifyJson, valueAt, type Json } from '../../src/model/index.ts';
import { useBench, type Changed, type Same, type Seen } from './bench.ts';
import { closedSpec, defineKind } from './custom-kind.ts';
import { deployment, oneContainer, service } from './manifests.ts';

const bench = useBench();

async function verdictsOf(...manifests: readonly string[]): Promise<string> {
  const verdicts: string[] = [];
  for (const git of manifests) verdicts.push((await bench().look(git)).verdict);
  return verdicts.join(' ');
}

describe('quantities', () => {
  test('V1: 1000m in Git and 1 live are the same cpu', async () => {
    const git = (cpu: string): string => oneContainer('cpu', `resources: { requests: { cpu: ${cpu} } }`);
    await bench().ours(git('"1"'));
    expect((await bench().look(git('1000m'))).verdict).toBe('S');
    expect((await bench().look(git('1001m'))).verdict).toBe('O');
    await bench().ours(git('1000m'));
    expect((await bench().look(git('1000m'))).verdict).toBe('S');
  });

  test.each([
    ['1024Mi', '1Gi', 'S'],
    ['1000M', '1G', 'S'],
    ['1.5Gi', '1536Mi', 'S'],
    ['0.5Gi', '512Mi', 'S'],
    ['1000Mi', '1Gi', 'O'],
    ['1G', '1Gi', 'O'],
    ['1e3Mi', '1Gi', 'E'],
  ])('V3: %s of memory in Git and %s live: %s', async (git, live, verdict) => {
    const memory = (amount: string): string => oneContainer('memory', `resources: { limits: { memory: ${amount} } }`);
    await bench().ours(memory(live));
    expect((await bench().look(memory(git))).verdict).toBe(verdict);
  });

  test('V3: amounts that are equal across families of suffixes are the same exactly if an apply writes nothing', async () => {
    const range = (amount: string): string =>
      `{ apiVersion: v1, kind: LimitRange, metadata: { name: families }, spec: { limits: [{ type: Container, max: { memory: ${amount} } }] } }`;
    for (const [live, git] of [['1Ki', '"1024"'], ['"1e3"', '1k'], ['"1000000"', '1M'], ['128974848', '123Mi']] as const) {
      await bench().ours(range(live));
      const before = await bench().live(range(git));
      const { verdict } = await bench().look(range(git));
      await bench().ours(range(git));
      const after = await bench().live(range(git));
      expect(`${git} over ${live}: ${verdict}`).toBe(`${git} over ${live}: ${before.metadata['resourceVersion'] === after.metadata['resourceVersion'] ? 'S' : 'O'}`);
    }
  });

  test('V4: cpu: 1 as a number in Git is "1" live', async () => {
    await bench().ours(oneContainer('number', 'resources: { limits: { cpu: "1" } }'));
    expect((await bench().look(oneContainer('number', 'resources: { limits: { cpu: 1 } }'))).verdict).toBe('S');
    expect((await bench().look(oneContainer('number', 'resources: { limits: { cpu: 1.5 } }'))).verdict).toBe('O');
  });

  test('V5: a quantity of a custom resource that its controller respells is the same amount; a plain string is not', async () => {
    const quantity = {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
      'x-kubernetes-int-or-string': true,
    };
    await using kind = await defineKind(bench(), { kind: 'Sized', versions: [{ name: 'v1', schema: closedSpec({ cpu: quantity, text: { type: 'string' } }) }] });
    const git = kind.manifest('sized', { spec: { cpu: '12000m', text: '12000m' } });
    await bench().ours(git);
    await bench().writeAs('sized-operator', kind.path('sized'), { spec: { cpu: '12' } });
    // The server keeps the text of custom resources, so kubectl sees a difference.
    const respelled = await bench().look(git, { witness: false });
    expect(respelled.verdict).toBe('S');
    expect((respelled.diff as Same).sideEffects).toMatchObject([{ path: '/spec/cpu', live: '12', desired: '12000m', why: 'format' }]);
    await bench().writeAs('sized-operator', kind.path('sized'), { spec: { cpu: '13' } });
    expect((await bench().look(git)).verdict).toBe('K');
    await bench().kubectl(['patch', kind.resource, 'sized', '--type=merge', '-p', '{"spec":{"cpu":"12000m","text":"12"}}']);
    expect((await bench().look(git)).verdict).toBe('O');
  });
});

describe('an integer is not a string', () => {
  test('V7: targetPort "80" is not 80', async () => {
    const ports = (target: string): string => service('ports', `selector: { app: a }, ports: [{ port: 80, targetPort: ${target} }]`);
    await bench().ours(ports('80'));
    // A Service takes a string for the name of a port, and a name has a letter: so the server refuses it.
    expect(await bench().look(ports('"80"'))).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('targetPort') as string } });
    expect((await bench().look(ports('http'))).verdict).toBe('O');
    await using kind = await defineKind(bench(), {
      kind: 'Port',
      versions: [{ name: 'v1', schema: closedSpec({ targetPort: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } }) }],
    });
    await bench().ours(kind.manifest('port', { spec: { targetPort: 80 } }));
    const { verdict, diff } = await bench().look(kind.manifest('port', { spec: { targetPort: '80' } }));
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ live: 80, desired: '80' }]);
  });

  test('V8: maxSurge "25%" is not 25', async () => {
    const git = (surge: string): string =>
      deployment('surge', 'containers: [{ name: app, image: app }]', `replicas: 0\nstrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: ${surge} } }`);
    await bench().ours(git('25'));
    expect((await bench().look(git('"25%"'))).verdict).toBe('O');
    expect((await bench().look(git('25'))).verdict).toBe('S');
  });
});

describe('Secrets', () => {
  const canary = 'canary-5f1d-value';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (name: string, content: string): string => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name} }\n${content}\n`;

  /** Nothing that is said about a Secret tells its values, in whatever spelling. */
  function expectSilence({ diff }: Seen, ...values: readonly string[]): void {
    const told = stringifyJson(diff as unknown as Json);
    for (const value of values) {
      expect(told).not.toContain(value);
      expect(told).not.toContain(base64(value).replaceAll('=', ''));
    }
  }

  test('V9: base64 with line breaks in Git is the same bytes as without live', async () => {
    const value = `${canary}-${'x'.repeat(80)}`;
    await bench().ours(secret('wrapped', `data: { a: ${base64(value)} }`));
    const lines = base64(value).replaceAll(/.{40}/g, '$&\n    ');
    const git = secret('wrapped', `data:\n  a: |\n    ${lines}`);
    const same = await bench().look(git);
    expect(same.verdict).toBe('S');
    expectSilence(same, value);
    const other = await bench().look(secret('wrapped', `data: { a: ${base64(`${canary}-other`)} }`));
    expect(other.verdict).toBe('O');
    expectSilence(other, value, `${canary}-other`, canary);
  });

  test('V9: base64 whose last bits mean nothing is the same bytes as in the spelling that the server gives back', async () => {
    const git = secret('loose', 'data: { a: YR== }');
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('V10: stringData in Git is data live', async () => {
    await bench().ours(secret('plain', `data: { foo: ${base64(canary)} }`));
    const same = await bench().look(secret('plain', `stringData: { foo: ${canary} }`));
    expect(same.verdict).toBe('S');
    expectSilence(same, canary);
    const other = await bench().look(secret('plain', `stringData: { foo: ${canary}-2 }`));
    expect(other.verdict).toBe('O');
    expectSilence(other, canary, `${canary}-2`);
  });

  test('V10: stringData outweighs data', async () => {
    const git = secret('both', `data: { foo: ${base64('hidden')} }\nstringData: { foo: ${canary} }`);
    await bench().kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-f', '-'], git);
    const same = await bench().look(git);
    expect(same.verdict).toBe('S');
    expectSilence(same, canary, 'hidden');
  });

  test('V11: after a rename under stringData, Git and live differ until the old key is gone', async () => {
    const git = secret('renamed', `stringData: { username1: ${canary} }`);
    await bench().ours(secret('renamed', `data: { username: ${base64(canary)} }`));
    // kubectl's own dry run adds the new key and forgets the old one; we write data, which takes it away.
    const renamed = await bench().look(git);
    expect(renamed.verdict).toBe('O');
    expect((renamed.diff as Changed).patch.map(({ op, path }) => `${op} ${path}`).toSorted()).toEqual(['add /data/username1', 'remove /data/username']);
    expectSilence(renamed, canary);
    await bench().ours(secret('renamed', `data: { username1: ${base64(canary)} }`));
    expect(Object.keys((await bench().live(git))['data'] ?? {})).toEqual(['username1']);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test.each<[string, string, string, string, string]>([
    ['a finalizer that Git dropped', 'finalizers: [x.io/a]', '', '', 'O'],
    ['a finalizer that somebody else added', 'finalizers: [x.io/a]', 'finalizers: [x.io/b, x.io/a]', 'finalizers: [x.io/a]', 'S'],
    ['a finalizer that Git adds to those of others', '', 'finalizers: [x.io/b]', 'finalizers: [x.io/a]', 'O'],
    ['a label that Git leaves empty', 'labels: { a: "" }', '', 'labels: { a: }', 'S'],
  ])('O1: of the metadata of a Secret, %s', async (_what, ours, others, git, verdict) => {
    const manifest = (metadata: string): string => `{ apiVersion: v1, kind: Secret, metadata: { name: kept-${verdict.toLowerCase()}, ${metadata} }, data: { a: YQ== } }`;
    await bench().ours(manifest(ours));
    try {
      if (others !== '') await bench().kubectl(['apply', '--server-side', '--field-manager', 'other', '-f', '-'], manifest(others));
      expect((await bench().look(manifest(git))).verdict).toBe(verdict);
    } finally {
      await bench().writeAs('test', bench().path('v1', `secrets/kept-${verdict.toLowerCase()}`), { metadata: { finalizers: null } });
      await bench().remove(manifest(''));
    }
  });

  test('V11: a key that kubectl once applied as text, and Git has no more, is to go', async () => {
    const git = (key: string): string => secret('texts', `stringData: { ${key}: ${canary} }`);
    await bench().kubectl(['apply', '-f', '-'], git('username'));
    await bench().writeAs('kubectl-edit', bench().path('v1', 'secrets/texts'), { data: { username1: base64(canary) } });
    // A server-side apply leaves what was applied otherwise.
    const renamed = await bench().look(git('username1'), { witness: false });
    expect(renamed.verdict).toBe('O');
    expect((renamed.diff as Changed).changes).toMatchObject([{ path: '/data/username', standing: 'orphaned' }]);
    expectSilence(renamed, canary);
  });

  test('V11: where an apply of stringData has left the old key, what was agreed on before tells that it is to go', async () => {
    const git = (key: string): string => secret('kept', `stringData: { ${key}: ${canary} }`);
    await bench().ours(git('username'));
    const before = await bench().look(git('username'));
    expect(before.verdict).toBe('S');
    await bench().ours(git('username1'));
    expect(Object.keys((await bench().live(git('username')))['data'] ?? {}).toSorted()).toEqual(['username', 'username1']);
    const agreed = before.state === null ? {} : { [before.diff.key]: before.state() };
    const renamed = await bench().look(git('username1'), { witness: false, agreed });
    expect(renamed.verdict).toBe('O');
    expect((renamed.diff as Changed).changes).toMatchObject([{ path: '/data/username', standing: 'orphaned' }]);
    expectSilence(renamed, canary);
  });

  test('V12: null and empty values are what the server makes of them', async () => {
    const cases = [['empty', 'data: { a: "", b: null }', 'O'], ['empty-text', 'stringData: { a: "", b: null }', 'O'], ['nothing', 'data: null', 'F'], ['none', 'data: {}', 'F']] as const;
    for (const [name, content, once] of cases) {
      const git = secret(name, content);
      await bench().ours(git);
      expect(`${content} ${(await bench().look(git)).verdict}`).toBe(`${content} S`);
      await bench().kubectl(['patch', 'secret', name, '--type=merge', '-p', `{"data":{"a":"${base64(canary)}"}}`]);
      const changed = await bench().look(git, { witness: false });
      expect(`${content} ${changed.verdict}`).toBe(`${content} ${once}`);
      expectSilence(changed, canary);
    }
  });

  test('V13: a number under stringData is an error that does not tell the number', async () => {
    await bench().ours(secret('number', `data: { foo: ${base64('1234')} }`));
    const seen = await bench().look(secret('number', 'stringData: { foo: 987654321 }'));
    expect(seen.verdict).toBe('E');
    expect(seen.diff).toMatchObject({ message: expect.stringContaining('stringData.foo') as string });
    expectSilence(seen, '987654321', '1234');
    const notBase64 = await bench().look(secret('number', `data: { foo: ${canary}! }`));
    expect(notBase64.verdict).toBe('E');
    expectSilence(notBase64, canary);
  });
});

describe('empty, zero and nothing', () => {
  test('V15: resources: {} and requests: {} in Git are nothing live', async () => {
    const [empty, none] = [oneContainer('resources', 'resources: {}'), oneContainer('resources')];
    const requests = oneContainer('resources', 'resources: { requests: {} }');
    await bench().ours(none);
    expect(await verdictsOf(none, empty, requests)).toBe('S S S');
    await bench().ours(requests);
    expect(await verdictsOf(none, empty, requests)).toBe('S S S');
  });

  test('V16: an empty marker is not nothing', async () => {
    const volume = (source: string): string => deployment('volumes', `containers: [{ name: app, image: app }]\nvolumes: [{ name: data, ${source} }]`);
    await bench().ours(volume('configMap: { name: c }'));
    const { verdict, diff } = await bench().look(volume('emptyDir: {}'));
    expect(verdict).toBe('O');
    expect((diff as Changed).patch.map(({ op, path }) => `${op} ${path.split('/').at(-1)}`).toSorted()).toEqual(['add emptyDir', 'remove configMap']);

    const policy = (peer: string): string =>
      `{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: marker }, spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: b } }${peer} }] }] } }`;
    await bench().ours(policy(''));
    expect((await bench().look(policy(''))).verdict).toBe('S');
    // Pods of this namespace, or pods of every namespace: that is what the marker decides.
    expect((await bench().look(policy(', namespaceSelector: {}'))).verdict).toBe('O');
    await bench().ours(policy(', namespaceSelector: {}'));
    expect((await bench().look(policy(', namespaceSelector: {}'))).verdict).toBe('S');
    expect((await bench().look(policy(''))).verdict).toBe('O');
  });

  test('V17: false and 0 in Git are nothing live', async () => {
    const git = deployment(
      'zeros',
      `hostNetwork: false
containers:
  - name: app
    image: app
    stdin: false
    env: [{ name: A, value: "" }]
    livenessProbe: { initialDelaySeconds: 0, tcpSocket: { port: 80 } }
    envFrom: [{ prefix: "", configMapRef: { name: c } }]`,
    );
    await bench().ours(git);
    expect(JSON.stringify(valueAt(await bench().live(git), ['spec', 'template', 'spec']))).not.toMatch(/hostNetwork|initialDelaySeconds|stdin/);
    expect((await bench().look(git)).verdict).toBe('S');
    expect((await bench().look(git.replace('hostNetwork: false', 'hostNetwork: true'))).verdict).toBe('O');
    await bench().kubectl(['patch', 'deployment', 'zeros', '-p', '{"spec":{"template":{"spec":{"hostNetwork":true}}}}']);
    expect((await bench().look(git)).verdict).toBe('O');
  });

  test('V18: selector: null in Git is nothing live', async () => {
    const git = service('headless', 'selector: null, clusterIP: None, ports: [{ port: 80 }]');
    await bench().ours(git);
    expect(valueAt(await bench().live(git), ['spec', 'selector'])).toBeUndefined();
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('V20: preserveUnknownFields: false of a definition is dropped by the server', async () => {
    const group = `${bench().namespace}-v20.example.com`;
    const git = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.${group} }
spec:
  group: ${group}
  scope: Namespaced
  preserveUnknownFields: false
  names: { kind: Thing, plural: things }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;
    await bench().ours(git);
    try {
      expect(valueAt(await bench().live(git), ['spec', 'preserveUnknownFields'])).toBeUndefined();
      expect((await bench().look(git)).verdict).toBe('S');
      await bench().ours(git.replace('  preserveUnknownFields: false\n', ''));
      expect((await bench().look(git)).verdict).toBe('S');
    } finally {
      await bench().remove(git);
    }
  });

  test('V22: a pull policy that Git does not mention and somebody changed by hand is foreign', async () => {
    await bench().ours(oneContainer('pull'));
    await bench().kubectl(['patch', 'deployment', 'pull', '-p', '{"spec":{"template":{"spec":{"containers":[{"name":"app","imagePullPolicy":"Never"}]}}}}']);
    const { verdict, diff } = await bench().look(oneContainer('pull'));
    expect(verdict).toBe('F');
    expect((diff as Same).foreign).toMatchObject([{ path: '/spec/template/spec/containers/0/imagePullPolicy', live: 'Never', owners: [{ manager: 'kubectl-patch' }] }]);
    // Written out, null asks for the server's default: an apply resets the field, so the edit is drift.
    expect((await bench().look(oneContainer('pull', 'imagePullPolicy: null'))).verdict).toBe('O');
  });
});
