import { expect, test } from 'vitest';
import { compareObjects, tagWith } from '../../../src/diff/index.ts';
import type { JsonObject, KubeObject } from '../../../src/model/index.ts';
import { liveOf, manifestOf } from './fixtures.ts';

function pod(spec: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop', ...metadata }, spec };
}

function entry(manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject {
  return { manager, operation: 'Update', fieldsV1, ...more };
}

const desired = pod({ containers: [{ name: 'app', image: 'a:1', ports: [{ containerPort: 80 }] }] });
const env = [{ name: 'X', value: '1' }];
const envOwned = { 'f:env': { '.': {}, 'k:{"name":"X"}': { '.': {}, 'f:name': {}, 'f:value': {} } } };

function foreign(spec: JsonObject, entries: readonly JsonObject[], metadata: JsonObject = {}): readonly string[] {
  const live = pod(spec, { ...metadata, managedFields: entries });
  const diff = compareObjects(manifestOf(desired), { live: liveOf(live), predicted: live, hasStatus: true, schema: undefined, tag: tagWith('test') });
  return 'foreign' in diff ? diff.foreign.map(({ display, owners }) => `${display} ${owners.map(({ manager }) => manager).join('+')}`) : [];
}

const inApp = (fields: JsonObject): JsonObject => ({ 'f:spec': { 'f:containers': { 'k:{"name":"app"}': fields } } });
const app = { name: 'app', image: 'a:1', ports: [{ containerPort: 80, protocol: 'TCP' }] };

test.each<[string, readonly string[], readonly string[]]>([
  ['an environment added with kubectl', foreign({ containers: [{ ...app, env }] }, [entry('kubectl-set', inApp(envOwned))]), ['spec.containers[name=app].env kubectl-set']],
  ['a container beside ours', foreign({ containers: [app, { name: 'dbg' }] }, [entry('kubectl-edit', { 'f:spec': { 'f:containers': { 'k:{"name":"dbg"}': { '.': {}, 'f:name': {} } } } })]), ['spec.containers[name=dbg] kubectl-edit']],
  ['a label', foreign({ containers: [app] }, [entry('kubectl-label', { 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } })], { labels: { x: '1' } }), ['metadata.labels kubectl-label']],
  ['two people, one field', foreign({ containers: [app], paused: true }, [entry('k9s', { 'f:spec': { 'f:paused': {} } }), entry('Lens', { 'f:spec': { 'f:paused': {} } })]), ['spec.paused k9s+Lens']],
  ['scaled by hand', foreign({ containers: [app], replicas: 5 }, [entry('kubectl', { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' })]), ['spec.replicas kubectl']],
])('is reported: %s', (_name, found, expected) => {
  expect(found).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['what a controller wrote', foreign({ containers: [app], nodeName: 'n' }, [entry('kube-scheduler', { 'f:spec': { 'f:nodeName': {} } })])],
  ['what an applier of another tool owns', foreign({ containers: [app], paused: true }, [entry('kubectl', { 'f:spec': { 'f:paused': {} } }, { operation: 'Apply' })])],
  ['defaults of an object that was made with kubectl create', foreign({ containers: [app], dnsPolicy: 'ClusterFirst' }, [entry('kubectl-create', { 'f:spec': { 'f:dnsPolicy': {} } })])],
  ['a field that Git has too: that is compared', foreign({ containers: [{ ...app, image: 'a:2' }] }, [entry('kubectl-set', inApp({ 'f:image': {} }))])],
  ['an item that Git has with a key left to its default', foreign({ containers: [app] }, [entry('kubectl-edit', inApp({ 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } } }))])],
  ['status', foreign({ containers: [app] }, [entry('kubectl-edit', { 'f:status': { 'f:phase': {} } })], {})],
  ['what is recorded and no longer there', foreign({ containers: [app] }, [entry('kubectl-edit', { 'f:spec': { 'f:paused': {} } })])],
  ['kubectl\'s own bookkeeping', foreign({ containers: [app] }, [entry('kubectl-edit', { 'f:metadata': { 'f:annotations': { 'f:kubectl.kubernetes.io/last-applied-configuration': {} } } })], { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } })],
])('is not reported: %s', (_name, found) => {
  expect(found).toEqual([]);
});
