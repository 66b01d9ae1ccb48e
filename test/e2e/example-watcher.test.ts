import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../support/cli.ts';
import { startGitServer } from '../support/git-server.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();
const example = join(import.meta.dirname, '..', '..', 'examples', 'watcher', 'applications.yaml');

const configMap = (name: string, metadata = ''): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${metadata} }\ndata: { mode: "on" }\n`;
const byFlux = ', labels: { kustomize.toolkit.fluxcd.io/name: podinfo, kustomize.toolkit.fluxcd.io/namespace: flux-system }';
const byArgo = ', annotations: { argocd.argoproj.io/tracking-id: "guestbook:/ConfigMap:guestbook/guestbook" }';

test('beside Flux and Argo CD the example tells of a change by hand, and leaves it', async () => {
  await using namespace = await cluster.createNamespace();
  await using server = await startGitServer();
  await using folder = await tempFolder();
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'clusters/production/podinfo/a.yaml': configMap('podinfo'), 'guestbook/a.yaml': configMap('guestbook') });
  const apply = (manager: string, text: string): Promise<string> => cluster.kubectl(['apply', '--server-side', '--field-manager', manager, '-n', namespace.name, '-f', '-'], text);
  await apply('kustomize-controller', configMap('podinfo', byFlux));
  await apply('argocd-controller', configMap('guestbook', byArgo));
  const file = join(folder.path, 'applications.yaml');
  const text = (await readFile(example, 'utf8')).replaceAll('https://git.example.com/acme/fleet', repository.url);
  await writeFile(file, text.replaceAll(/^( {4}namespace: )(?:podinfo|guestbook)$/gm, `$1${namespace.name}`));

  await using agent = startCli(['run', '-f', file, '--state', join(folder.path, 'state'), '--interval', '10s', '--kubeconfig', cluster.kubeconfig]);
  await agent.saw(/podinfo\W.*Synced/);
  await agent.saw(/guestbook\W.*Synced/);
  const from = agent.output.stdout.length;
  await cluster.kubectl(['patch', 'configmap', 'podinfo', '-n', namespace.name, '--field-manager', 'kubectl-edit', '--type', 'merge', '-p', '{"data":{"mode":"by hand"}}']);
  await agent.saw(/podinfo\W.*OutOfSync \(live-changed\)/, from);
  expect(await cluster.kubectl(['get', 'configmap', 'podinfo', '-n', namespace.name, '-o', 'jsonpath={.data.mode}'])).toBe('by hand');
  expect(agent.output.stdout.slice(from)).toContain('kubectl-edit');
});
