// Catalogue L: which lists and maps are compared item by item, which whole, and where order counts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringifyJson, valueAt, type Json, type KubeObject } from '../../src/model/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { accepted, useBench, type Changed, type Same } from './bench.ts';
import { configMap, deployment, oneContainer, service } from './manifests.ts';

const bench = useBench();

/** Somebody opens the object in an editor and saves another text. */
async function edit(path: string, change: (object: KubeObject) => Json): Promise<void> {
  // Where a controller writes in between, the editor opens again.
  await waitFor(
    async () => {
      const object = accepted(await bench().api.send('GET', path));
      return accepted(await bench().api.send('PUT', `${path}?fieldManager=kubectl-edit`, { type: 'application/json', text: stringifyJson(change(object)) }));
    },
    { what: 'an edit that is saved' },
  );
}

/** The object with the items of one list in the opposite order. */
function reversed(object: KubeObject, ...path: readonly (string | number)[]): Json {
  const [key, ...rest] = path;
  const visit = (value: Json, [at, ...below]: readonly (string | number)[]): Json => {
    if (at === undefined) return (value as readonly Json[]).toReversed();
    if (Array.isArray(value)) return value.map((item: Json, index) => (index === at ? visit(item, below) : item));
    const from = value as KubeObject;
    return { ...from, [at]: visit(from[at] ?? null, below) };
  };
  return key === undefined ? object : visit(object, [key, ...rest]);
}

const paths = ({ changes }: Changed): readonly string[] => changes.map(({ path }) => path).toSorted();

describe('items that have keys', () => {
  const ports = (udpTarget: number, order: 'tcp first' | 'udp first' = 'tcp first'): string => {
    const both = ['{ name: tcp, port: 443, protocol: TCP, targetPort: 8443 }', `{ name: udp, port: 443, protocol: UDP, targetPort: ${udpTarget} }`];
    return service('quic', `selector: { app: a }, ports: [${(order === 'tcp first' ? both : both.toReversed()).join(', ')}]`);
  };

  test('L1: port 443 for TCP and for UDP are two ports', async () => {
    await bench().ours(ports(8443));
    expect((await bench().look(ports(8443))).verdict).toBe('S');
    const { verdict, diff } = await bench().look(ports(9443));
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ path: '/spec/ports/1/targetPort', live: 8443, desired: 9443 }]);
    expect((diff as Changed).patch).toHaveLength(1);
    await edit(bench().path('v1', 'services/quic'), (live) => ({ ...live, spec: { ...(live['spec'] as KubeObject), ports: (valueAt(live, ['spec', 'ports']) as readonly Json[]).slice(0, 1) } }));
    const gone = await bench().look(ports(8443));
    expect(gone.verdict).toBe('O');
    expect((gone.diff as Changed).changes).toMatchObject([{ desired: { protocol: 'UDP' } }]);
  });

  test('L2: a port without a protocol is the TCP port that is live', async () => {
    const git = oneContainer('port', 'ports: [{ containerPort: 80 }]');
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    expect((await bench().look(oneContainer('port', 'ports: [{ containerPort: 80, protocol: TCP }]'))).verdict).toBe('S');
    expect((await bench().look(oneContainer('port', 'ports: [{ containerPort: 80, protocol: UDP }]'))).verdict).toBe('O');
  });

  test('L3: two ports with the same number and no protocol are an error', async () => {
    await bench().ours(oneContainer('dns', 'ports: [{ containerPort: 53 }]'));
    const git = oneContainer('dns', 'ports: [{ containerPort: 53, name: a }, { containerPort: 53, name: b }]');
    expect(await bench().look(git)).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('duplicate') as string } });
  });

  test('L4: a variable that is set twice is an error', async () => {
    await bench().ours(oneContainer('twice', 'env: [{ name: A, value: "1" }]'));
    const git = oneContainer('twice', 'env: [{ name: A, value: "1" }, { name: A, value: "2" }]');
    expect(await bench().look(git)).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('duplicate') as string } });
  });
});

describe('order', () => {
  test('L6: variables in another order are different, for they refer to each other', async () => {
    const git = oneContainer('env', 'env: [{ name: A, value: a }, { name: B, value: $(A)b }]');
    await bench().ours(git);
    await edit(bench().path('apps/v1', 'deployments/env'), (live) => reversed(live, 'spec', 'template', 'spec', 'containers', 0, 'env'));
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect(paths(diff as Changed)).toEqual(['/spec/template/spec/containers/0/env']);
  });

  test('L7: init containers in another order are different, for they run in turn', async () => {
    const git = deployment('init', 'initContainers: [{ name: a, image: app }, { name: b, image: app }]\ncontainers: [{ name: app, image: app }]');
    await bench().ours(git);
    await edit(bench().path('apps/v1', 'deployments/init'), (live) => reversed(live, 'spec', 'template', 'spec', 'initContainers'));
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect(paths(diff as Changed)).toEqual(['/spec/template/spec/initContainers']);
  });

  describe('finalizers', () => {
    const git = configMap('held', '{}', 'finalizers: [example.com/a, example.com/c]');
    const hold = (...finalizers: readonly string[]): Promise<void> => bench().writeAs('operator', bench().path('v1', 'configmaps/held'), { metadata: { finalizers } });

    beforeEach(() => bench().ours(git));
    afterEach(() => hold());

    test('L10: those that a controller adds are its own', async () => {
      await hold('example.com/b', 'example.com/a', 'example.com/c');
      expect((await bench().look(git)).verdict).toBe('S');
      await hold('example.com/b', 'example.com/c');
      expect((await bench().look(git)).verdict).toBe('O');
    });

    test('L10: they are a set, whose order means nothing', async () => {
      await hold('example.com/b', 'example.com/c', 'example.com/a');
      // An apply would write them in our order, which kubectl shows.
      expect((await bench().look(git, { witness: false })).verdict).toBe('S');
    });
  });

  test.each(['tolerations: [{ key: a, operator: Exists }, { key: b, operator: Exists }]', 'containers/0/args: [a, b]', 'containers/0/command: [a, b]'])(
    'L15: %s in another order is different',
    async (field) => {
      const [path = '', value = ''] = field.split(/: (.*)/s);
      const name = (path.split('/').at(-1) ?? '').toLowerCase();
      const inContainer = path.startsWith('containers');
      const git = inContainer ? oneContainer(name, `${name}: ${value}`) : deployment(name, `containers: [{ name: app, image: app }]\n${field}`);
      await bench().ours(git);
      const at = inContainer ? ['containers', 0, name] : [name];
      await edit(bench().path('apps/v1', `deployments/${name}`), (live) => reversed(live, 'spec', 'template', 'spec', ...at));
      const { verdict, diff } = await bench().look(git);
      expect(verdict).toBe('O');
      for (const changed of paths(diff as Changed)) expect(changed).toContain(`/spec/template/spec/${path}`);
    },
  );
});

describe('what is replaced whole', () => {
  test('L11: a source added to a rule of a network policy opens it, and is drift', async () => {
    const git = `{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: closed }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 80, protocol: TCP }], from: [{ podSelector: { matchLabels: { a: b } } }] }] } }`;
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().kubectl(['patch', 'networkpolicy', 'closed', '--type=json', '-p', '[{"op":"add","path":"/spec/ingress/0/from/-","value":{"ipBlock":{"cidr":"0.0.0.0/0"}}}]']);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ live: { ipBlock: { cidr: '0.0.0.0/0' } }, owners: [{ manager: 'kubectl-patch' }] }]);
  });

  test('L11: so is one added to a rule that Git gives ports only', async () => {
    const git = '{ apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: narrow }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } }';
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().kubectl(['patch', 'networkpolicy', 'narrow', '--type=json', '-p', '[{"op":"add","path":"/spec/ingress/0/from","value":[{"ipBlock":{"cidr":"0.0.0.0/0"}}]}]']);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect(paths(diff as Changed)).toEqual(['/spec/ingress/0/from']);
  });

  test('L12: a key added to the selector of a Service, or to a node selector, is drift', async () => {
    const front = service('front', 'selector: { app: a }, ports: [{ port: 80 }]');
    await bench().ours(front);
    await bench().kubectl(['patch', 'service', 'front', '-p', '{"spec":{"selector":{"track":"canary"}}}']);
    const selected = await bench().look(front);
    expect(selected.verdict).toBe('O');
    expect((selected.diff as Changed).changes).toMatchObject([{ path: '/spec/selector/track', live: 'canary' }]);

    const placed = deployment('placed', 'containers: [{ name: app, image: app }]\nnodeSelector: { disk: ssd }');
    await bench().ours(placed);
    await bench().kubectl(['patch', 'deployment', 'placed', '-p', '{"spec":{"template":{"spec":{"nodeSelector":{"zone":"a"}}}}}']);
    expect((await bench().look(placed)).verdict).toBe('O');
    await bench().kubectl(['label', 'deployment', 'placed', 'zone=a']);
    await bench().ours(placed);
    // A label, though, is a key of its own.
    const labelled = await bench().look(placed);
    expect(labelled.verdict).toBe('F');
    expect((labelled.diff as Same).foreign).toMatchObject([{ live: { zone: 'a' } }]);
  });

  test('L13: a claim template without kind and volume mode is the defaulted one with its status', async () => {
    const git = `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: claims }
spec:
  replicas: 0
  serviceName: claims
  selector: { matchLabels: { app: claims } }
  template:
    metadata: { labels: { app: claims } }
    spec: { containers: [{ name: app, image: app }] }
  volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1024Mi } } } }]
`;
    await bench().ours(git);
    const [claim] = valueAt(await bench().live(git), ['spec', 'volumeClaimTemplates']) as readonly Json[];
    expect(claim).toMatchObject({ kind: 'PersistentVolumeClaim', spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } });
    expect((await bench().look(git)).verdict).toBe('S');
  });
});
