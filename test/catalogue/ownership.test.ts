// Catalogue O: whose a field is, and what follows from that.
import { beforeAll, describe, expect, test } from 'vitest';
import { createCluster, loadKubeconfig } from '../../src/cluster/index.ts';
import { identify } from '../../src/diff/index.ts';
import { stringifyJson, valueAt, type Json, type JsonObject } from '../../src/model/index.ts';
import { renderPlain } from '../../src/render/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { accepted, useBench, type Changed, type Same, type Seen } from './bench.ts';
import { configMap, deployment, oneContainer } from './manifests.ts';

const bench = useBench();

/** Another tool deploys the same object, server-side. */
async function applyAs(manager: string, manifest: string): Promise<void> {
  await bench().kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager', manager, '-f', '-'], manifest);
}

/** A first sync of what kubectl has applied until now. */
async function takeOver(manifest: string): Promise<void> {
  const { signal } = new AbortController();
  const cluster = createCluster(await loadKubeconfig({ file: bench().admin.kubeconfig }));
  try {
    const { documents } = renderPlain([{ path: 'git.yaml', content: Buffer.from(manifest) }]);
    const [target] = identify(documents, (await cluster.discover(signal)).lookUp, bench().namespace).manifests;
    if (target === undefined) throw new Error(`one object is wanted, got ${manifest}`);
    expect(await cluster.apply(target, { force: true, live: await bench().live(manifest), signal })).toMatchObject({ type: 'applied' });
  } finally {
    await cluster.close();
  }
}

/** What a client that knows nothing of managed fields, or an object that is too large for them, leaves. */
async function wipeManagedFields(path: string): Promise<void> {
  accepted(await bench().api.send('PATCH', path, { type: 'application/merge-patch+json', text: '{"metadata":{"managedFields":[{}]}}' }));
}

const agreedOn = ({ diff, state }: Seen): Readonly<Record<string, ReturnType<NonNullable<Seen['state']>>>> => (state === null ? {} : { [diff.key]: state() });

const scaled = (name: string, replicas: string): string => deployment(name, 'containers: [{ name: app, image: "app:1" }]', replicas);

// The autoscaler takes up to 15 seconds to look at a new object; the other tests run meanwhile.
beforeAll(async () => {
  await bench().ours(scaled('autoscaled', 'replicas: 3'));
  await bench().kubectl(['autoscale', 'deployment', 'autoscaled', '--min=7', '--max=9']);
});

describe('what Git no longer has', () => {
  test('O1: a label of ours that Git no longer has is to be removed', async () => {
    const git = configMap('labelled', '{}', 'labels: { a: "1" }');
    await bench().ours(configMap('labelled', '{}', 'labels: { a: "1", b: "1" }'));
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect((diff as Changed).patch).toEqual([{ op: 'remove', path: '/metadata/labels/b' }]);
  });

  test('O2: one that somebody else applies too is let go of, and stays', async () => {
    const both = configMap('shared', '{}', 'labels: { a: "1", b: "1" }');
    const git = configMap('shared', '{}', 'labels: { a: "1" }');
    await bench().ours(both);
    await applyAs('platform-team', configMap('shared', '{}', 'labels: { b: "1" }'));
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().ours(git);
    expect((await bench().live(git)).metadata['labels']).toEqual({ a: '1', b: '1' });
    expect((await bench().look(git)).verdict).toBe('S');
  });

  // A server-side apply never removes what client-side apply wrote, so kubectl's dry run shows nothing here.
  test.each<[string, string, string, string]>([
    ['a label', configMap('csa-label', '{}', 'labels: { a: "1", b: "1" }'), configMap('csa-label', '{}', 'labels: { a: "1" }'), '/metadata/labels/b'],
    ['a key of data', configMap('csa-data', '{ a: "1", b: "1" }'), configMap('csa-data', '{ a: "1" }'), '/data/b'],
    [
      'a variable',
      oneContainer('csa-env', 'env: [{ name: A, value: "1" }, { name: B, value: "1" }]'),
      oneContainer('csa-env', 'env: [{ name: A, value: "1" }]'),
      '/spec/template/spec/containers/0/env/1',
    ],
  ])('O3: %s of client-side apply that Git no longer has is an orphan, before and after we apply', async (_what, before, git, path) => {
    await bench().kubectl(['apply', '-f', '-'], before);
    expect((await bench().look(before)).verdict).toBe('S');
    const unadopted = await bench().look(git, { witness: false });
    expect(unadopted.verdict).toBe('O');
    expect((unadopted.diff as Changed).changes).toMatchObject([{ path, standing: 'orphaned' }]);
    await bench().ours(git);
    const adopted = await bench().look(git, { witness: false });
    expect(adopted.verdict).toBe('O');
    expect((adopted.diff as Changed).changes).toMatchObject([{ path, standing: 'orphaned' }]);
    const patch = stringifyJson((adopted.diff as Changed).patch);
    await bench().kubectl(['patch', ...resourceOf(before), '--type=json', '-p', patch]);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  // Here an apply by itself is refused, kubectl's server-side dry run with it: two ways to say one thing stand beside each other.
  test.each<[string, string, string]>([
    ['the source of a variable', 'env: [{ name: A, value: "1" }]', 'env: [{ name: A, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]'],
    ['the handler of a probe', 'livenessProbe: { httpGet: { path: /, port: 80 } }', 'livenessProbe: { tcpSocket: { port: 80 } }'],
    ['the handler of a hook', 'lifecycle: { preStop: { exec: { command: [a] } } }', 'lifecycle: { preStop: { httpGet: { path: /, port: 80 } } }'],
  ])('O3: %s of client-side apply that Git has replaced goes with the first apply', async (_what, before, after) => {
    const name = `taken-${after.slice(0, 3)}`;
    const git = oneContainer(name, after);
    await bench().kubectl(['apply', '-f', '-'], oneContainer(name, before));
    const { verdict, diff } = await bench().look(git, { witness: false });
    expect(verdict).toBe('O');
    expect((diff as Changed).changes.map(({ live, desired }) => [live === undefined, desired === undefined])).toEqual(expect.arrayContaining([[true, false], [false, true]]));
    await takeOver(git);
    expect((await bench().live(git))['spec']).toEqual((diff as Changed).after['spec']);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  // Here too an apply by itself is refused, kubectl's with it: what nobody holds stays, and stands against what Git wants.
  const limits = 'replicas: 0\nstrategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 2 } }';
  test.each<[string, string, (before: string) => Promise<void>]>([
    ['filled in', 'replicas: 0', (before) => bench().ours(before)],
    ['filled in beside one of ours', limits, (before) => bench().ours(before)],
    ['filled in for client-side apply', 'replicas: 0', async (before) => void (await bench().kubectl(['apply', '-f', '-'], before))],
    ['filled in for kubectl create', 'replicas: 0', async (before) => void (await bench().kubectl(['create', '-f', '-'], before))],
    [
      'left by people',
      'replicas: 0',
      async (before) => {
        await bench().ours(before);
        await bench().kubectl(['patch', ...resourceOf(before), '--type=merge', '-p', '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":3}}}}']);
      },
    ],
  ])('O3: the limits of a rolling update that are %s go where the strategy is to be Recreate', async (what, spec, deploy) => {
    const name = `limits-${what.replaceAll(' ', '-')}`;
    const git = deployment(name, 'containers: [{ name: app, image: app }]', 'replicas: 0\nstrategy: { type: Recreate }');
    await deploy(deployment(name, 'containers: [{ name: app, image: app }]', spec));
    const { verdict, diff } = await bench().look(git, { witness: false });
    expect([verdict, diff]).toMatchObject(['O', { type: 'changed' }]);
    expect((diff as Changed).changes.map(({ display }) => display)).toEqual(['spec.strategy.type', 'spec.strategy.rollingUpdate']);
    await takeOver(git);
    expect((await bench().live(git))['spec']).toMatchObject({ strategy: { type: 'Recreate' } });
    expect((await bench().live(git))['spec']).not.toHaveProperty('strategy.rollingUpdate');
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('O3: so do those of a StatefulSet whose pods are to be replaced by hand', async () => {
    const set = (spec: string): string => deployment('set', 'containers: [{ name: app, image: app }]', `replicas: 0\nserviceName: set\n${spec}`).replace('Deployment', 'StatefulSet');
    const git = set('updateStrategy: { type: OnDelete }');
    await bench().ours(set(''));
    const { diff } = await bench().look(git, { witness: false });
    expect((diff as Changed).changes.map(({ display }) => display)).toEqual(['spec.updateStrategy.type', 'spec.updateStrategy.rollingUpdate']);
    await takeOver(git);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('O3: those that software holds stand against it, and are left', async () => {
    const git = scaled('limited', 'replicas: 0\nstrategy: { type: Recreate }');
    await bench().ours(scaled('limited', 'replicas: 0'));
    await bench().writeAs('tuner', bench().path('apps/v1', 'deployments/limited'), { spec: { strategy: { rollingUpdate: { maxSurge: 3 } } } });
    expect((await bench().look(git)).verdict).toBe('E');
    expect((await bench().live(git))['spec']).toHaveProperty('strategy.rollingUpdate.maxSurge', 3);
  });

  test('O3: what the server refuses for another reason is refused', async () => {
    await bench().kubectl(['apply', '-f', '-'], oneContainer('csa-wrong', 'env: [{ name: A, value: "1" }], tty: true'));
    for (const wrong of ['env: [{ name: A, vlaue: "1" }]', 'env: [{ name: A, value: "1" }], imagePullPolicy: Sometimes']) {
      expect((await bench().look(oneContainer('csa-wrong', wrong))).verdict).toBe('E');
    }
  });

  test('O3: what the server would fill in again is no orphan', async () => {
    const git = oneContainer('csa-default');
    await bench().kubectl(['apply', '-f', '-'], oneContainer('csa-default', 'imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log'));
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('O4: with the managed fields wiped, what was agreed on before tells what Git no longer has', async () => {
    const before = configMap('wiped', '{ a: "1", b: "1" }', 'labels: { c: "1" }');
    const git = configMap('wiped', '{ a: "1" }');
    await bench().ours(before);
    const agreed = agreedOn(await bench().look(before));
    await wipeManagedFields(bench().path('v1', 'configmaps/wiped'));
    expect((await bench().look(before)).verdict).toBe('S');
    const orphaned = await bench().look(git, { witness: false, agreed });
    expect(orphaned.verdict).toBe('O');
    expect((orphaned.diff as Changed).changes.map(({ display, standing }) => `${display} ${standing}`).toSorted()).toEqual(['data.b orphaned', 'metadata.labels.c orphaned']);
  });

  test('O4: what a controller holds by now was handed over, and is no orphan', async () => {
    const before = scaled('handed', 'replicas: 0');
    const git = scaled('handed', 'paused: false');
    await bench().ours(before);
    const agreed = agreedOn(await bench().look(before));
    const scale = bench().path('apps/v1', 'deployments/handed/scale');
    await bench().writeAs('kube-controller-manager', scale, { spec: { replicas: 2 } });
    expect((await bench().look(git, { agreed })).verdict).toBe('S');
  });
});

describe('what others write', () => {
  test('O7: replicas that Git does not mention are not ours, whoever sets them', async () => {
    const git = scaled('free', 'paused: false');
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().writeAs('kube-controller-manager', bench().path('apps/v1', 'deployments/free/scale'), { spec: { replicas: 3 } });
    expect((await bench().look(git)).verdict).toBe('S');
    // Where nobody held the field before, the server records nobody for a scale: no one can tell whose it is.
    await bench().kubectl(['scale', 'deployment', 'free', '--replicas=1']);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().kubectl(['patch', 'deployment', 'free', '-p', '{"spec":{"replicas":2}}']);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('F');
    expect((diff as Same).foreign).toMatchObject([{ path: '/spec/replicas', live: 2, owners: [{ manager: 'kubectl-patch' }] }]);
  });

  const cronJob = (): string =>
    '{ apiVersion: batch/v1, kind: CronJob, metadata: { name: night }, spec: { schedule: "0 3 * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: app, image: app }] } } } } } }';

  test.each<[string, string, readonly string[], JsonObject]>([
    ['a variable', oneContainer('f-env', 'env: [{ name: A, value: "1" }]'), ['set', 'env', 'deployment/f-env', 'B=1'], { path: '/spec/template/spec/containers/0/env/1', live: { name: 'B', value: '1' } }],
    [
      'a port',
      oneContainer('f-port', 'ports: [{ containerPort: 80 }]'),
      ['patch', 'deployment', 'f-port', '-p', '{"spec":{"template":{"spec":{"containers":[{"name":"app","ports":[{"containerPort":9090}]}]}}}}'],
      { live: { containerPort: 9090, protocol: 'TCP' } },
    ],
    ['a suspension', cronJob(), ['patch', 'cronjob', 'night', '-p', '{"spec":{"suspend":true}}'], { path: '/spec/suspend', live: true }],
    [
      'a command',
      oneContainer('f-command'),
      ['patch', 'deployment', 'f-command', '-p', '{"spec":{"template":{"spec":{"containers":[{"name":"app","command":["sh"]}]}}}}'],
      { path: '/spec/template/spec/containers/0/command', live: ['sh'] },
    ],
    ['a sidecar', oneContainer('f-sidecar'), ['patch', 'deployment', 'f-sidecar', '-p', '{"spec":{"template":{"spec":{"containers":[{"name":"debug","image":"busybox"}]}}}}'], { live: { name: 'debug' } }],
  ])('O9: %s that kubectl adds is foreign', async (_what, git, byHand, foreign) => {
    await bench().ours(git);
    await bench().kubectl(byHand);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('F');
    expect((diff as Same).foreign).toMatchObject([foreign]);
    expect((diff as Same).foreign[0]?.owners[0]?.manager).toMatch(/^kubectl/);
  });

  test('O10: a restart by kubectl is foreign, and an apply leaves it', async () => {
    const git = oneContainer('restarted');
    await bench().ours(git);
    await bench().kubectl(['rollout', 'restart', 'deployment/restarted']);
    const before = await bench().look(git);
    expect(before.verdict).toBe('F');
    expect(stringifyJson((before.diff as Same).foreign as unknown as Json)).toContain('kubectl.kubernetes.io/restartedAt');
    await bench().ours(git);
    const after = await bench().look(git);
    expect(after.verdict).toBe('F');
    expect((after.diff as Same).foreign).toEqual((before.diff as Same).foreign);
  });

  test('O11: what kubectl adds stays its own, sync after sync; what it changes is drift with its name on it', async () => {
    const git = oneContainer('edited', 'env: [{ name: A, value: "1" }]');
    await bench().ours(git);
    await bench().kubectl(['annotate', 'deployment', 'edited', 'note=by-hand']);
    expect((await bench().look(git)).verdict).toBe('F');
    await bench().ours(git);
    const kept = await bench().look(git);
    expect(kept.verdict).toBe('F');
    expect((kept.diff as Same).foreign).toMatchObject([{ owners: [{ manager: 'kubectl-annotate' }] }]);
    await bench().kubectl(['set', 'env', 'deployment/edited', 'A=2']);
    const changed = await bench().look(git);
    expect(changed.verdict).toBe('O');
    expect((changed.diff as Changed).changes).toMatchObject([{ live: '2', desired: '1', owners: [{ manager: 'kubectl-set' }] }]);
  });

  test('O6: replicas that a real autoscaler chose within its limits are no difference; without it they are contested', async () => {
    const git = scaled('autoscaled', 'replicas: 3');
    await waitFor(async () => (await bench().kubectl(['get', 'deployment', 'autoscaled', '-o', 'jsonpath={.spec.replicas}'])) === '7', { what: 'the autoscaler to scale up', deadlineMs: 40_000 });
    // kubectl knows nothing of limits.
    expect(await bench().look(git, { witness: false })).toMatchObject({ verdict: 'S', diff: { ignored: [{ path: '/spec/replicas', live: 7, desired: 3 }] } });
    await bench().kubectl(['delete', 'hpa', 'autoscaled']);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('K');
    expect((diff as Changed).changes).toMatchObject([{ path: '/spec/replicas', live: 7, desired: 3, standing: 'contested', owners: [{ manager: 'kube-controller-manager', subresource: 'scale' }] }]);
    expect((await bench().look(scaled('autoscaled', 'paused: false'))).verdict).toBe('S');
  });

  test('O6: replicas that a person set are plain drift', async () => {
    const git = scaled('by-hand', 'replicas: 0');
    await bench().ours(git);
    await bench().kubectl(['scale', 'deployment', 'by-hand', '--replicas=2']);
    expect(await bench().look(git)).toMatchObject({ verdict: 'O', diff: { changes: [{ path: '/spec/replicas', owners: [{ manager: 'kubectl', subresource: 'scale' }] }] } });
  });
});

describe('objects that are not ours alone', () => {
  test('O12: an object that we never applied is in sync and not adopted', async () => {
    const git = oneContainer('untracked');
    await bench().kubectl(['create', '-f', '-'], git);
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { adopted: false } });
    await wipeManagedFields(bench().path('apps/v1', 'deployments/untracked'));
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { adopted: false } });
    await bench().ours(git);
    // Now everything else belongs to before-first-apply, which is nobody.
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { adopted: true } });
    expect((await bench().look(git.replace('app:1', 'app:2'))).verdict).toBe('O');
  });

  test('O13: an object that another deploy tool applies too is told of, whatever the verdict', async () => {
    const git = configMap('two-owners', '{ a: "1", b: "1" }');
    await bench().ours(git);
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { warnings: [] } });
    await applyAs('argocd-controller', git);
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { warnings: [expect.stringContaining('argocd-controller') as string] } });
    await applyAs('argocd-controller', configMap('two-owners', '{ a: "2", b: "1" }'));
    expect(await bench().look(git)).toMatchObject({ verdict: 'O', diff: { warnings: [expect.stringContaining('argocd-controller') as string] } });
  });

  test('O14: an object that a controller owns is told of', async () => {
    await bench().ours(oneContainer('owner'));
    const set = await waitFor(async () => (await bench().labelled('apps/v1', 'replicasets', 'app=owner'))[0], { what: 'a ReplicaSet' });
    const { name } = set.metadata;
    const git = stringifyJson({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name }, spec: valueAt(set, ['spec']) ?? null });
    expect(await bench().look(git)).toMatchObject({ verdict: 'S', diff: { warnings: [expect.stringContaining('Deployment owner') as string] } });
  });

  test('O15: an object that is being deleted is out of sync, and is not to be applied', async () => {
    const git = configMap('leaving', '{}', 'finalizers: [example.com/hold]');
    await bench().ours(git);
    await bench().kubectl(['delete', 'configmap', 'leaving', '--wait=false']);
    try {
      // An apply goes through, and goes with the object: kubectl sees no difference.
      expect(await bench().look(git, { witness: false })).toMatchObject({ verdict: 'O', diff: { type: 'terminating' } });
    } finally {
      await bench().writeAs('test', bench().path('v1', 'configmaps/leaving'), { metadata: { finalizers: null } });
    }
  });
});

function resourceOf(manifest: string): readonly [string, string] {
  const [, kind = ''] = /kind: (\w+)/.exec(manifest) ?? [];
  const [, name = ''] = /name: ([\w-]+)/.exec(manifest) ?? [];
  return [kind.toLowerCase(), name];
}
