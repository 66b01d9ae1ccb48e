import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { chartReadme, chartValues } from '../../release/chart-readme.ts';
import { applicationCrd } from '../../src/apps/crd/application-crd.ts';
import { isConfigKey } from '../../src/config/config-keys.ts';
import { isList, isObject, valueAt, type Json, type JsonObject } from '../../src/model/index.ts';
import { chartFolder, helm, helmTemplate, valuesMatrix, type Rendered, type Template } from '../support/chart.ts';
import { runCli } from '../support/cli.ts';
import { writeProgram } from '../support/render-binaries.ts';
import { tempFolder } from '../support/temp-folder.ts';

const matrix = valuesMatrix({ one: 'shop', two: 'search' });
const cases = Object.keys(matrix);
const templates = new Map<string, Template>();

beforeAll(async () => {
  for (const [name, values] of Object.entries(matrix)) templates.set(name, await helmTemplate('gitops', values));
}, 300_000);

const objectsOf = (name: string): readonly Rendered[] => templates.get(name)?.objects ?? [];
const ofKind = (name: string, kind: string): readonly Rendered[] => objectsOf(name).filter((object) => object.kind === kind);
const at = (object: Json | undefined, path: string): Json | undefined => path.split('.').reduce<Json | undefined>((value, part) => (isList(value) ? value[Number(part)] : valueAt(value, [part])), object);
const configOf = (objects: readonly Rendered[]): string => objects.map((object) => valueAt(object, ['data', 'config.yaml'])).find((text) => typeof text === 'string') ?? '';
const podSpecs = (name: string): readonly JsonObject[] =>
  objectsOf(name).flatMap((object) => {
    const spec = object.kind === 'Pod' ? at(object, 'spec') : at(object, 'spec.template.spec');
    return isObject(spec) ? [spec] : [];
  });

describe('what comes with it', () => {
  test('the README is the one that the comments of values.yaml make: node release/chart-readme.ts writes it anew', () => {
    expect(readFileSync(join(chartFolder, 'README.md'), 'utf8')).toBe(chartReadme());
  });

  test('every value is described', () => {
    const described = chartValues().map(({ path }) => path);
    const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as JsonObject;
    const within = (path: string, value: Json | undefined): readonly string[] => {
      const properties = at(value, 'properties');
      if (described.includes(path) && !described.some((other) => other.startsWith(`${path}.`))) return [path];
      return isObject(properties) ? Object.entries(properties).flatMap(([name, child]) => within(path === '' ? name : `${path}.${name}`, child)) : [path];
    };
    expect(within('', schema).filter((path) => path !== 'global')).toEqual(described.filter((path) => path !== 'config'));
  });

  test('it has the version of the product', () => {
    const { version } = JSON.parse(readFileSync(join(chartFolder, '..', '..', 'package.json'), 'utf8')) as { version: string };
    expect(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')).toContain(`\nappVersion: ${version}\n`);
  });

  test('what is said to the agent are keys of its configuration', () => {
    const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as JsonObject;
    const keys = Object.keys(at(schema, 'properties.config.properties') as JsonObject);
    // These two come with alerts.
    expect(keys.filter((key) => !isConfigKey(key) && key !== 'alerts' && key !== 'destinations')).toEqual([]);
    expect(keys).toContain('receivers');
  });
});

describe.each(cases)('%s', (name) => {
  test('is fine with helm lint', async () => {
    const { code, stdout } = await helm(['lint', chartFolder, '--strict'], matrix[name]);
    expect(stdout).toContain('0 chart(s) failed');
    expect(code).toBe(0);
  });

  test('has labels and names of its own, and no Secret', () => {
    const own = objectsOf(name).filter(({ kind, metadata: { labels } }) => kind !== 'CustomResourceDefinition' && labels['of'] === undefined);
    expect(own.length).toBeGreaterThan(3);
    for (const { metadata } of own) expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/name': 'setpoint', 'app.kubernetes.io/instance': 'setpoint', 'app.kubernetes.io/version': '0.1.0', 'helm.sh/chart': 'setpoint-0.1.0' });
    const ids = objectsOf(name).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''} ${metadata.name}`);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ofKind(name, 'Secret')).toEqual([]);
  });

  test('gives no right by a wildcard, and none to Secrets but by name', () => {
    const rules = objectsOf(name).flatMap((object) => (at(object, 'rules') as readonly JsonObject[] | undefined) ?? []).filter((rule) => 'verbs' in rule);
    expect(rules.filter((rule) => JSON.stringify(rule).includes('*'))).toEqual([]);
    const secrets = rules.filter((rule) => (rule['resources'] as readonly string[]).includes('secrets') && rule['resourceNames'] === undefined);
    expect(secrets.map((rule) => rule['verbs'])).toEqual(secrets.map(() => ['create']));
  });

  test('has pods without a writable root, with limits', () => {
    expect(podSpecs(name).length).toBeGreaterThan(1);
    for (const spec of podSpecs(name)) {
      for (const container of spec['containers'] as readonly JsonObject[]) {
        expect(container['securityContext']).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
        expect(at(container, 'resources.limits.memory')).toBeTypeOf('string');
        expect(container['image']).toMatch(/^\S+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/);
      }
    }
  });

  test('has a configuration that the agent takes', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'config.yaml');
    await writeFile(file, configOf(objectsOf(name)));
    expect(await runCli(['config', 'check', file])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the definition', () => {
  test('is that of the code, and stays when the release goes', () => {
    const [rendered] = ofKind('as it comes', 'CustomResourceDefinition');
    const { metadata, ...rest } = applicationCrd() as JsonObject & { readonly metadata: JsonObject };
    expect(rendered).toEqual({ ...rest, metadata: { ...metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } });
    expect(ofKind('without the definition', 'CustomResourceDefinition')).toEqual([]);
  });

  test('is in a packaged chart once, as a template: Helm does not upgrade what is in crds', async () => {
    await using folder = await tempFolder();
    expect((await helm(['package', chartFolder, '-d', folder.path])).code).toBe(0);
    const [name = ''] = await readdir(folder.path);
    const archive = join(folder.path, name);
    expect((await helmTemplate('gitops', matrix['as it comes'] ?? {}, archive)).text).toBe(templates.get('as it comes')?.text);
    expect((await helm(['show', 'crds', archive])).stdout).not.toContain('CustomResourceDefinition');
  });
});

describe('secrets', () => {
  test('are files beside the configuration, by reference', () => {
    const volumes = at(ofKind('webhooks through an Ingress', 'Deployment')[0], 'spec.template.spec.volumes') as readonly JsonObject[];
    const sources = at(volumes.find((volume) => volume['name'] === 'config'), 'projected.sources') as readonly JsonObject[];
    expect(sources.map((source) => at(source, 'secret.items')).filter((items) => items !== undefined)).toEqual([
      [{ key: 'fleet', path: 'hooks/fleet' }],
      [{ key: 'ci', path: 'hooks/ci' }],
      [{ key: 'ci-next', path: 'hooks/ci-next' }],
    ]);
  });

  test('of alerts are passed on as they are', async () => {
    const destinations = [{ name: 'team', type: 'slack', tokenFile: 'slack-token', channel: '#drift' }, { name: 'am', type: 'alertmanager', url: 'http://am.monitoring.svc:9093', auth: { type: 'bearer', tokenFile: '/more/token' } }];
    const alerts = { rules: [{ name: 'drift', for: '5m' }], allowPrivate: ['am.monitoring.svc'] };
    const { objects } = await helmTemplate('gitops', { ...matrix['as it comes'], config: { destinations, alerts }, secretFiles: [{ path: 'slack-token', secret: 'slack', key: 'token' }] });
    expect(parse(configOf(objects))).toMatchObject({ destinations, alerts });
  });

  test('of Redis come in by the environment, from a Secret', () => {
    const envOf = (name: string): readonly JsonObject[] => at(ofKind(name, 'Deployment')[0], 'spec.template.spec.containers.0.env') as readonly JsonObject[];
    expect(envOf('a Redis with it')).toEqual(expect.arrayContaining([{ name: 'SETPOINT_REDIS', value: 'redis://setpoint-redis.gitops.svc:6379' }, { name: 'SETPOINT_REDIS_PASSWORD', valueFrom: { secretKeyRef: { name: 'redis', key: 'password' } } }]));
    expect(envOf('a Redis elsewhere')).toEqual(expect.arrayContaining([{ name: 'SETPOINT_REDIS_USERNAME', valueFrom: { secretKeyRef: { name: 'redis', key: 'user' } } }, { name: 'SETPOINT_REDIS_CA', value: '/etc/setpoint/redis-ca' }, { name: 'SETPOINT_REDIS_SENTINEL_PASSWORD', valueFrom: { secretKeyRef: { name: 'redis', key: 'sentinel' } } }]));
  });
});

test('traffic is limited to what is needed, Redis wherever it is included', () => {
  const ports = (name: string): unknown => at(ofKind(name, 'NetworkPolicy')[0], 'spec.egress.0.ports');
  const tcp = (...numbers: readonly number[]): unknown => [{ protocol: 'UDP', port: 53 }, ...[53, ...numbers].map((port) => ({ protocol: 'TCP', port }))];
  const dns = (port: number): readonly object[] => ['UDP', 'TCP'].map((protocol) => ({ protocol, port }));
  expect(ports('as it comes')).toEqual(tcp(22, 80, 443, 6443));
  expect(ports('a Redis elsewhere')).toEqual(tcp(22, 80, 443, 6443, 26380, 26379, 6379));
  expect(ports('alerts to many places')).toEqual(tcp(22, 80, 443, 6443, 587, 2525, 9093, 8443, 7999, 3128));
  expect((ports('ids that the cluster gives') as readonly unknown[]).slice(0, 4)).toEqual([...dns(53), ...dns(5353)]);
  expect(at(ofKind('everything at once', 'NetworkPolicy')[0], 'spec.policyTypes')).toEqual(['Ingress']);
});

describe('where pods run', () => {
  const kinds = ['Deployment', 'Pod', 'StatefulSet'] as const;
  const specsOf = ({ objects }: Template, key: string): unknown => kinds.map((kind) => at(objects.find((object) => object.kind === kind), kind === 'Pod' ? `spec.${key}` : `spec.template.spec.${key}`));
  const withRedis = (values: { readonly redis?: object }): Promise<Template> => helmTemplate('gitops', { ...matrix['a Redis with it'], ...values, redis: { enabled: true, existingSecret: 'redis', ...values.redis } });
  const [ours, its] = [[{ key: 'infra', operator: 'Exists' }], [{ key: 'data', operator: 'Exists' }]];
  const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };

  test.each<[string, string, { readonly redis?: object }, readonly unknown[]]>([
    ['nodes are those of nodeSelector, for all', 'nodeSelector', { nodeSelector: { disk: 'a' } } as object, [{ disk: 'a' }, { disk: 'a' }, { disk: 'a' }]],
    ['Redis has nodes of its own where it is said', 'nodeSelector', { nodeSelector: { disk: 'a' }, redis: { nodeSelector: { disk: 'b' } } } as object, [{ disk: 'a' }, { disk: 'a' }, { disk: 'b' }]],
    ['taints are tolerated by all', 'tolerations', { tolerations: ours } as object, [ours, ours, ours]],
    ['Redis tolerates others where it is said', 'tolerations', { tolerations: ours, redis: { tolerations: its } } as object, [ours, ours, its]],
    ['affinity is that of agents', 'affinity', { affinity } as object, [affinity, affinity, undefined]],
    ['Redis has an affinity of its own', 'affinity', { redis: { affinity } }, [expect.objectContaining({ podAntiAffinity: expect.anything() as unknown }), undefined, affinity]],
  ])('%s', async (_, key, values, wanted) => {
    expect(specsOf(await withRedis(values), key)).toEqual(wanted);
  });

  test.each<[object, unknown]>([
    [{}, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }],
    [{ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }],
    [{ strategy: { type: 'Recreate' } }, { type: 'Recreate' }],
  ])('with %j agents are replaced as it says', async (values, strategy) => {
    const { objects } = await helmTemplate('gitops', { ...matrix['as it comes'], ...values });
    expect(at(objects.find(({ kind }) => kind === 'Deployment'), 'spec.strategy')).toEqual(strategy);
  });

  const always = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  const ids = (id: number): object => ({ runAsUser: id, runAsGroup: id, fsGroup: id });
  const none = { runAsUser: null, runAsGroup: null, fsGroup: null };

  test.each<[{ readonly redis?: object }, object, object]>([
    [{}, { ...always, ...ids(65_532) }, { ...always, ...ids(999) }],
    [{ podSecurityContext: none } as object, always, { ...always, ...ids(999) }],
    [{ redis: { podSecurityContext: none } }, { ...always, ...ids(65_532) }, always],
    [{ podSecurityContext: null, redis: { podSecurityContext: null } } as object, always, always],
    // The ids of OpenShift are that long.
    [{ podSecurityContext: { ...ids(1_000_650_000), seccompProfile: { type: 'Localhost', localhostProfile: 'a' } } } as object, { ...always, ...ids(1_000_650_000), seccompProfile: { type: 'Localhost', localhostProfile: 'a' } }, { ...always, ...ids(999) }],
  ])('with %j pods have these ids, and never those of root', async (values, agent, redis) => {
    expect(specsOf(await withRedis(values), 'securityContext')).toEqual([agent, agent, redis]);
  });
});

describe('helm test', () => {
  test.each<[readonly string[], Readonly<Record<string, number>>, readonly string[], number]>([
    [[], { '': 0 }, [''], 0],
    [[], { '': 4 }, [''], 4],
    [['shop'], { shop: 3 }, ['shop'], 0],
    [['shop', 'search'], { shop: 0, search: 3 }, ['shop', 'search'], 0],
    [['shop', 'search', 'pay'], { shop: 3, search: 4, pay: 0 }, ['shop', 'search', 'pay'], 4],
  ])('asks the doctor of each of %j, whose answers %j are one: %j, %d', async (namespaces, codes, asked, status) => {
    const { objects } = await helmTemplate('gitops', { ...matrix['as it comes'], applications: { namespaces } });
    const container = at(objects.find(({ kind }) => kind === 'Pod'), 'spec.containers.0');
    await using folder = await tempFolder();
    const log = join(folder.path, 'asked');
    const answers = Object.entries(codes).map(([name, code]) => `"doctor --as-agent${name === '' ? '' : ` --namespace ${name}`}") echo "${name}" >> ${log}; exit ${code};;`);
    await writeProgram(join(folder.path, 'setpoint'), `case "$*" in ${answers.join(' ')} *) exit 9;; esac`);
    expect(at(container, 'command')).toEqual(['/nodejs/bin/node', '-e']);
    const ran = spawnSync(process.execPath, ['-e', ...(at(container, 'args') as readonly string[])], { encoding: 'utf8', env: { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` } });
    expect(ran).toMatchObject({ status, stderr: '' });
    expect(readFileSync(log, 'utf8').split('\n').slice(0, -1)).toEqual(asked);
  });
});

test('a Redis that begins to keep its data is another StatefulSet, behind the same Service', () => {
  const names = (name: string): unknown => [ofKind(name, 'StatefulSet')[0]?.metadata.name, at(ofKind(name, 'StatefulSet')[0], 'spec.serviceName')];
  expect(names('a Redis with it')).toEqual(['setpoint-redis-memory', 'setpoint-redis']);
  expect(names('a Redis with a volume')).toEqual(['setpoint-redis', 'setpoint-redis']);
});

test('the name of a Redis leaves room for the hash that its pods have in a label, and two long ones stay two', async () => {
  const name = async (fullnameOverride: string): Promise<string> => {
    const { objects } = await helmTemplate('gitops', { ...matrix['a Redis with it'], fullnameOverride });
    return objects.find(({ kind }) => kind === 'StatefulSet')?.metadata.name ?? '';
  };
  const [one, other] = [await name(`${'a'.repeat(49)}b`), await name(`${'a'.repeat(49)}c`)];
  expect(one).not.toBe(other);
  expect(`${one}-0123456789`.length).toBeLessThanOrEqual(63);
  expect(await name('a'.repeat(38))).toBe(`${'a'.repeat(38)}-redis-memory`);
});

test('whom Redis lets in are the agent and helm test', () => {
  const from = at(ofKind('a Redis with it', 'NetworkPolicy').find(({ metadata }) => metadata.name === 'setpoint-redis'), 'spec.ingress.0.from') as readonly JsonObject[];
  expect(from.map((peer) => valueAt(peer, ['podSelector', 'matchLabels', 'app.kubernetes.io/component']))).toEqual(['agent', 'doctor']);
});

test('Secrets of a namespace that is named twice are in one Role', () => {
  const roles = ofKind('sync in two namespaces', 'Role').filter(({ metadata }) => metadata.name.endsWith('-secrets'));
  expect(roles.map((role) => at(role, 'rules.0.resourceNames'))).toEqual([['keys', 'other.keys', 'more']]);
});

test.each([
  [{}, [['get'], ['list', 'watch']]],
  [{ cascade: false }, [['list', 'watch']]],
  [{ noticeNewKinds: false }, []],
  [{ noticeNewKinds: false, level: 'sync-everywhere', clusterKinds: { 'apiextensions.k8s.io': null } }, [['get']]],
  [{ noticeNewKinds: false, level: 'sync-namespaces', namespaces: ['shop'] }, [['get']]],
  [{ noticeNewKinds: false, level: 'sync-namespaces', namespaces: ['shop'], cascade: false }, []],
])('with rbac %j definitions may be read as far as noticing new ones and the end of Applications take it', async (rbac, verbs) => {
  const { objects } = await helmTemplate('gitops', { ...matrix['as it comes'], rbac });
  const kinds = objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('-kinds'));
  const rules = ((at(kinds, 'rules') as readonly JsonObject[] | undefined) ?? []).filter((rule) => JSON.stringify(rule['resources']) === '["customresourcedefinitions"]');
  expect(rules.map((rule) => rule['verbs'])).toEqual(verbs);
  expect(rules.flatMap((rule) => rule['resourceNames'] ?? [])).toEqual(verbs.some(([first]) => first === 'get') ? ['applications.setpoint.dev'] : []);
});

test('alerts about the agent ask for the job that is named, and for that of the ServiceMonitor otherwise', async () => {
  const texts = async (prometheusRule: object, serviceMonitor: object): Promise<readonly string[]> => {
    const { objects } = await helmTemplate('gitops', { ...matrix['as it comes'], prometheusRule: { enabled: true, ...prometheusRule }, serviceMonitor });
    const rules = at(objects.find(({ kind }) => kind === 'PrometheusRule'), 'spec.groups.0.rules') as readonly JsonObject[];
    return rules.map((rule) => rule['expr'] as string);
  };
  expect(await texts({}, { enabled: true })).toEqual([
    '(sum(setpoint_leader{job="setpoint-metrics",namespace="gitops"}) or vector(0)) != 1',
    'setpoint_app_sync_status{job="setpoint-metrics",status="Unknown"} == 1',
    'max(setpoint_queue_oldest_job_seconds{job="setpoint-metrics",queue="looks"}) > 60',
    'time() - setpoint_alert_destination_failing_since_timestamp_seconds{job="setpoint-metrics",namespace="gitops"} > 900',
    'setpoint_alert_dead_letters{job="setpoint-metrics",namespace="gitops"} > 0',
  ]);
  expect(await texts({ job: 'mine' }, {})).toEqual([
    '(sum(setpoint_leader{job="mine"}) or vector(0)) != 1',
    'setpoint_app_sync_status{job="mine",status="Unknown"} == 1',
    'max(setpoint_queue_oldest_job_seconds{job="mine",queue="looks"}) > 60',
    'time() - setpoint_alert_destination_failing_since_timestamp_seconds{job="mine"} > 900',
    'setpoint_alert_dead_letters{job="mine"} > 0',
  ]);
});

test.each([
  [{}, 'It changes nothing in the cluster, whatever they ask for: rbac.level is read-only.', 'setpoint doctor --as-agent\n'],
  [{ rbac: { create: false } }, 'What it may do is up to the roles that you bind to its account, setpoint: rbac.create is false.', 'setpoint doctor --as-agent\n'],
  [{ applications: { namespaces: ['shop', 'search'] } }, 'It changes nothing in the cluster', ' deploy/setpoint -- setpoint doctor --as-agent -n shop\n  kubectl exec -n gitops deploy/setpoint -- setpoint doctor --as-agent -n search\n'],
])('after an install with %j its rights and the next command are said', async (values, rights, command) => {
  const { stdout } = await helm(['install', 'setpoint', chartFolder, '-n', 'gitops', '--dry-run=client', '--hide-notes=false'], { ...matrix['as it comes'], ...values });
  expect(stdout.slice(stdout.indexOf('NOTES:'))).toContain(rights);
  expect(stdout.slice(stdout.indexOf('NOTES:'))).toContain(command);
});

test('a label or annotation that the chart gives, too, is there once and as it was said, but for what selectors go by', async () => {
  const labels = { 'app.kubernetes.io/part-of': 'platform', 'app.kubernetes.io/component': 'mine', 'team': 'a' };
  const podAnnotations = { 'kubectl.kubernetes.io/default-container': 'other', 'more': 'yes' };
  const { text, objects } = await helmTemplate('gitops', { ...matrix['as it comes'], podLabels: labels, podAnnotations, serviceMonitor: { enabled: true, labels }, prometheusRule: { enabled: true, labels } });
  expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([]);
  const template = at(objects.find(({ kind }) => kind === 'Deployment'), 'spec.template.metadata');
  const labelled = [at(template, 'labels'), ...['ServiceMonitor', 'PrometheusRule'].map((name) => objects.find(({ kind }) => kind === name)?.metadata.labels)];
  for (const each of labelled) expect(each).toMatchObject({ 'app.kubernetes.io/part-of': 'platform', 'app.kubernetes.io/component': 'agent', 'app.kubernetes.io/instance': 'setpoint', 'app.kubernetes.io/version': '0.1.0', 'team': 'a' });
  expect(at(template, 'annotations')).toEqual({ ...podAnnotations, 'checksum/config': expect.stringMatching(/^[0-9a-f]{64}$/) as string });
});

test('a budget for disruptions is only where two replicas are', () => {
  expect(cases.filter((name) => ofKind(name, 'PodDisruptionBudget').length > 0)).toEqual(['two replicas', 'everything at once']);
});

test('alerts about the agent are made of metrics that it has', () => {
  const groups = at(ofKind('metrics', 'PrometheusRule')[0], 'spec.groups');
  const names = [...JSON.stringify(groups).matchAll(/\bsetpoint_\w+/g)].map(([name]) => name);
  const known = readFileSync(join(chartFolder, '..', '..', 'docs', 'metrics.md'), 'utf8');
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !known.includes(`\`${name}\``))).toEqual([]);
});

describe('the password of the Redis', () => {
  const container = (): Json | undefined => at(ofKind('a Redis with a volume', 'StatefulSet')[0], 'spec.template.spec.containers.0');
  const endings = [['as it is', ''], ['with a line break', '\n'], ['with a line break of Windows', '\r\n']] as const;

  test('is the one of the start, from the environment: a Secret that is changed moves neither server nor probes', () => {
    expect(at(container(), 'env')).toEqual([{ name: 'REDISCLI_AUTH', valueFrom: { secretKeyRef: { name: 'redis', key: 'password' } } }]);
    const volumes = at(ofKind('a Redis with a volume', 'StatefulSet')[0], 'spec.template.spec.volumes') as readonly JsonObject[];
    expect(volumes.filter((volume) => 'secret' in volume || 'projected' in volume)).toEqual([]);
  });

  test.each(endings)('is not on its command line: %s', async (_, ending) => {
    await using folder = await tempFolder();
    const [, , script] = at(container(), 'command') as readonly string[];
    const config = at(ofKind('a Redis with a volume', 'ConfigMap').find(({ metadata }) => metadata.name === 'setpoint-redis'), 'data') as Readonly<Record<string, string>>;
    await writeFile(join(folder.path, 'valkey.conf'), config['valkey.conf'] ?? '');
    await writeProgram(join(folder.path, 'valkey-server'), 'echo "arguments: $*"; cat');
    const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, REDISCLI_AUTH: `canary4711${ending}` };
    const shown = spawnSync('sh', ['-c', (script ?? '').replace('/etc/valkey', folder.path)], { encoding: 'utf8', env }).stdout;
    expect(shown.split('\n')).toEqual(['arguments: -', 'maxmemory 96mb', 'maxmemory-policy noeviction', 'dir /data', 'save ""', 'appendonly yes', 'requirepass canary4711', '']);
  });

  test.each(endings)('is what the probes ask with, and another one fails them: %s', async (_, ending) => {
    await using folder = await tempFolder();
    await writeProgram(join(folder.path, 'valkey-cli'), 'if [ "$REDISCLI_AUTH $*" = "canary4711 ping" ]; then echo PONG; else echo NOAUTH; fi');
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const [file = '', ...args] = at(container(), `${probe}.exec.command`) as readonly string[];
      expect(args.join(' ')).not.toContain('canary');
      const status = (password: string): number | null => spawnSync(file, args, { env: { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, REDISCLI_AUTH: password } }).status;
      expect([status(`canary4711${ending}`), status(`other${ending}`)]).toEqual([0, 1]);
    }
  });
});
