import { expect, test } from 'vitest';
import { applicationCrd } from '../../../src/apps/index.ts';
import { checkDefinition } from '../../../src/cli/doctor-cluster.ts';
import type { Cluster } from '../../../src/cluster/index.ts';
import { resourceKey, type JsonObject, type KubeObject } from '../../../src/model/index.ts';

const signal = new AbortController().signal;
const key = resourceKey({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '', name: 'applications.setpoint.dev' });

/** A cluster that serves these versions of Applications, and shows this definition of them. */
function serving(versions: readonly string[], definition: JsonObject | undefined): Pick<Cluster, 'discover' | 'read'> {
  return {
    discover: () =>
      Promise.resolve({
        apiVersions: [],
        kubeVersion: () => Promise.resolve('v1.36.0'),
        lookUp(apiVersion, kind) {
          const isServed = kind === 'CustomResourceDefinition' || versions.includes(apiVersion);
          const [group = '', version = ''] = apiVersion.split('/');
          return isServed ? { type: 'served', kind: { group, version, kind, resource: 'x', namespaced: true, hasStatus: true } } : { type: 'not-served', servedAs: [...versions, 'argoproj.io/v1alpha1'] };
        },
      }),
    read: () => Promise.resolve(definition === undefined ? { type: 'unknown', code: 'Forbidden', message: 'no' } : { type: 'live', live: { key, object: definition as KubeObject, resourceVersion: '1' } }),
  };
}

const ours = applicationCrd();

/** The definition of a release that did not know these fields of the spec yet. */
function without(...fields: readonly string[]): JsonObject {
  const text = JSON.parse(JSON.stringify(ours)) as { spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } } }[] } };
  for (const field of fields) Reflect.deleteProperty(text.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {}, field);
  return text as unknown as JsonObject;
}

test.each<[string, readonly string[], JsonObject | undefined, 'fine' | 'warning', RegExp]>([
  ['as this release knows it', ['setpoint.dev/v1alpha1'], ours, 'fine', /as this release knows them$/],
  ['that may not be read', ['setpoint.dev/v1alpha1'], undefined, 'fine', /cannot be read$/],
  ['of an older release', ['setpoint.dev/v1alpha1'], without('interval'), 'warning', /of another release: it lacks spec\.interval$/],
  ['of a much older release', ['setpoint.dev/v1alpha1'], without('interval', 'deletionPolicy', 'drift', 'syncPolicy'), 'warning', /it lacks spec\.\S+, spec\.\S+, spec\.\S+ and \d+ more$/],
  ['of another version', ['setpoint.dev/v2'], ours, 'warning', /serves Applications as setpoint\.dev\/v2 only, and setpoint\.dev\/v1alpha1 is wanted/],
  ['that is not there', [], undefined, 'warning', /does not know Applications; setpoint run --repo and -f work without$/],
])('a definition %s', async (_name, versions, definition, level, text) => {
  const check = await checkDefinition({ cluster: serving(versions, definition), isNeeded: false }, signal);
  expect(check.level).toBe(level);
  expect(check.text).toMatch(text);
});

test('one that is not there is a failure for the agent, and how to install it is said', async () => {
  expect(await checkDefinition({ cluster: serving([], undefined), isNeeded: true }, signal)).toEqual({
    level: 'failure',
    about: 'definition',
    text: 'the cluster does not know Applications',
    advice: 'kubectl apply --server-side -f charts/setpoint/crds/applications.setpoint.dev.yaml',
  });
});
