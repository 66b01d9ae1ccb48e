// Section 3.4 of the design: what the verdict is when the server will not say what an apply would do.
import { describe, expect, test } from 'vitest';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { startApiFront } from '../support/api-front.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';
import { useBench, type Bench, type Changed, type Seen } from './bench.ts';
import { closedSpec, defineKind } from './custom-kind.ts';
import { configMap, deployment, oneContainer, service } from './manifests.ts';

const bench = useBench();

describe('rights that are wanting', () => {
  const readOnly = (other: Bench): Promise<string> =>
    other.admin.restrictedUser(other.namespace, [{ apiGroups: ['', 'apps'], resources: ['configmaps', 'deployments', 'secrets'], verbs: ['get', 'list'] }]);

  test('without the right to patch, what others wrote is drift that the server did not confirm', async () => {
    const git = oneContainer('seen', 'env: [{ name: A, value: "1" }]');
    await bench().ours(git);
    await bench().kubectl(['set', 'env', 'deployment/seen', 'A=2']);
    const seen = await bench().look(git, { user: await readOnly(bench()) });
    expect(seen.verdict).toBe('O');
    expect((seen.diff as Changed).changes).toMatchObject([{ live: '2', desired: '1', owners: [{ manager: 'kubectl-set' }] }]);
    expect((seen.diff as Changed).unconfirmed).toContain('patch deployments.apps');
  });

  test('without the right to patch, a value under our own name that is not what Git says is only suspected', async () => {
    await bench().ours(oneContainer('suspected'));
    const seen = await bench().look(oneContainer('suspected').replace('app:1', 'app:2'), { user: await readOnly(bench()), witness: false });
    expect(seen).toMatchObject({ verdict: 'U', diff: { code: 'Forbidden', message: expect.stringContaining('image') as string } });
  });

  test('without the right to patch, what is proven equal is in sync, and so are Secrets compared', async () => {
    await bench().ours(oneContainer('equal'));
    await bench().ours('{ apiVersion: v1, kind: Secret, metadata: { name: key }, data: { a: Yg== } }');
    const user = await readOnly(bench());
    expect((await bench().look(oneContainer('equal'), { user })).verdict).toBe('S');
    expect((await bench().look('{ apiVersion: v1, kind: Secret, metadata: { name: key }, stringData: { a: b } }', { user })).verdict).toBe('S');
    expect((await bench().look('{ apiVersion: v1, kind: Secret, metadata: { name: key }, stringData: { a: c } }', { user })).verdict).toBe('O');
  });

  test('without the right to read, nothing is known, and nothing is missing', async () => {
    const user = await bench().admin.restrictedUser(bench().namespace, []);
    const seen = await bench().look(configMap('hidden', '{}'), { user, witness: false });
    expect(seen).toMatchObject({ verdict: 'U', diff: { code: 'Forbidden', message: expect.stringContaining('get configmaps') as string } });
  });

  test('a role that grants more than we have is compared without the server', async () => {
    const role = (verb: string): string => `{ apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: strong }, rules: [{ apiGroups: [""], resources: [secrets], verbs: [${verb}] }] }`;
    const user = await bench().admin.restrictedUser(bench().namespace, [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['get', 'list', 'patch', 'update'] }]);
    await bench().ours(role('get'));
    expect((await bench().look(role('get'), { user })).verdict).toBe('S');
    await bench().kubectl(['patch', 'role', 'strong', '--type=json', '-p', '[{"op":"replace","path":"/rules/0/verbs","value":["list"]}]']);
    const seen = await bench().look(role('get'), { user });
    expect(seen.verdict).toBe('O');
    expect((seen.diff as Changed).unconfirmed).toMatch(/escalate/);
  });
});

describe('namespaces', () => {
  test('in a namespace that is being deleted, an object that is there is terminating', async () => {
    await using other = await bench().elsewhere();
    const held = configMap('held', '{ a: "1" }', 'finalizers: [example.com/hold]');
    await other.ours(held);
    await other.admin.kubectl(['delete', 'namespace', other.namespace, '--wait=false']);
    await waitFor(async () => (await other.kubectl(['get', 'configmap', 'held', '-o', 'jsonpath={.metadata.deletionTimestamp}'])) !== '', { what: 'the object to be deleted' });
    try {
      expect(await other.look(held, { witness: false })).toMatchObject({ verdict: 'O', diff: { type: 'terminating' } });
      expect((await other.look(configMap('gone', '{}'), { witness: false })).verdict).toBe('O');
    } finally {
      await other.writeAs('test', other.path('v1', 'configmaps/held'), { metadata: { finalizers: null } });
    }
  });

  test('in a namespace that does not exist, everything is missing', async () => {
    const elsewhere = configMap('nobody', '{}', 'namespace: no-such-namespace');
    expect(await bench().look(elsewhere, { witness: false })).toMatchObject({ verdict: 'O', diff: { type: 'missing' } });
  });
});

describe('fields that cannot be changed', () => {
  const claim = (mode: string, storage = '1Gi'): string =>
    `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: claim }, spec: { accessModes: [${mode}], resources: { requests: { storage: ${storage} } } } }`;
  const set = (more: string): string => `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: set }
spec:
  replicas: 0
  selector: { matchLabels: { app: set } }
  template: { metadata: { labels: { app: set } }, spec: { containers: [{ name: app, image: app }] } }
  ${more}
`;
  const binding = (role: string): string =>
    `{ apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: binding }, roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${role} }, subjects: [] }`;
  const job = (parallel: string): string =>
    `{ apiVersion: batch/v1, kind: Job, metadata: { name: job }, spec: { suspend: true, ${parallel}, template: { spec: { restartPolicy: Never, containers: [{ name: app, image: app }] } } } }`;
  const storage = (provisioner: string): string =>
    `{ apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: { name: ${bench().namespace} }, provisioner: ${provisioner} }`;
  const webApp = deployment('selected', 'containers: [{ name: app, image: app }]');
  const otherSelector = webApp.replace('matchLabels: { app: selected }', 'matchLabels: { app: selected, track: a }').replace('labels: { app: selected }', 'labels: { app: selected, track: a }');

  test.each<[string, () => string, () => string, RegExp]>([
    ['the completions of a Job', () => job('completions: 1'), () => job('completions: 2'), /completions/],
    ['the service name of a StatefulSet', () => set('serviceName: a'), () => set('serviceName: b'), /serviceName/],
    ['the claim templates of a StatefulSet', () => set('serviceName: a'), () => set('serviceName: a\n  volumeClaimTemplates: [{ metadata: { name: d }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }]'), /volumeClaimTemplates/],
    ['the selector of a Deployment', () => webApp, () => otherSelector, /selector|labels/],
    ['the access mode of a claim', () => claim('ReadWriteOnce'), () => claim('ReadWriteMany'), /accessModes/],
    ['the role of a binding', () => binding('a'), () => binding('b'), /roleRef/],
    ['the command of a Pod', () => '{ apiVersion: v1, kind: Pod, metadata: { name: pod }, spec: { containers: [{ name: app, image: app }] } }', () => '{ apiVersion: v1, kind: Pod, metadata: { name: pod }, spec: { containers: [{ name: app, image: app, args: [b] }] } }', /args/],
    ['an immutable ConfigMap', () => `${configMap('frozen', '{ a: "1" }').slice(0, -1)}, immutable: true }`, () => `${configMap('frozen', '{ a: "2" }').slice(0, -1)}, immutable: true }`, /data/],
    ['an immutable ConfigMap that is to thaw', () => `${configMap('thawing', '{ a: "1" }').slice(0, -1)}, immutable: true }`, () => `${configMap('thawing', '{ a: "1" }').slice(0, -1)}, immutable: false }`, /immutable/],
    ['an immutable Secret', () => '{ apiVersion: v1, kind: Secret, metadata: { name: frozen }, immutable: true, stringData: { a: b } }', () => '{ apiVersion: v1, kind: Secret, metadata: { name: frozen }, immutable: true, stringData: { a: c } }', /data/],
    ['the type of a Secret', () => '{ apiVersion: v1, kind: Secret, metadata: { name: typed }, type: a }', () => '{ apiVersion: v1, kind: Secret, metadata: { name: typed }, type: b }', /type/],
    ['an immutable Secret of which Git says it no more', () => '{ apiVersion: v1, kind: Secret, metadata: { name: thawing }, immutable: true, stringData: { a: b } }', () => '{ apiVersion: v1, kind: Secret, metadata: { name: thawing }, data: { a: Yg== } }', /immutable/],
    ['the type of a Secret that Git names no more', () => '{ apiVersion: v1, kind: Secret, metadata: { name: untyped }, type: a }', () => '{ apiVersion: v1, kind: Secret, metadata: { name: untyped } }', /type/],
    ['the address of a Service', () => service('addressed', 'ports: [{ port: 80 }]'), () => service('addressed', 'clusterIP: 10.0.0.1, ports: [{ port: 80 }]'), /clusterIP/],
    ['the provisioner of a StorageClass', () => storage('a.example.com'), () => storage('b.example.com'), /provisioner/],
  ])('%s: only by replacing it, and the fields are named', async (_what, live, git, field) => {
    await bench().ours(live());
    try {
      expect((await bench().look(live(), { witness: false })).verdict).toBe('S');
      const { verdict, diff } = await bench().look(git());
      expect(verdict).toBe('R');
      expect((diff as Changed).changes.map(({ path }) => path).join(' ')).toMatch(field);
    } finally {
      await bench().remove(live());
    }
  });

  test.each<[string, string, string, string]>([
    ['PersistentVolumeClaim', 'v1', 'spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 2Gi } } }', 'spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }'],
    ['PersistentVolume', 'v1', 'spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /a } }', 'spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /b } }'],
    ['PriorityClass', 'scheduling.k8s.io/v1', 'value: 5', 'value: 6'],
    ['RuntimeClass', 'node.k8s.io/v1', 'handler: a', 'handler: b'],
    ['IngressClass', 'networking.k8s.io/v1', 'spec: { controller: example.com/a }', 'spec: { controller: example.com/b }'],
    ['ResourceQuota', 'v1', 'spec: { hard: { pods: "1" }, scopes: [BestEffort] }', 'spec: { hard: { pods: "1" }, scopes: [NotBestEffort] }'],
    ['EndpointSlice', 'discovery.k8s.io/v1', 'addressType: IPv4, endpoints: []', 'addressType: FQDN, endpoints: []'],
    ['ControllerRevision', 'apps/v1', 'revision: 1, data: { a: 1 }', 'revision: 1, data: { a: 2 }'],
    ['CSIDriver', 'storage.k8s.io/v1', 'spec: { attachRequired: true }', 'spec: { attachRequired: false }'],
    ['StorageClass', 'storage.k8s.io/v1', 'provisioner: a.example.com, reclaimPolicy: Retain', 'provisioner: a.example.com, reclaimPolicy: Delete'],
    ['DaemonSet', 'apps/v1', daemonSet('a'), daemonSet('b')],
  ])('of a %s too, in the words that the server has for it', async (kind, apiVersion, live, git) => {
    const manifest = (content: string): string => `{ apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: ${bench().namespace}-r }, ${content} }`;
    await bench().ours(manifest(live));
    try {
      const { verdict, diff } = await bench().look(manifest(git), { witness: false });
      expect(`${verdict} ${diff.type === 'invalid' ? diff.message : ''}`).toBe('R ');
    } finally {
      await bench().remove(manifest(live));
    }
  });
});

describe('manifests that the server refuses', () => {
  test('a key that is written twice is compared as its last value, with a warning', async () => {
    const git = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: doubled }\ndata:\n  a: "1"\n  a: "2"\n';
    await bench().ours(configMap('doubled', '{ a: "2" }'));
    const { seen, findings } = await bench().lookAll({ 'git.yaml': git });
    expect(seen.map(({ verdict }) => verdict)).toEqual(['S']);
    expect(findings).toMatchObject([{ severity: 'warning', message: expect.stringContaining('a') as string }]);
  });

  test.each<[string, string, string]>([
    ['a value of a wrong type', configMap('bad', '{ a: 1 }'), 'data.a'],
    ['a field that does not exist', `${configMap('bad', '{}').slice(0, -1)}, dta: {} }`, 'dta'],
    ['a value that its type cannot hold', `${configMap('bad', '{}').slice(0, -1)}, binaryData: { a: "no base64" } }`, 'base64'],
    ['a value that validation refuses', configMap('bad', '{ "a key": "1" }'), 'a key'],
    ['a label that is none', configMap('bad', '{}', 'labels: { a: "-" }'), 'labels'],
  ])('%s is Git’s mistake', async (_what, git, named) => {
    await bench().ours(configMap('bad', '{}'));
    expect(await bench().look(git)).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining(named) as string } });
  });
});

describe('kinds that are not there', () => {
  test('a kind that nobody defines is Git’s mistake', async () => {
    expect(await bench().look('{ apiVersion: no.example.com/v1, kind: Nothing, metadata: { name: a } }')).toMatchObject({ verdict: 'E', diff: { message: expect.stringContaining('Nothing') as string } });
  });

  test('a kind whose definition is in the same set waits for it', async () => {
    const group = `${bench().namespace}.waiting.example.com`;
    const definition = `{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: things.${group} }, spec: { group: ${group}, scope: Namespaced, names: { kind: Thing, plural: things }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] } }`;
    const { seen } = await bench().lookAll({ 'a.yaml': definition, 'b.yaml': `{ apiVersion: ${group}/v1, kind: Thing, metadata: { name: a } }` });
    expect(seen.map(({ verdict }) => verdict)).toEqual(['O', 'O']);
    expect(seen.find(({ diff }) => diff.origin === 'b.yaml#1')?.diff).toMatchObject({ type: 'missing', waitsFor: `CustomResourceDefinition things.${group}` });
  });

  test('a kind of an API server that does not answer is unknown, and hides nothing else', async () => {
    const group = `${bench().namespace}.down.example.com`;
    const name = `v1.${group}`;
    await bench().admin.apply(
      JSON.stringify({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name },
        spec: { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 1, insecureSkipTLSVerify: true, service: { name: 'none', namespace: bench().namespace } },
      }),
    );
    try {
      await bench().ours(configMap('beside', '{}'));
      const files = { 'a.yaml': `{ apiVersion: ${group}/v1, kind: Thing, metadata: { name: a } }`, 'b.yaml': configMap('beside', '{}') };
      const verdicts = async (): Promise<string> => (await bench().lookAll(files)).seen.map(({ diff, verdict }) => `${diff.origin} ${verdict}`).toSorted().join(', ');
      await waitFor(async () => (await verdicts()).includes('a.yaml#1 U'), { what: 'the kind that does not answer to be unknown' });
      expect(await verdicts()).toBe('a.yaml#1 U, b.yaml#1 S');
    } finally {
      await bench().admin.kubectl(['delete', 'apiservice', name]);
    }
  });
});

describe('answers that this server gives only in company: an aggregated API, an old webhook, a load balancer', () => {
  const status = (code: number, message: string): string => JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code, reason: 'Test' });
  const git = oneContainer('fronted', 'env: [{ name: A, value: "1" }]');

  /** A look through a front that answers the first tries of an apply in the server's stead. */
  async function lookThrough(code: number, message: string): Promise<Seen> {
    await bench().ours(git);
    await bench().kubectl(['set', 'env', 'deployment/fronted', 'A=2']);
    const { admin } = bench();
    await using front = await startApiFront((await serverOf(admin)).href);
    for (let time = 0; time < 10; time++) front.answerNext(({ url }) => url.searchParams.get('dryRun') === 'All', { status: code, headers: { 'retry-after': '0' }, body: status(code, message) });
    return await bench().look(git, { user: await kubeconfigVia(admin, front.port, front.authority), witness: false });
  }

  test.each([
    [405, 'the server does not allow this method on the requested resource'],
    [415, 'the body of the request was in an unknown format - accepted media types include: application/json-patch+json'],
    [400, 'admission webhook "old.example.com" does not support dry run'],
  ])('%i %s: what is certain without the server is told as unconfirmed', async (code, message) => {
    const { verdict, diff } = await lookThrough(code, message);
    expect(verdict).toBe('O');
    expect((diff as Changed).unconfirmed).toBeTruthy();
    expect((diff as Changed).changes).toMatchObject([{ live: '2', desired: '1' }]);
  });

  test.each([
    [429, 'too many requests'],
    [502, 'bad gateway'],
    [503, 'the server is currently unable to handle the request'],
    [504, 'the server was unable to return a response in the time allotted'],
    [500, 'etcdserver: request timed out'],
  ])('%i %s: nothing is known', async (code, message) => {
    expect((await lookThrough(code, message)).verdict).toBe('U');
  });

  test('409, the object has been modified: looked at again', async () => {
    await bench().ours(git);
    const { admin } = bench();
    await using front = await startApiFront((await serverOf(admin)).href);
    const message = 'Operation cannot be fulfilled on deployments.apps: the object has been modified';
    front.answerNext(({ url }) => url.searchParams.get('dryRun') === 'All', { status: 409, body: status(409, message) });
    const changed = git.replace('app:1', 'app:2');
    expect((await bench().look(changed, { user: await kubeconfigVia(admin, front.port, front.authority) })).verdict).toBe('O');
    expect(front.unused).toBe(0);
  });
});

describe('servers behind the server', () => {
  const deployments = [{ apiGroups: ['apps'], resources: ['deployments'] }];

  test('a change that a webhook denies is drift that cannot be made right', async () => {
    await using other = await bench().elsewhere();
    await other.ours(oneContainer('denied'));
    await using hook = await startAdmissionWebhook(bench().admin, { type: 'validating', namespace: other.namespace, rules: deployments, answer: () => ({ type: 'deny', message: 'not on a Friday' }) });
    const { verdict, diff } = await other.look(oneContainer('denied').replace('app:1', 'app:2'), { witness: false });
    expect(verdict).toBe('O');
    expect((diff as Changed).obstacle).toMatchObject({ type: 'denied', message: expect.stringContaining('not on a Friday') as string });
    expect((diff as Changed).obstacle?.message).toContain(hook.name);
    expect((diff as Changed).changes).toMatchObject([{ live: 'app:1', desired: 'app:2' }]);
    expect((await other.look(oneContainer('denied'), { witness: false })).verdict).toBe('S');
  });

  test('a change that a policy denies is drift that cannot be made right', async () => {
    await using other = await bench().elsewhere();
    const name = `${other.namespace}-policy`;
    await other.ours(oneContainer('denied'));
    await other.admin.apply(
      [
        `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: { name: ${name} }, spec: { failurePolicy: Fail, matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments] }] }, validations: [{ expression: "false", message: not on a Friday }] } }`,
        `{ apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: { name: ${name} }, spec: { policyName: ${name}, validationActions: [Deny], matchResources: { namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ${other.namespace} } } } } }`,
      ].join('\n---\n'),
    );
    try {
      const git = oneContainer('denied').replace('app:1', 'app:2');
      await untilDenied(other, git);
      const { verdict, diff } = await other.look(git, { witness: false });
      expect(verdict).toBe('O');
      expect((diff as Changed).obstacle).toMatchObject({ type: 'denied', message: expect.stringContaining('not on a Friday') as string });
    } finally {
      await other.admin.kubectl(['delete', 'validatingadmissionpolicy,validatingadmissionpolicybinding', name]);
    }
  });

  test('a change that a quota denies is drift that cannot be made right', async () => {
    await using other = await bench().elsewhere();
    const git = (type: string): string => service('counted', `type: ${type}, selector: { app: a }, ports: [{ port: 80 }]`);
    await other.ours(git('ClusterIP'));
    await other.ours('{ apiVersion: v1, kind: ResourceQuota, metadata: { name: none }, spec: { hard: { services.nodeports: "0" } } }');
    // Admission goes by the status. Its controller stands still for half a minute at a time when some definition of the cluster cannot be listed.
    const counted = { hard: { 'services.nodeports': '0' }, used: { 'services.nodeports': '0' } };
    await other.kubectl(['patch', 'resourcequota', 'none', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: counted })]);
    await untilDenied(other, git('NodePort'));
    const { verdict, diff } = await other.look(git('NodePort'), { witness: false });
    expect(verdict).toBe('O');
    expect((diff as Changed).obstacle).toMatchObject({ type: 'denied', message: expect.stringContaining('exceeded quota') as string });
  });

  test.each(['fail', 'hang'] as const)('where a webhook does not answer (%s), nothing is known of what it would have to decide', async (type) => {
    await using other = await bench().elsewhere();
    await other.ours(oneContainer('stuck'));
    await using hook = await startAdmissionWebhook(bench().admin, { type: 'mutating', namespace: other.namespace, rules: deployments, timeoutSeconds: 1, answer: () => ({ type }) });
    const seen = await other.look(oneContainer('stuck').replace('app:1', 'app:2'), { witness: false });
    expect(seen).toMatchObject({ verdict: 'U', diff: { message: expect.stringContaining(hook.name) as string } });
    // What is proven equal needs no webhook.
    expect((await other.look(oneContainer('stuck'), { witness: false })).verdict).toBe('S');
  });

  test('where a conversion webhook is down, nothing is known of its kind, and nothing is missing', async () => {
    await using other = await bench().elsewhere();
    const schema = closedSpec({ a: { type: 'string' } });
    await using kind = await defineKind(other, { kind: 'Converted', versions: [{ name: 'v1', schema }, { name: 'v2', schema }] });
    const git = (a: string): string => kind.manifest('converted', { spec: { a } }, 'v1');
    await other.ours(git('1'));
    await other.admin.kubectl([
      ...['patch', 'crd', kind.resource, '--type=merge', '-p'],
      '{"spec":{"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://127.0.0.1:1/convert"}}}}}',
    ]);
    await waitFor(async () => (await other.api.send('GET', kind.path('converted', 'v1'))).status >= 500, { what: 'the conversion to be in force' });
    for (const a of ['1', '2']) expect(await other.look(git(a), { witness: false })).toMatchObject({ verdict: 'U', diff: { message: expect.stringContaining('conversion webhook') as string } });
    expect((await other.lookAll({ 'git.yaml': git('1'), 'other.yaml': configMap('missing', '{}') })).seen.map(({ verdict }) => verdict).toSorted()).toEqual(['O', 'U']);
  });
});

/** Admission reads its rules through watches of its own: what is stored is not yet in force. */
async function untilDenied(other: Bench, git: string): Promise<void> {
  await waitFor(async () => (await other.lookAll({ 'git.yaml': git })).seen.some(({ diff }) => diff.type === 'changed' && diff.obstacle !== undefined), { what: 'a refusal' });
}

function daemonSet(label: string): string {
  return `spec: { selector: { matchLabels: { a: ${label} } }, template: { metadata: { labels: { a: ${label} } }, spec: { nodeSelector: { none: none }, containers: [{ name: app, image: app }] } } }`;
}
