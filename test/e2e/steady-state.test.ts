import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startCli, type RunningCli } from '../support/cli.ts';
import type { AuditEvent, AuditLog } from '../support/cluster/audit-log.ts';
import { startControlPlane } from '../support/cluster/start-control-plane.ts';
import type { TestCluster } from '../support/cluster/test-cluster.ts';
import { createRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const observedMs = 60_000;

/** How many of each kind, 1,000 in all. Few Deployments: their controller takes its time over each. */
const counts = { configMap: 490, deployment: 60, service: 150, serviceAccount: 120, role: 80, roleBinding: 80, secret: 20 };

const make: Readonly<Record<keyof typeof counts, (name: string) => object>> = {
  configMap: (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key-${at}`, `value ${at} of ${name}`])) }),
  deployment: (name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            {
              name: 'web',
              image: 'nginx:1',
              ports: [{ containerPort: 8080 }],
              env: [{ name: 'MODE', value: 'calm' }],
              resources: { requests: { cpu: '250m', memory: '0.25Gi' } },
              readinessProbe: { httpGet: { path: '/', port: 8080 } },
            },
          ],
        },
      },
    },
  }),
  // Without addresses: the cluster of a test has few.
  service: (name) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { clusterIP: 'None', selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] } }),
  serviceAccount: (name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }),
  role: (name) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] }),
  roleBinding: (name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: name.replace('role-binding', 'role') },
    subjects: [{ kind: 'ServiceAccount', name: 'default' }],
  }),
  secret: (name) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { password: `of ${name}` } }),
};

const nameOf = (kind: string, at: number): string => `${kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${String(at).padStart(3, '0')}`;

function manifests(): Readonly<Record<string, string>> {
  const objects = (Object.keys(counts) as (keyof typeof counts)[]).flatMap((kind) => Array.from({ length: counts[kind] }, (_, at) => make[kind](nameOf(kind, at))));
  const files = Array.from({ length: 50 }, (_, file) => objects.filter((_object, at) => at % 50 === file));
  return Object.fromEntries(files.map((documents, file) => [`fleet/part-${file}/all.yaml`, documents.map((document) => `${JSON.stringify(document, undefined, 1)}\n`).join('---\n')]));
}

const looks = ({ output }: RunningCli): number => output.stderr.split('"message":"looked"').length - 1;
const isAsked = ({ verb }: AuditEvent): boolean => verb !== 'watch';
const isDryRun = ({ verb, requestURI }: AuditEvent): boolean => verb === 'patch' && requestURI.includes('dryRun=All');
const shown = ({ verb, requestURI }: AuditEvent): string => `${verb} ${requestURI}`;

/** What the server recorded of us. */
const ours = async (log: AuditLog): Promise<readonly AuditEvent[]> => (await log.events()).filter(({ userAgent }) => userAgent?.startsWith('setpoint') === true);

/** Until some looks have gone by in which nothing was asked. */
async function untilQuiet(agent: RunningCli, cluster: TestCluster): Promise<void> {
  for (;;) {
    const log = await cluster.auditLog();
    const before = looks(agent);
    await waitFor(() => looks(agent) >= before + 2, { what: 'two looks' });
    if (!(await ours(log)).some(isAsked)) return;
  }
}

test('1,000 unchanged objects cost no request, look after look; one that is edited costs none, and one whose edit is not simply undone one dry run', { timeout: 300_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  // Of its own: what other tests install in a shared one is a reason to ask what it serves now.
  const cluster = parts.adopt(await startControlPlane(), (started) => started.stop());
  const { name: namespace } = await cluster.createNamespace();
  const { path: folder } = parts.use(await tempFolder());
  const gitDir = join(folder, 'fleet.git');
  await mkdir(join(folder, 'work'));
  const repository = await createRepository({ name: 'fleet', url: pathToFileURL(gitDir).href, gitDir, workTree: join(folder, 'work', 'tree') });
  await repository.commit(manifests());
  const run = (mode: string): RunningCli =>
    parts.use(
      startCli([
        ...['run', '--repo', repository.url, '--path', 'fleet', '--interval', '5s', '--sweep', '5s', '--mode', mode, '--log-level', 'debug'],
        ...['--state', join(folder, 'state'), '-n', namespace, '--kubeconfig', cluster.kubeconfig],
      ]),
    );

  const start = await cluster.auditLog();
  const startedAt = performance.now();
  const auto = run('auto');
  await waitFor(() => /fleet {2}Synced {2}\S+ {2}1000 resources/.test(auto.output.stdout), { what: '1,000 objects applied and Synced', deadlineMs: 120_000 });
  const syncedMs = performance.now() - startedAt;
  const first = await ours(start);
  // What must not be asked later is asked here, and is on record.
  expect(first.filter(({ requestURI }) => requestURI.startsWith('/openapi/v3')).length).toBeGreaterThan(0);
  expect(first.filter(({ requestURI }) => /^\/apis?(?:\?|$)/.test(requestURI)).length).toBeGreaterThan(0);
  expect(first.filter(({ verb, requestURI }) => verb === 'patch' && !requestURI.includes('dryRun')).length).toBeGreaterThanOrEqual(1000);
  // The controllers of the cluster have their say first.
  await cluster.kubectl(['wait', '--for=condition=Available', 'deployment', '--all', '-n', namespace, '--timeout=60s']);
  await untilQuiet(auto, cluster);

  const steady = await cluster.auditLog();
  const looksBefore = looks(auto);
  await sleep(observedMs);
  const asked = (await ours(steady)).filter(isAsked);
  const looksInSteadyState = looks(auto) - looksBefore;
  expect(asked.map(shown)).toEqual([]);
  expect(looksInSteadyState).toBeGreaterThanOrEqual(8);
  expect(auto.output.stdout.slice(auto.output.stdout.indexOf('Synced  '))).not.toMatch(/OutOfSync|Unknown/);
  expect(await auto.stop()).toBe(0);

  const restart = await cluster.auditLog();
  const alert = run('alert');
  await alert.saw(/fleet {2}Synced {2}\S+ {2}1000 resources/);
  await untilQuiet(alert, cluster);
  const atRestart = (await ours(restart)).filter(isAsked);

  const edited = await cluster.auditLog();
  const name = nameOf('configMap', 7);
  await cluster.kubectl(['patch', 'configmap', name, '-n', namespace, '--type=merge', '-p', '{"data":{"key-3":"by hand"}}']);
  await alert.saw(/OutOfSync \(live-changed\) {2}\S+ {2}1 of 1000 differ/);
  const looksAtEdit = looks(alert);
  await waitFor(() => looks(alert) >= looksAtEdit + 3, { what: 'three looks after the edit', deadlineMs: 40_000 });
  expect((await ours(edited)).filter(isAsked).map(shown)).toEqual([]);
  const printed = alert.output.stdout.length;
  await cluster.kubectl(['patch', 'configmap', name, '-n', namespace, '--type=merge', '-p', '{"metadata":{"labels":{"team":"shop"}},"data":{"key-3":"by hand again"}}']);
  await alert.saw(/by hand again/, printed);
  const looksAtNext = looks(alert);
  await waitFor(() => looks(alert) >= looksAtNext + 3, { what: 'three looks after the next edit', deadlineMs: 40_000 });
  const afterEdit = (await ours(edited)).filter(isAsked);
  expect(afterEdit.filter(isDryRun).map(({ objectRef }) => objectRef?.name)).toEqual([name]);
  // Whether dry runs of the kind are allowed is asked once, before the first.
  expect(afterEdit.filter((event) => !isDryRun(event)).map(shown)).toEqual(['create /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']);

  console.info(
    [
      'steady state of 1,000 objects, interval 5 s:',
      `first sync ${(syncedMs / 1000).toFixed(1)} s, ${first.filter(isAsked).length} requests, ${first.filter(isDryRun).length} of them dry runs;`,
      `then ${looksInSteadyState} looks in ${observedMs / 1000} s with ${asked.length} requests;`,
      `restart: ${atRestart.length} requests, ${atRestart.filter(isDryRun).length} of them dry runs;`,
      `two live edits: ${afterEdit.length} requests, ${afterEdit.filter(isDryRun).length} of them a dry run, in ${looks(alert) - looksAtEdit} looks`,
    ].join(' '),
  );
});
