import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import { managedOf } from '../../../src/cli/doctor-applications.ts';
import { exitCodeOfChecks, failure, fine, warning, type Check } from '../../../src/cli/doctor-check.ts';
import { judgeServer } from '../../../src/cli/doctor-cluster.ts';
import { needsOfAgent, needsOfManaged, needsOfUser, type Managed, type Need } from '../../../src/cli/doctor-needs.ts';
import { checkRights } from '../../../src/cli/doctor-rights.ts';
import { checkText } from '../../../src/cli/doctor.ts';
import type { Right } from '../../../src/cluster/index.ts';
import { resourceKey, type JsonObject, type ServedKind } from '../../../src/model/index.ts';

const signal = new AbortController().signal;
const served = (group: string, kind: string, resource: string, namespaced = true): ServedKind => ({ group, version: 'v1', kind, resource, namespaced, hasStatus: true });
const deployments = served('apps', 'Deployment', 'deployments');
const secrets = served('', 'Secret', 'secrets');
const namespaces = served('', 'Namespace', 'namespaces', false);

function managed(kind: ServedKind, name: string, parts: { readonly namespace?: string; readonly acts?: boolean; readonly deletes?: boolean } = {}): Managed {
  const { namespace = 'shop', acts = false, deletes = false } = parts;
  return { key: resourceKey({ group: kind.group, kind: kind.kind, namespace: kind.namespaced ? namespace : '', name }), kind, acts, deletes };
}

const shown = (needs: readonly Need[]): readonly string[] => needs.map(({ right: { verb, group, resource, subresource, namespace, name }, level }) => [level, verb, [resource, group].filter(Boolean).join('.') + (subresource === undefined ? '' : `/${subresource}`), name ?? '*', namespace ?? '-'].join(' '));

describe('what comparing takes', () => {
  test('each kind in each namespace once; applying takes more', () => {
    expect(shown(needsOfManaged([managed(deployments, 'a'), managed(deployments, 'b'), managed(deployments, 'c', { namespace: 'prod', acts: true })]))).toEqual([
      'failure get deployments.apps * shop',
      'warning list deployments.apps * shop',
      'warning watch deployments.apps * shop',
      'warning patch deployments.apps * shop',
      'failure get deployments.apps * prod',
      'warning list deployments.apps * prod',
      'warning watch deployments.apps * prod',
      'failure patch deployments.apps * prod',
      'failure create deployments.apps * prod',
    ]);
  });

  test('one that is kept in sync outweighs one that is only compared, in either order', () => {
    for (const objects of [[managed(deployments, 'a', { acts: true }), managed(deployments, 'b')], [managed(deployments, 'b'), managed(deployments, 'a', { acts: true })]]) {
      expect(shown(needsOfManaged(objects))).toContain('failure patch deployments.apps * shop');
    }
  });

  test('Secrets by name only, and no dry run of them', () => {
    expect(shown(needsOfManaged([managed(secrets, 'keys')]))).toEqual(['failure get secrets keys shop', 'warning list secrets keys shop', 'warning watch secrets keys shop']);
    expect(shown(needsOfManaged([managed(secrets, 'keys', { acts: true })]))).toEqual([
      'failure get secrets keys shop',
      'warning list secrets keys shop',
      'warning watch secrets keys shop',
      'failure patch secrets keys shop',
      'failure create secrets * shop',
    ]);
  });

  test('deleting takes a right of its own, of a Secret by its name', () => {
    expect(shown(needsOfManaged([managed(deployments, 'a', { acts: true, deletes: true }), managed(secrets, 'keys', { deletes: true })])).filter((line) => line.includes(' delete '))).toEqual([
      'warning delete deployments.apps * shop',
      'warning delete secrets keys shop',
    ]);
  });

  test('objects of the whole cluster have no namespace', () => {
    expect(shown(needsOfManaged([managed(namespaces, 'shop')]))[0]).toBe('failure get namespaces * -');
  });
});

test.each<[string, JsonObject, readonly string[]]>([
  ['says nothing of it', {}, []],
  ['prunes', { syncPolicy: { automated: { prune: true } } }, ['deletes']],
  ['would prune, and does nothing by itself', { syncPolicy: { automated: { enabled: false, prune: true } } }, []],
  ['takes its objects with it', { deletionPolicy: 'Cascade' }, ['deletes']],
])('whether an Application deletes anything: one that %s', (_name, more, deletes) => {
  const status = { resources: [{ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web', type: 'changed', since: '2026-01-01T00:00:00Z' }] };
  const object = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace: 'shop' }, spec: { source: { repoURL: 'https://git.example.com/fleet', path: 'web' }, destination: { namespace: 'shop' }, ...more }, status };
  const read = readApplication(object);
  if (read.type !== 'application') throw new Error(read.messages.join());
  const kinds = { kubeVersion: () => Promise.resolve('v1.36.3'), apiVersions: ['apps/v1/Deployment'], lookUp: () => ({ type: 'served', kind: deployments }) as const };
  const found = managedOf({ objects: [object], specs: [read.spec], namespaces: ['shop'], checks: [] }, kinds, new Date(0));
  expect(found.map((each) => [each.key, ...(each.deletes ? ['deletes'] : [])])).toEqual([['apps/Deployment/shop/web', ...deletes]]);
});

test('what the agent takes', () => {
  expect(shown(needsOfAgent({ namespaces: [undefined], cascades: true, agentNamespace: 'setpoint', lease: 'one' }))).toEqual([
    'failure get applications.setpoint.dev * -',
    'failure list applications.setpoint.dev * -',
    'failure watch applications.setpoint.dev * -',
    'failure update applications.setpoint.dev/status * -',
    'warning patch applications.setpoint.dev * -',
    'warning create events.events.k8s.io * -',
    'warning patch events.events.k8s.io * -',
    'failure get leases.coordination.k8s.io one setpoint',
    'failure create leases.coordination.k8s.io * setpoint',
    'failure patch leases.coordination.k8s.io one setpoint',
    'failure get secrets setpoint-agent setpoint',
    'warning get configmaps setpoint-silences setpoint',
    'failure create secrets * setpoint',
    'warning get customresourcedefinitions.apiextensions.k8s.io applications.setpoint.dev -',
    'warning list customresourcedefinitions.apiextensions.k8s.io * -',
    'warning watch customresourcedefinitions.apiextensions.k8s.io * -',
    'warning list apiservices.apiregistration.k8s.io * -',
    'warning watch apiservices.apiregistration.k8s.io * -',
    'warning list mutatingwebhookconfigurations.admissionregistration.k8s.io * -',
    'warning watch mutatingwebhookconfigurations.admissionregistration.k8s.io * -',
    'warning list validatingwebhookconfigurations.admissionregistration.k8s.io * -',
    'warning watch validatingwebhookconfigurations.admissionregistration.k8s.io * -',
  ]);
});

test('the right to see whether all Applications are going is asked for where the objects of one go with it', () => {
  const definition = (cascades: boolean): readonly string[] => shown(needsOfAgent({ namespaces: ['shop'], cascades, agentNamespace: 'setpoint', lease: 'one' })).filter((line) => line.includes(' get customresourcedefinitions'));
  expect(definition(true)).toEqual(['warning get customresourcedefinitions.apiextensions.k8s.io applications.setpoint.dev -']);
  expect(definition(false)).toEqual([]);
});

describe('rights', () => {
  const asked: Right[] = [];
  const allowing = (allows: (right: Right) => boolean): { may(right: Right): Promise<boolean> } => ({
    may(right) {
      asked.push(right);
      return Promise.resolve(allows(right));
    },
  });
  const needs = [...needsOfUser(['shop']), ...needsOfManaged([managed(deployments, 'a'), managed(secrets, 'keys')])];
  const check = async (allows: (right: Right) => boolean): Promise<readonly Check[]> => {
    asked.length = 0;
    return checkRights(allowing(allows), needs, signal);
  };

  test('who may do everything is asked about once', async () => {
    expect((await check(() => true)).map(({ level, text }) => `${level} ${text}`)).toEqual([
      'fine may get, list, watch, patch applications.setpoint.dev in namespace shop',
      'fine may get, list, watch, patch deployments.apps in namespace shop',
      'fine may get, list, watch secrets keys in namespace shop',
    ]);
    expect(asked).toHaveLength(1);
  });

  test('who may do everything in a namespace is asked about twice', async () => {
    expect((await check(({ namespace }) => namespace === 'shop')).every(({ level }) => level === 'fine')).toBe(true);
    expect(asked).toHaveLength(2);
  });

  test('each missing right is named with its verb, resource and namespace, what it costs and how to give it', async () => {
    const checks = await check(({ verb, resource }) => verb === 'get' && resource !== 'secrets');
    expect(checks.filter(({ level }) => level !== 'fine')).toEqual([
      ...[['list', 'setpoint status does not work', 'failure'], ['watch', 'setpoint status --watch does not work', 'warning'], ['patch', 'setpoint refresh, pause and resume do not work', 'warning']].map(([verb, without, level]) => ({
        level,
        about: 'rights',
        text: `may not ${verb} applications.setpoint.dev in namespace shop: ${without}`,
        advice: `kubectl create role NAME -n shop --verb=${verb} --resource=applications.setpoint.dev, and bind it`,
        isDenial: true,
      })),
      { level: 'warning', about: 'rights', text: 'may not list, watch deployments.apps in namespace shop: they are read one by one at every look, and changes have no exact time', advice: 'kubectl create role NAME -n shop --verb=list --verb=watch --resource=deployments.apps, and bind it', isDenial: true },
      { level: 'warning', about: 'rights', text: 'may not patch deployments.apps in namespace shop: what only the server can tell is Unknown', advice: 'kubectl create role NAME -n shop --verb=patch --resource=deployments.apps, and bind it', isDenial: true },
      { level: 'failure', about: 'rights', text: 'may not get secrets keys in namespace shop: such objects are Unknown', advice: 'kubectl create role NAME -n shop --verb=get --resource=secrets --resource-name=keys, and bind it', isDenial: true },
      { level: 'warning', about: 'rights', text: 'may not list, watch secrets keys in namespace shop: they are read one by one at every look, and changes have no exact time', advice: 'kubectl create role NAME -n shop --verb=list --verb=watch --resource=secrets --resource-name=keys, and bind it', isDenial: true },
    ]);
  });

  test('nothing is asked where nothing is needed', async () => {
    asked.length = 0;
    expect(await checkRights(allowing(() => false), [], signal)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe('the server', () => {
  const facts = { version: 'v1.36.3', roundTripMs: 4.2, clockAheadMs: 300 };
  test.each([
    ['as it should be', facts, ['fine', 'fine']],
    ['just new enough', { ...facts, version: 'v1.27.0-eks-abc' }, ['fine', 'fine']],
    ['too old', { ...facts, version: 'v1.26.15' }, ['failure', 'fine']],
    ['of no version that one can read', { ...facts, version: 'unknown' }, ['failure', 'fine']],
    ['far away', { ...facts, roundTripMs: 1500 }, ['warning', 'fine']],
    ['of another time', { ...facts, clockAheadMs: -6000 }, ['fine', 'warning']],
    ['of nearly the same time', { ...facts, clockAheadMs: 5000 }, ['fine', 'fine']],
    ['without a clock', { ...facts, clockAheadMs: undefined }, ['fine', 'warning']],
  ])('%s', (_name, seen, levels) => {
    expect(judgeServer(seen, 'https://h').map(({ level }) => level)).toEqual(levels);
  });

  test('says which clock is ahead', () => {
    expect(judgeServer({ ...facts, clockAheadMs: 12_400 }, 'h')[1]?.text).toMatch(/^is 12 s behind the cluster’s/);
    expect(judgeServer({ ...facts, clockAheadMs: -12_400 }, 'h')[1]?.text).toMatch(/^is 12 s ahead of the cluster’s/);
  });
});

const denial: Check = { ...failure('rights', 'x'), isDenial: true };

test.each<[number, string, readonly Check[]]>([
  [0, 'all is well', [fine('a', 'x')]],
  [3, 'warnings only', [fine('a', 'x'), warning('a', 'x')]],
  [3, 'a right that one can do without', [{ ...denial, level: 'warning' }]],
  [2, 'a failure', [failure('a', 'x'), warning('a', 'x')]],
  [4, 'rights alone', [denial, warning('a', 'x')]],
  [2, 'rights and something else', [denial, failure('a', 'x')]],
])('%i: %s', (code, _name, checks) => {
  expect(exitCodeOfChecks(checks)).toBe(code);
});

test('a check is a line, its advice another, and neither steers the terminal', () => {
  const colors = picocolors.createColors(false);
  expect(checkText(warning('clock', 'is\n wrong', 'set it'), colors)).toBe('! clock         is wrong\n                → set it\n');
  expect(checkText(failure('git', '\u001B[2J'), colors)).toBe('✗ git           \\u001b[2J\n');
  expect(checkText(fine('cluster', 'ok'), colors)).toBe('✓ cluster       ok\n');
});
