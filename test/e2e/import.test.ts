import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: applications.argoproj.io }
spec:
  group: argoproj.io
  scope: Namespaced
  names: { kind: Application, plural: applications, singular: application }
  versions:
    - { name: v1alpha1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;
const application = (name: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${name} }
spec:
  project: default
  source: { repoURL: https://git.example.com/acme/fleet, path: ${name} }
  destination: { namespace: ${name}, server: https://kubernetes.default.svc }
`;

test('the Applications of Argo CD are read from the cluster, and nothing there is changed', async () => {
  await using namespace = await cluster.createNamespace();
  const imported = (...args: string[]): ReturnType<typeof runCli> => runCli(['import', 'argocd', '--kubeconfig', cluster.kubeconfig, ...args]);
  expect(await imported()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('does not know applications.argoproj.io') as unknown });
  await cluster.kubectl(['apply', '-f', '-'], definition);
  try {
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd/applications.argoproj.io', '--timeout=50s']);
    expect((await imported('-n', namespace.name)).stderr).toContain(`got none in namespace ${namespace.name}`);
    await waitFor(async () => cluster.kubectl(['apply', '-n', namespace.name, '-f', '-'], `${application('web')}---\n${application('search')}`).catch(() => undefined), { what: 'the kind to be served' });
    const versions = (): Promise<string> => cluster.kubectl(['get', 'applications.argoproj.io', '-n', namespace.name, '-o', 'jsonpath={.items[*].metadata.resourceVersion}']);
    const before = await versions();
    const { code, stdout, stderr } = await imported('-n', namespace.name);
    expect({ code, names: parseAllDocuments(stdout).map((document) => document.getIn(['metadata', 'name'])) }).toEqual({ code: 0, names: ['search', 'web'] });
    expect(stderr).toMatch(/^2 converted, 0 not; 0 differences$/m);
    expect((await imported()).stdout).toBe(stdout);
    const reader = await cluster.restrictedUser(namespace.name, [{ apiGroups: ['argoproj.io'], resources: ['applications'], verbs: ['list'] }]);
    expect((await imported('--kubeconfig', reader, '-n', namespace.name)).stdout).toBe(stdout);
    expect(await imported('--kubeconfig', reader)).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('list applications.argoproj.io in all namespaces') as unknown });
    expect(await versions()).toBe(before);
  } finally {
    await cluster.kubectl(['delete', 'crd', 'applications.argoproj.io']);
  }
});
