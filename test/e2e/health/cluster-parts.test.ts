import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import { compileHealthRules } from '../../../src/health/rules/compile-health-rules.ts';
import type { KubeObject } from '../../../src/model/index.ts';
import { sharedCluster } from '../../support/test-run/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { isHealthy, says, stage, workload } from './scene.ts';

const cluster = sharedCluster();

describe.concurrent('the parts of a cluster', () => {
  test('a Service waits for a load balancer, an Ingress does not', async () => {
    await using scene = await stage(cluster);
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/none', ports: [{ port: 80 }] } };
    const ingress = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'web' }, spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } };
    await scene.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service, ingress] }));
    expect(await scene.healthWhen({ kind: 'service', name: 'web' }, () => true)).toEqual({ status: 'Progressing', message: 'no load balancer of class example.com/none has given it an address' });
    expect((await scene.healthWhen({ kind: 'service', name: 'web' }, () => true, { progressingSince: new Date(0) })).status).toBe('Degraded');
    expect(await scene.healthWhen({ kind: 'ingress', name: 'web' }, () => true)).toEqual({ status: 'Healthy', message: 'no controller has written an address' });
    const loadBalancer = { ingress: [{ ip: '192.0.2.10' }] };
    await scene.setStatus('service', 'web', { loadBalancer });
    expect(await scene.healthWhen({ kind: 'service', name: 'web' }, () => true)).toEqual({ status: 'Healthy' });
  });

  test('a claim waits for a pod or for its provisioner, and is Healthy when bound', async () => {
    await using scene = await stage(cluster);
    const id = randomBytes(4).toString('hex');
    const storageClass = (name: string, volumeBindingMode: string) => ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: `${name}-${id}` }, provisioner: 'example.com/disk', volumeBindingMode });
    const size = { resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] };
    const claim = (name: string) => ({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: scene.namespace }, spec: { ...size, storageClassName: `${name}-${id}` } });
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `disk-${id}` }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: `bound-${id}`, persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: '/nowhere' } } };
    const everywhere = [storageClass('later', 'WaitForFirstConsumer'), storageClass('now', 'Immediate'), volume];
    await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...everywhere, claim('later'), claim('now'), claim('bound')] }));
    try {
      expect(await scene.healthWhen({ kind: 'pvc', name: 'bound' }, isHealthy)).toEqual({ status: 'Healthy' });
      expect(await scene.healthWhen({ kind: 'pvc', name: 'now' }, says('provisioner'))).toEqual({ status: 'Progressing', message: 'provisioner example.com/disk has made no volume yet' });
      const waits = await waitFor(async () => (await scene.kubectl('get', 'events', '--field-selector', 'reason=WaitForFirstConsumer', '-o', 'name')) === '' ? undefined : scene.live('pvc', 'later'), { what: 'the claim to wait' });
      expect(healthOf(waits, { now: new Date(), progressingSince: new Date(0) }).status).toBe('Suspended');
      await scene.kubectl('delete', 'pv', `disk-${id}`, '--wait=false');
      await scene.kubectl('patch', 'pv', `disk-${id}`, '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
      expect((await scene.healthWhen({ kind: 'pvc', name: 'bound' }, ({ status }) => status === 'Degraded')).message).toBe('the volume it was bound to is gone');
    } finally {
      await cluster.kubectl(['delete', 'pv,storageclass', '--ignore-not-found', '--wait=false', `disk-${id}`, `later-${id}`, `now-${id}`]);
    }
  });

  test('an autoscaler without metrics is Progressing for a time, then Degraded', async () => {
    await using scene = await stage(cluster);
    const autoscaler = (name: string) => ({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name }, spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }] } });
    await scene.apply(workload('Deployment', 'web', { replicas: 1 }));
    await scene.apply(workload('Deployment', 'off', { replicas: 0 }));
    await scene.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ['web', 'off', 'gone'].map(autoscaler) }));
    // Its controller comes round every 15 s.
    await scene.kubectl('wait', 'hpa/web', 'hpa/off', '--for=condition=ScalingActive=false', '--timeout=50s');
    const blind = await scene.healthWhen({ kind: 'hpa.v2.autoscaling', name: 'web' }, says('FailedGetResourceMetric'));
    expect(blind.status).toBe('Progressing');
    expect(await scene.healthWhen({ kind: 'hpa.v1.autoscaling', name: 'web' }, () => true)).toEqual(blind);
    const later = { now: new Date(Date.now() + 15 * 60_000) };
    expect((await scene.healthWhen({ kind: 'hpa.v2.autoscaling', name: 'web' }, () => true, later)).status).toBe('Degraded');
    expect((await scene.healthWhen({ kind: 'hpa.v2.autoscaling', name: 'off' }, says('ScalingDisabled'))).status).toBe('Suspended');
    expect((await scene.healthWhen({ kind: 'hpa.v2.autoscaling', name: 'gone' }, says('FailedGetScale'))).status).toBe('Progressing');
  });

  test('a disruption budget that allows none is Healthy', async () => {
    await using scene = await stage(cluster);
    await scene.apply(workload('Deployment', 'web', { replicas: 1 }));
    await scene.apply(JSON.stringify({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } }));
    const none = await scene.healthWhen({ kind: 'pdb', name: 'web' }, says('allows no disruption'));
    expect(none).toEqual({ status: 'Healthy', message: 'allows no disruption now: 0 pods are healthy, 1 have to be' });
  });

  test('a definition is Healthy when established and Degraded when its names are taken; its objects go by the conventions or a rule', async () => {
    await using scene = await stage(cluster);
    const group = `h${randomBytes(4).toString('hex')}.example.com`;
    const definition = (plural: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: 'Namespaced', names: { plural, kind: 'Widget' }, versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }] },
    });
    await cluster.apply(JSON.stringify(definition('widgets')));
    try {
      await scene.healthWhen({ kind: 'crd', name: `widgets.${group}` }, isHealthy);
      await cluster.apply(JSON.stringify(definition('gadgets')));
      expect(await scene.healthWhen({ kind: 'crd', name: `gadgets.${group}` }, ({ status }) => status === 'Degraded')).toMatchObject({ message: expect.stringContaining('its names are not accepted: ') as string });
      const widget = { kind: `widgets.${group}`, name: 'one' };
      await waitFor(() => scene.apply(JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'one' }, spec: { parts: 3 } })).then(() => true), { what: 'the kind to be served' });
      expect(await scene.healthWhen(widget, () => true)).toEqual({ status: 'Healthy' });
      await scene.setStatus(widget.kind, 'one', { observedGeneration: 1, parts: 2, conditions: [{ type: 'Ready', status: 'False', reason: 'Building' }] });
      expect(await scene.healthWhen(widget, () => true)).toEqual({ status: 'Progressing', message: 'Ready is False: Building' });
      const { rules } = compileHealthRules([{ kind: `${group}/Widget`, degraded: 'object.status.parts < object.spec.parts', message: 'string(object.spec.parts - object.status.parts) + " parts are missing"' }]);
      expect(await scene.healthWhen(widget, () => true, { rules })).toEqual({ status: 'Degraded', message: '1 parts are missing' });
      await scene.setStatus(widget.kind, 'one', { conditions: [{ type: 'Ready', status: 'True' }] });
      expect(await scene.healthWhen(widget, () => true)).toEqual({ status: 'Healthy' });
      await scene.kubectl('patch', widget.kind, 'one', '--type=merge', '-p', '{"spec":{"parts":4}}');
      expect((await scene.healthWhen(widget, () => true)).message).toBe('its controller has not looked at the latest change yet');
    } finally {
      await cluster.kubectl(['delete', 'crd', '--ignore-not-found', '--wait=false', `widgets.${group}`, `gadgets.${group}`]);
    }
  });

  test('an API of the server itself is Healthy, and all that it ships with is', async () => {
    const { items } = await cluster.getJson<{ items: KubeObject[] }>('apiservices,clusterroles,priorityclasses,nodes,flowschemas');
    expect(items.length).toBeGreaterThan(50);
    const local = items.filter(({ kind, spec }) => kind !== 'APIService' || (spec as { service?: unknown }).service === undefined);
    const healths = local.map((item) => ({ kind: item.kind, name: item.metadata.name, ...healthOf(item, { now: new Date() }) }));
    expect(healths.filter(({ status }) => status !== 'Healthy')).toEqual([]);
  });

  test('an API that another server should answer is Progressing while that is not there', async () => {
    await using scene = await stage(cluster);
    const group = `h${randomBytes(4).toString('hex')}.example.com`;
    const service = { name: 'none', namespace: scene.namespace };
    const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 1, insecureSkipTLSVerify: true, service };
    await cluster.apply(JSON.stringify({ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: `v1.${group}` }, spec }));
    try {
      const { status, message } = await scene.healthWhen({ kind: 'apiservice', name: `v1.${group}` }, says('ServiceNotFound'));
      expect([status, message]).toEqual(['Progressing', `ServiceNotFound: service/none in "${scene.namespace}" is not present`]);
    } finally {
      await cluster.kubectl(['delete', 'apiservice', `v1.${group}`]);
    }
  });

  test('a Namespace that cannot go says what is left in it', async () => {
    await using scene = await stage(cluster);
    await scene.apply(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept', finalizers: ['example.com/keep'] } }));
    await cluster.kubectl(['delete', 'namespace', scene.namespace, '--wait=false']);
    try {
      await cluster.kubectl(['wait', `namespace/${scene.namespace}`, '--for=condition=NamespaceFinalizersRemaining', '--timeout=50s']);
      const { status, message = '' } = await scene.healthWhen({ kind: 'namespace', name: scene.namespace }, says('example.com/keep'));
      expect(status).toBe('Progressing');
      expect(message).toContain('configmaps. has 1 resource instances');
      const config = await scene.live('configmap', 'kept');
      expect(healthOf(config, { now: new Date() })).toEqual({ status: 'Progressing', message: 'being deleted; waits for finalizer example.com/keep' });
    } finally {
      await scene.kubectl('patch', 'configmap', 'kept', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
    }
  });
});
