// Catalogue S: what the server, its controllers and admission do to an object.
import { describe, expect, test } from 'vitest';
import { followWith } from '../../src/cluster/index.ts';
import { tagWith } from '../../src/diff/index.ts';
import { isList, resourceKey, stringifyJson, valueAt, type Json, type JsonObject, type KubeObject, type PatchOperation } from '../../src/model/index.ts';
import { compareAll, createMemory } from '../../src/reconcile/index.ts';
import { renderPlain } from '../../src/render/index.ts';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { startApiFront } from '../support/api-front.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf, watchCluster } from '../support/watched-cluster.ts';
import { accepted, letterOf, useBench, type Bench, type Changed, type Same } from './bench.ts';
import { closedSpec, defineKind, openSpec } from './custom-kind.ts';
import { configMap, oneContainer, service } from './manifests.ts';

const bench = useBench();

describe('what the server and its controllers fill in', () => {
  test('S1: addresses and ports that the server allocates are not drift', async () => {
    const git = service('public', 'type: LoadBalancer, externalTrafficPolicy: Local, selector: { app: a }, ports: [{ port: 80 }]');
    await bench().ours(git);
    const spec = valueAt(await bench().live(git), ['spec']) as JsonObject;
    expect(spec['clusterIP']).toMatch(/^10\./);
    expect(spec['healthCheckNodePort']).toBeGreaterThan(0);
    expect(valueAt((spec['ports'] as readonly Json[])[0], ['nodePort'])).toBeGreaterThan(0);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('S3: a claim that was bound has a volume and a class that Git leaves open', async () => {
    const name = bench().namespace;
    const claim = (more: string): string =>
      `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }${more} } }`;
    await bench().admin.apply(
      `{ apiVersion: v1, kind: PersistentVolume, metadata: { name: ${name} }, spec: { storageClassName: ${name}, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /tmp }, claimRef: { name: data, namespace: ${name} } } }`,
    );
    try {
      // The class is set when the object is made, as the admission plugin for the default class would.
      await bench().kubectl(['create', '-f', '-'], claim(`, storageClassName: ${name}`));
      await bench().kubectl(['wait', '--for=jsonpath={.status.phase}=Bound', 'pvc/data', '--timeout=50s']);
      expect(valueAt(await bench().live(claim('')), ['spec'])).toMatchObject({ volumeName: name, storageClassName: name });
      expect((await bench().look(claim(''))).verdict).toBe('S');
      await bench().ours(claim(''));
      expect((await bench().look(claim(''))).verdict).toBe('S');
    } finally {
      await bench().kubectl(['delete', 'pvc', 'data', '--wait=false']);
      await bench().admin.kubectl(['delete', 'pv', name, '--wait=false']);
    }
  });

  test('S4: secrets that a controller adds to a service account are its own', async () => {
    const git = '{ apiVersion: v1, kind: ServiceAccount, metadata: { name: robot }, secrets: [{ name: mine }] }';
    await bench().ours(git);
    const added = { secrets: [{ name: 'robot-token' }, { name: 'mine' }], imagePullSecrets: [{ name: 'robot-pull' }] };
    await bench().writeAs('openshift-controller-manager', bench().path('v1', 'serviceaccounts/robot'), added);
    expect((await bench().look(git)).verdict).toBe('S');
  });

  test('S5: the rules of an aggregated role are the sum of others', async () => {
    const name = `${bench().namespace}-s5`;
    const role = (suffix: string, content: string): string => `{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: ${name}${suffix}, labels: { part-of${suffix}: ${name} } }, ${content} }`;
    const git = role('', `aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part-of-one: ${name} } }] }, rules: []`);
    await bench().ours(git);
    await bench().ours(role('-one', 'rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]'));
    try {
      await waitFor(async () => isList(valueAt(await bench().live(git), ['rules'])), { what: 'the controller to fill in the rules' });
      // kubectl would set the rules back, and the controller fill them in again, for ever.
      expect((await bench().look(git, { witness: false })).verdict).toBe('S');
      expect((await bench().look(git.replace(', rules: []', ', rules: null'), { witness: false })).verdict).toBe('S');
      expect((await bench().look(git.replace('part-of-one', 'part-of-two'), { witness: false })).verdict).toBe('O');
    } finally {
      await bench().admin.kubectl(['delete', 'clusterrole', name, `${name}-one`]);
    }
  });

  test('S6: no rules, an empty list and null are the same role', async () => {
    const role = (rules: string): string => `{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: powerless }${rules} }`;
    const verdicts = async (): Promise<string> => {
      const seen: string[] = [];
      for (const git of ['', ', rules: []', ', rules: null']) seen.push((await bench().look(role(git))).verdict);
      return seen.join(' ');
    };
    await bench().ours(role(''));
    expect(await verdicts()).toBe('S S S');
    await bench().ours(role(', rules: []'));
    expect(await verdicts()).toBe('S S S');
    await bench().ours(role(', rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]'));
    expect(await verdicts()).toBe('O O O');
  });

  test('S9: what the server adds to a namespace is not drift', async () => {
    const name = `${bench().namespace}-s9`;
    const git = `{ apiVersion: v1, kind: Namespace, metadata: { name: ${name}, labels: { team: a } } }`;
    await bench().ours(git);
    try {
      const live = await bench().live(git);
      expect(live).toMatchObject({ metadata: { labels: { 'kubernetes.io/metadata.name': name } }, spec: { finalizers: ['kubernetes'] } });
      expect((await bench().look(git)).verdict).toBe('S');
      expect((await bench().look(git.replace('team: a', 'team: b'))).verdict).toBe('O');
    } finally {
      await bench().remove(git);
    }
  });

  test('S11: a Job whose template changes can only be replaced; what is injected into it is not drift', async () => {
    const job = (image: string): string => `{ apiVersion: batch/v1, kind: Job, metadata: { name: once }, spec: { suspend: true, template: { spec: { restartPolicy: Never, containers: [{ name: app, image: "${image}" }] } } } }`;
    await bench().ours(job('app:1'));
    expect(valueAt(await bench().live(job('app:1')), ['spec', 'selector'])).toBeDefined();
    expect((await bench().look(job('app:1'))).verdict).toBe('S');
    const { verdict, diff } = await bench().look(job('app:2'));
    expect(verdict).toBe('R');
    expect((diff as Changed).changes).toMatchObject([{ live: 'app:1', desired: 'app:2' }]);
    expect((diff as Changed).obstacle?.message).toContain('immutable');
  });

  test('S15: resources that a limit range injects are not drift', async () => {
    await using other = await bench().elsewhere();
    await other.ours('{ apiVersion: v1, kind: LimitRange, metadata: { name: limits }, spec: { limits: [{ type: Container, default: { cpu: 500m }, defaultRequest: { cpu: 100m } }] } }');
    const git = '{ apiVersion: v1, kind: Pod, metadata: { name: limited }, spec: { containers: [{ name: app, image: "app:1" }] } }';
    // The admission plugin reads limit ranges through a watch of its own.
    const tryOut = { type: 'application/apply-patch+yaml', text: git };
    await waitFor(async () => (await other.api.send('PATCH', `${other.path('v1', 'pods/limited')}?dryRun=All&fieldManager=probe`, tryOut)).text.includes('500m'), {
      what: 'the limit range to be in force',
    });
    await other.ours(git);
    expect(JSON.stringify(await other.live(git))).toContain('"cpu":"500m"');
    expect((await other.look(git)).verdict).toBe('S');
  });

  test('S16: what an autoscaler does to Pods is none of the Deployment’s business; in its template it is contested', async () => {
    const git = oneContainer('resized', 'resources: { requests: { cpu: 100m } }').replace('replicas: 0', 'replicas: 1');
    await bench().ours(git);
    const pod = await waitFor(async () => (await bench().labelled('v1', 'pods', 'app=resized'))[0], { what: 'a Pod' });
    await bench().writeAs('vpa-updater', bench().path('v1', `pods/${pod.metadata.name}`), { metadata: { annotations: { vpaUpdates: 'resized' } } });
    expect((await bench().look(git)).verdict).toBe('S');
    const patch = { type: 'application/strategic-merge-patch+json', text: '{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"250m"}}}]}}}}' };
    await bench().api.send('PATCH', `${bench().path('apps/v1', 'deployments/resized')}?fieldManager=vpa-updater`, patch);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('K');
    expect((diff as Changed).changes).toMatchObject([{ live: '250m', desired: '100m', owners: [{ manager: 'vpa-updater' }] }]);
  });

  test('S23: a dry run of an autoscaler with metrics changes nothing', async () => {
    // Servers before 1.27 doubled the first metric in a dry run; this one does not, and older ones are not supported.
    const metric = (name: string): string => `{ type: Resource, resource: { name: ${name}, target: { type: Utilization, averageUtilization: 80 } } }`;
    const git = `{ apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: metrics }, spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: none }, metrics: [${metric('cpu')}, ${metric('memory')}] } }`;
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    expect((await bench().look(git.replace('maxReplicas: 3', 'maxReplicas: 4'))).verdict).toBe('O');
  });

  describe('S25: a Pod in Git', () => {
    const pod = (name: string, more = '', container = ''): string =>
      `{ apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { containers: [{ name: app, image: "app:1"${container} }]${more} } }`;
    const scheduled = async (name: string): Promise<KubeObject> =>
      waitFor(
        async () => {
          const live = await bench().live(pod(name));
          return valueAt(live, ['spec', 'nodeName']) === undefined || valueAt(live, ['status', 'phase']) !== 'Running' ? undefined : live;
        },
        { what: 'the Pod to run' },
      );

    test('S25: what the scheduler and admission add to it is not drift', async () => {
      await bench().ours(pod('bare'));
      const live = JSON.stringify(await scheduled('bare'));
      for (const injected of ['kube-api-access-', 'node.kubernetes.io/not-ready', '"nodeName"']) expect(live).toContain(injected);
      expect((await bench().look(pod('bare'))).verdict).toBe('S');
    });

    test('S25: nor are tolerations that admission adds to those of Git', async () => {
      const git = pod('tolerant', ', tolerations: [{ key: gpu, operator: Exists, effect: NoSchedule }]');
      await bench().ours(git);
      expect(valueAt(await scheduled('tolerant'), ['spec', 'tolerations'])).toHaveLength(3);
      expect((await bench().look(git)).verdict).toBe('S');
    });

    test('S25: a changed image is drift, and anything else can only be replaced', async () => {
      await bench().ours(pod('changed'));
      await scheduled('changed');
      expect((await bench().look(pod('changed').replace('app:1', 'app:2'))).verdict).toBe('O');
      expect((await bench().look(pod('changed', '', ', command: [sh]'))).verdict).toBe('R');
    });
  });
});

describe('what injectors and controllers write into configuration', () => {
  const fake = Buffer.from('-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n').toString('base64');

  test('S7: a bundle that is left empty for an injector is whatever it injects', async () => {
    const name = `${bench().namespace}-s7`;
    const authority = await certificateOf(bench());
    const hook = (bundle: string): string =>
      `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: { name: ${name} }, webhooks: [{ name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { service: { name: none, namespace: none }${bundle} } }] }`;
    const group = `${name}.example.com`;
    const definition = (bundle: string): string =>
      `{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: things.${group} }, spec: { group: ${group}, scope: Namespaced, names: { kind: Thing, plural: things }, conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { service: { name: none, namespace: none }${bundle} } } }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] } }`;
    const apiService = (bundle: string): string =>
      `{ apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: { name: v1.api-${group} }, spec: { group: api-${group}, version: v1, groupPriorityMinimum: 1000, versionPriority: 1, service: { name: none, namespace: none }${bundle} } }`;
    const cases: readonly [string, (bundle: string) => string, string, (caBundle: string) => JsonObject][] = [
      ['webhook', hook, `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}`, (caBundle) => ({ webhooks: [{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig: { service: { name: 'none', namespace: 'none' }, caBundle } }] })],
      ['definition', definition, `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`, (caBundle) => ({ spec: { conversion: { webhook: { clientConfig: { caBundle } } } } })],
      ['service', apiService, `/apis/apiregistration.k8s.io/v1/apiservices/v1.api-${group}`, (caBundle) => ({ spec: { caBundle } })],
    ];
    try {
      for (const [what, git, path, injection] of cases) {
        await bench().ours(git(''));
        await bench().writeAs('cainjector', path, injection(authority));
        // With an empty bundle kubectl would take the injected one away, or be refused.
        for (const bundle of [', caBundle: ""', ', caBundle: Cg==', ', caBundle: null']) {
          expect(`${what}${bundle}: ${(await bench().look(git(bundle), { witness: false })).verdict}`).toBe(`${what}${bundle}: S`);
        }
        expect((await bench().look(git(''))).verdict).toBe('S');
        expect((await bench().look(git(`, caBundle: ${fake}`), { witness: false })).verdict).not.toBe('S');
      }
    } finally {
      for (const [, , path] of cases) await bench().api.send('DELETE', path);
    }
  });

  test('S8: a failure policy that its own controller sets is contested', async () => {
    const name = `${bench().namespace}-s8`;
    const git = `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: { name: ${name} }, webhooks: [{ name: a.example.com, failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { service: { name: none, namespace: none } } }] }`;
    await bench().ours(git);
    try {
      const patch = { type: 'application/strategic-merge-patch+json', text: '{"webhooks":[{"name":"a.example.com","failurePolicy":"Fail"}]}' };
      await bench().api.send('PATCH', `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${name}?fieldManager=pilot-discovery`, patch);
      const { verdict, diff } = await bench().look(git);
      expect(verdict).toBe('K');
      expect((diff as Changed).changes).toMatchObject([{ path: '/webhooks/0/failurePolicy', live: 'Fail', desired: 'Ignore', standing: 'contested', owners: [{ manager: 'pilot-discovery' }] }]);
    } finally {
      await bench().remove(git);
    }
  });
});

describe('admission webhooks', () => {
  const deployments = [{ apiGroups: ['apps'], resources: ['deployments'] }];
  const annotate = (object: KubeObject, key: string, value: string): readonly PatchOperation[] =>
    object.metadata['annotations'] === undefined
      ? [{ op: 'add', path: '/metadata/annotations', value: { [key]: value } }]
      : [{ op: 'add', path: `/metadata/annotations/${key.replaceAll('/', '~1')}`, value }];

  test('S12: an image that a webhook rewrites at every write is in sync', async () => {
    await using other = await bench().elsewhere();
    const image = '/spec/template/spec/containers/0/image';
    await using hook = await startAdmissionWebhook(bench().admin, {
      type: 'mutating',
      namespace: other.namespace,
      rules: deployments,
      answer({ object }) {
        const [container] = valueAt(object, ['spec', 'template', 'spec', 'containers']) as readonly JsonObject[];
        const wanted = container?.['image'] as string;
        return wanted.startsWith('mirror.local/') ? { type: 'allow' } : { type: 'allow', patch: [{ op: 'replace', path: image, value: `mirror.local/${wanted}` }] };
      },
    });
    const git = oneContainer('mirrored');
    await other.ours(git);
    expect(JSON.stringify(await other.live(git))).toContain('mirror.local/app:1');
    expect((await other.look(git)).verdict).toBe('S');
    const { verdict, diff } = await other.look(git.replace('app:1', 'app:2'));
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ path: image, live: 'mirror.local/app:1', desired: 'mirror.local/app:2' }]);
    expect(hook.requests.some(({ dryRun }) => dryRun)).toBe(true);
  });

  test('S13: an annotation that a webhook sets only in earnest is not ours', async () => {
    await using other = await bench().elsewhere();
    await using hook = await startAdmissionWebhook(bench().admin, {
      type: 'mutating',
      namespace: other.namespace,
      rules: deployments,
      sideEffects: 'NoneOnDryRun',
      answer: ({ object, dryRun }) => (dryRun ? { type: 'allow' } : { type: 'allow', patch: annotate(object, 'prometheus-operator-validated', 'true') }),
    });
    const git = oneContainer('validated', 'stdin: false');
    await other.ours(git);
    expect((await other.live(git)).metadata['annotations']).toMatchObject({ 'prometheus-operator-validated': 'true' });
    expect((await other.look(git)).verdict).toBe('S');
    expect(hook.requests.some(({ dryRun }) => dryRun)).toBe(true);
  });

  test('S14: a value that a webhook makes anew at every write is volatile, and in sync', async () => {
    await using other = await bench().elsewhere();
    let count = 0;
    await using hook = await startAdmissionWebhook(bench().admin, {
      type: 'mutating',
      namespace: other.namespace,
      rules: deployments,
      answer: ({ object }) => ({ type: 'allow', patch: annotate(object, 'checked', String((count += 1))) }),
    });
    const git = oneContainer('volatile').replace('name: volatile }', 'name: volatile, annotations: { checked: never } }');
    await other.ours(git);
    // kubectl asks once, and sees another value.
    const { verdict, diff } = await other.look(git, { witness: false });
    expect(verdict).toBe('S');
    expect((diff as Same).sideEffects).toMatchObject([{ path: '/metadata/annotations/checked', why: 'volatile' }]);
    // No patch gives the same object twice, so this one is not tried on the server.
    const { seen } = await other.lookAll({ 'git.yaml': git.replace('app:1', 'app:2') });
    expect(seen).toMatchObject([{ verdict: 'O', diff: { changes: [{ desired: 'app:2' }] } }]);
    expect(hook.requests.filter(({ dryRun }) => dryRun).length).toBeGreaterThanOrEqual(4);
  });

  test('a field that a webhook adds and Git does not mention is a side effect, and in sync', async () => {
    await using other = await bench().elsewhere();
    const git = oneContainer('injected', 'terminationMessagePath: ""');
    await other.ours(git);
    await using hook = await startAdmissionWebhook(bench().admin, {
      type: 'mutating',
      namespace: other.namespace,
      rules: deployments,
      answer: ({ object }) => ({ type: 'allow', patch: annotate(object, 'injected', 'true') }),
    });
    const { verdict, diff } = await other.look(git, { witness: false });
    expect(verdict).toBe('S');
    expect((diff as Same).sideEffects).toMatchObject([{ why: 'admission' }]);
    expect(hook.requests).toMatchObject([{ dryRun: true }]);
  });
});

describe('schemas', () => {
  test('S18: a field that the kind does not have is an error that names it', async () => {
    await bench().ours(oneContainer('typo'));
    expect(await bench().look(oneContainer('typo', 'imagePulPolicy: Always'))).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('imagePulPolicy') as string } });
    await using kind = await defineKind(bench(), { kind: 'Closed', versions: [{ name: 'v1', schema: closedSpec({ size: { type: 'integer' } }) }] });
    await bench().ours(kind.manifest('typo', { spec: { size: 1 } }));
    expect(await bench().look(kind.manifest('typo', { spec: { size: 1, sise: 2 } }))).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('sise') as string } });
  });

  test('S19: a change under a field that keeps whatever comes is drift', async () => {
    await using kind = await defineKind(bench(), { kind: 'Open', versions: [{ name: 'v1', schema: openSpec }] });
    const git = kind.manifest('open', { spec: { values: { a: { b: [{ c: 1 }] } } } });
    await bench().ours(git);
    expect((await bench().look(git)).verdict).toBe('S');
    await bench().kubectl(['patch', kind.resource, 'open', '--type=merge', '-p', '{"spec":{"values":{"a":{"b":[{"c":2}]}}}}']);
    const { verdict, diff } = await bench().look(git);
    expect(verdict).toBe('O');
    expect((diff as Changed).changes).toMatchObject([{ live: 2, desired: 1, owners: [{ manager: 'kubectl-patch' }] }]);
  });

  test('S20: schemas come from the cluster: a field that a definition gains is known at the next look', async () => {
    await using other = await bench().elsewhere();
    await using kind = await defineKind(other, { kind: 'Growing', versions: [{ name: 'v1', schema: closedSpec({ old: { type: 'string' } }) }] });
    const git = kind.manifest('growing', { spec: { old: 'a', new: 'b' } });
    await other.ours(kind.manifest('growing', { spec: { old: 'a' } }));
    expect((await other.look(git)).verdict).toBe('E');
    await kind.redefine({ name: 'v1', schema: closedSpec({ old: { type: 'string' }, new: { type: 'string' } }) });
    await waitFor(() => other.ours(git).then(() => true), { what: 'the new field to be accepted' });
    expect((await other.look(git)).verdict).toBe('S');
    expect((await other.look(kind.manifest('growing', { spec: { old: 'a', new: 'c' } }))).verdict).toBe('O');
  });

  test('S20: kinds of this release that older clients do not know are compared like any other', async () => {
    const name = `${bench().namespace}-s20`;
    const git = `{ apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: { name: ${name} }, spec: { attachRequired: false, seLinuxMount: true, nodeAllocatableUpdatePeriodSeconds: 60 } }`;
    await bench().ours(git);
    try {
      expect((await bench().look(git)).verdict).toBe('S');
      expect((await bench().look(git.replace('60', '90'))).verdict).toBe('O');
    } finally {
      await bench().remove(git);
    }
  });

  test('S21: what we applied in an older version of the kind is compared in the newer one, also when the older is gone', async () => {
    await using other = await bench().elsewhere();
    const schema = closedSpec({ a: { type: 'string' }, b: { type: 'string' } });
    await using kind = await defineKind(other, { kind: 'Versioned', versions: [{ name: 'v1', schema }, { name: 'v2', schema }] });
    await other.ours(kind.manifest('versioned', { spec: { a: '1', b: '1' } }, 'v1'));
    const both = kind.manifest('versioned', { spec: { a: '1', b: '1' } }, 'v2');
    const one = kind.manifest('versioned', { spec: { a: '1' } }, 'v2');
    const expectTruth = async (): Promise<void> => {
      expect((await other.look(both)).verdict).toBe('S');
      const { verdict, diff } = await other.look(one);
      expect(verdict).toBe('O');
      expect((diff as Changed).patch).toEqual([{ op: 'remove', path: '/spec/b' }]);
    };
    expect(JSON.stringify((await other.live(both)).metadata['managedFields'])).toContain('/v1"');
    await expectTruth();
    await kind.redefine({ name: 'v1', schema, served: false }, { name: 'v2', schema });
    await waitFor(async () => (await other.api.send('GET', kind.path('versioned', 'v1'))).status === 404, { what: 'v1 not to be served' });
    expect((await other.look(both)).verdict).toBe('S');
    expect((await other.look(kind.manifest('versioned', { spec: { a: '2', b: '1' } }, 'v2'))).verdict).toBe('O');
    expect((await other.look(kind.manifest('versioned', { spec: { a: '1', b: '1' } }, 'v1'))).verdict).toBe('E');
  });
});

test('S26: what we have just applied is not undone by what the watch shows late', async () => {
  const { admin, namespace, api } = bench();
  await using front = await startApiFront((await serverOf(admin)).href);
  await using watched = await watchCluster(await kubeconfigVia(admin, front.port, front.authority));
  const { cluster, cache } = watched;
  const standing = { watch: followWith(cache, { admission: () => '' }), memory: createMemory({ now: () => performance.now(), random: () => 0.5, salt: 'x' }), agreed: undefined };
  const signal = new AbortController().signal;
  const { documents } = renderPlain([{ path: 'git.yaml', content: Buffer.from(configMap('late', '{ a: "2" }')) }, { path: 'other.yaml', content: Buffer.from(configMap('beside', '{}')) }]);
  const look = async (): Promise<string> => {
    const { compared } = await compareAll(documents, { cluster, namespace, salt: 'x', tag: tagWith('x'), signal, standing });
    return compared.map(({ diff }) => letterOf(diff)).join('');
  };
  const path = (name: string): string => bench().path('v1', `configmaps/${name}`);
  const event = async (name: string): Promise<string> => JSON.stringify({ type: 'MODIFIED', object: accepted(await api.send('GET', path(name))) });
  const shown = (name: string): string => {
    const reading = cache.reading(resourceKey({ group: '', kind: 'ConfigMap', namespace, name }));
    return reading.type === 'live' ? stringifyJson(reading.live.object) : reading.type;
  };
  const shows = (name: string, text: string): Promise<unknown> => waitFor(() => shown(name).includes(text), { what: `the watch to show ${text}` });
  await bench().ours(configMap('late', '{ a: "1" }'));
  await bench().ours(configMap('beside', '{}'));
  expect(await look()).toBe('SO');

  const watch = await waitFor(() => front.watches[0], { what: 'the watch' });
  watch.stall();
  await bench().kubectl(['patch', 'configmap', 'late', '--type=merge', '-p', '{"data":{"a":"theirs"}}']);
  const older = await event('late');
  await bench().kubectl(['annotate', 'configmap', 'beside', 'barrier=1']);
  const barrier = await event('beside');
  const { targets } = await compareAll(documents, { cluster, namespace, salt: 'x', tag: tagWith('x'), signal, standing });
  for (const target of targets.filter(({ manifest }) => manifest.object.metadata.name === 'late')) {
    const result = await cluster.apply(target, { force: true, signal });
    if (result.type !== 'applied') throw new Error(`the apply was refused: ${JSON.stringify(result)}`);
    standing.watch.applied(target.manifest.key, result.object);
  }
  expect(shown('late')).toContain('"a":"2"');
  expect(await look()).toBe('SS');

  // The watch catches up: first with what was written before our apply.
  watch.say(older);
  watch.say(barrier);
  await shows('beside', 'barrier');
  expect(shown('late')).toContain('"a":"2"');
  expect(await look()).toBe('FS');

  // What is newer than our apply counts.
  await bench().kubectl(['patch', 'configmap', 'late', '--type=merge', '-p', '{"data":{"a":"theirs again"}}']);
  watch.say(await event('late'));
  await shows('late', 'theirs again');
  expect(await look()).toBe('FO');
});

/** A certificate that the server takes for a bundle. */
async function certificateOf({ admin }: Bench): Promise<string> {
  const config = JSON.parse(await admin.kubectl(['config', 'view', '--raw', '--flatten', '-o', 'json'])) as { clusters: readonly { cluster: { 'certificate-authority-data': string } }[] };
  return config.clusters[0]?.cluster['certificate-authority-data'] ?? '';
}
