import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { emptyStatus, resourceKey, type ResourceKey } from '../../src/model/index.ts';
import { createRedisQueue, type WorkQueue } from '../../src/queue/index.ts';
import { applicationStatus } from '../../src/status/application-status.ts';
import { installCrd } from '../support/application-crd.ts';
import { runCli, type CliResult } from '../support/cli.ts';
import { kubeconfigText } from '../support/cluster/kubeconfig.ts';
import { freePort } from '../support/free-port.ts';
import { startGitServer } from '../support/git-server.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();
let engine: string;

beforeAll(async () => {
  [engine] = await Promise.all([buildRenderEngine(), installCrd(cluster)]);
}, 600_000);

const doctor = (...args: readonly string[]): Promise<CliResult> => runCli(['doctor', ...args], { env: { SETPOINT_RENDER_ENGINE: engine } });

interface Report {
  readonly checks: readonly { readonly level: string; readonly about: string; readonly text: string; readonly advice?: string }[];
}

async function checked(...args: readonly string[]): Promise<{ readonly code: number | null; readonly lines: readonly string[]; readonly advice: readonly string[] }> {
  const { code, stdout } = await doctor(...args, '-o', 'json');
  const { checks } = JSON.parse(stdout) as Report;
  return { code, lines: checks.map(({ level, about, text }) => `${level} ${about}: ${text}`), advice: checks.flatMap(({ advice }) => advice ?? []) };
}

async function beat(namespace: string, secondsAgo: number): Promise<void> {
  const renewTime = new Date(Date.now() - secondsAgo * 1000).toISOString().replace('Z', '000Z');
  await cluster.apply(JSON.stringify({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'setpoint-agent', namespace }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime } }));
}

/** An Application that an agent has looked at once, and what it declares. */
async function observed(namespace: string, repoURL: string, keys: readonly ResourceKey[]): Promise<void> {
  await cluster.apply(JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'web', namespace }, spec: { source: { repoURL, path: 'web', targetRevision: 'main' }, destination: { namespace } } }));
  const agreed = Object.fromEntries(keys.map((key) => [key, { desired: 'x', live: {} }]));
  const status = { ...applicationStatus({ ...emptyStatus(`${namespace}/web`), verdict: { status: 'Synced' }, agreed }, undefined, new Date()), lease: `${namespace}/setpoint-agent` };
  await cluster.kubectl(['patch', 'applications.setpoint.dev', 'web', '-n', namespace, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]);
}

describe('with all rights', () => {
  test('everything is fine, down to Git and Redis', async () => {
    await using namespace = await cluster.createNamespace();
    await using server = await startGitServer();
    await using redis = await startRedis();
    const repository = await server.createRepository('fleet');
    const commit = await repository.commit({ 'web/a.yaml': 'x: y\n' });
    await observed(namespace.name, repository.url, [resourceKey({ group: 'apps', kind: 'Deployment', namespace: namespace.name, name: 'web' })]);
    await beat(namespace.name, 1);
    const { code, stdout, stderr } = await doctor('-n', namespace.name, '--redis', redis.url, '--as-agent', '--agent-namespace', namespace.name, '--kubeconfig', cluster.kubeconfig);
    expect(stderr).toBe('');
    for (const line of [
      /✓ kubeconfig {4}context test\n/,
      /✓ cluster {7}Kubernetes v1\.\d+\.\d+\S*, \d+ ms away/,
      /✓ clock {9}agrees with the cluster’s\n/,
      /✓ definition {4}Applications are served as setpoint\.dev\/v1alpha1, as this release knows them\n/,
      /✓ applications {2}1 can be read\n/,
      /✓ rights {8}may get, list, watch, patch deployments\.apps in namespace /,
      /✓ rights {8}may get, patch leases\.coordination\.k8s\.io setpoint-agent in namespace /,
      /✓ agent {9}pod-1 leads \(lease \S+\/setpoint-agent\), seen \d+s ago\n/,
      new RegExp(`✓ git {11}${repository.url}: main is ${commit.slice(0, 7)}\n`),
      /✓ render {8}Helm and Kustomize are here/,
      /✓ redis {9}keeps what it is given \(noeviction\); 0 alerts are waiting\n/,
      /all \d+ checks are fine\n$/,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(code).toBe(0);
  });

  test('what is missing is named, with what to do: an agent that died, Git, Redis, the engine', async () => {
    await using namespace = await cluster.createNamespace();
    await using server = await startGitServer({ username: 'u', password: 'canary-4711' });
    const repository = await server.createRepository('fleet');
    await observed(namespace.name, repository.url, []);
    await beat(namespace.name, 300);
    const args = ['-n', namespace.name, '--redis', `redis://:canary-4711@127.0.0.1:${await freePort()}`, '--kubeconfig', cluster.kubeconfig, '-o', 'json'];
    const { code, stdout, stderr } = await runCli(['doctor', ...args], { env: { SETPOINT_RENDER_ENGINE: '/nowhere' } });
    const { checks } = JSON.parse(stdout) as Report;
    const bad = checks.filter(({ level }) => level !== 'fine').map(({ level, about, text }) => `${level} ${about}: ${text}`);
    expect(bad).toEqual([
      expect.stringMatching(/^failure agent: pod-1 was last seen 5m ago .*: the verdicts of its Applications are Unknown$/),
      expect.stringMatching(/^warning git: /),
      expect.stringMatching(/^warning render: Helm and Kustomize need the render engine/),
      expect.stringMatching(/^failure redis: Redis at 127\.0\.0\.1:\d+ did not take the work/),
    ]);
    expect(stdout + stderr).not.toContain('canary');
    expect(code).toBe(2);
  });

  test('what waits in Redis is counted over the queues of all destinations, as the agent names them', async () => {
    await using namespace = await cluster.createNamespace();
    await using redis = await startRedis();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const queueOf = (name: string): WorkQueue => createRedisQueue({ url: redis.url, name: `alerts-${name}`, concurrency: 1, log });
    const [team, pager] = [queueOf('team'), queueOf('pager')];
    await team.add('shop/web');
    await team.add('shop/api', { delayMs: 60_000 });
    await pager.add('shop/web');
    const { lines } = await checked('-n', namespace.name, '--redis', redis.url, '--kubeconfig', cluster.kubeconfig);
    await Promise.all([team.close(), pager.close()]);
    expect(lines.at(-1)).toBe('fine redis: keeps what it is given (noeviction); 3 alerts are waiting');
  });

  test('Redis that throws work away is a failure', async () => {
    await using namespace = await cluster.createNamespace();
    await using redis = await startRedis();
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const { lines } = await checked('-n', namespace.name, '--redis', redis.url, '--kubeconfig', cluster.kubeconfig);
    expect(lines.at(-1)).toMatch(/^failure redis: Redis may throw queued work away .* noeviction, policy allkeys-lru$/);
  });
});

describe('a restricted user', () => {
  test('is told each missing right with its verb, resource and namespace, and nothing is changed meanwhile', async () => {
    await using namespace = await cluster.createNamespace();
    const { name } = namespace;
    await observed(name, 'https://127.0.0.1:1/fleet', [
      resourceKey({ group: 'apps', kind: 'Deployment', namespace: name, name: 'web' }),
      resourceKey({ group: '', kind: 'ConfigMap', namespace: name, name: 'env' }),
      resourceKey({ group: '', kind: 'Secret', namespace: name, name: 'keys' }),
      resourceKey({ group: '', kind: 'Namespace', namespace: '', name }),
    ]);
    await beat(name, 1);
    const user = await cluster.restrictedUser(name, [
      { apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'patch'] },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['other'], verbs: ['get'] },
    ]);
    const audit = await cluster.auditLog();
    const { code, lines, advice } = await checked('--kubeconfig', user);
    expect(lines.filter((line) => / (?:rights|agent|applications): /.test(line))).toEqual([
      `warning applications: those of all namespaces may not be listed, only namespace ${name} is looked at`,
      'fine applications: 1 can be read',
      `warning rights: may not patch applications.setpoint.dev in namespace ${name}: setpoint refresh, pause and resume do not work`,
      `fine rights: may get, list, watch, patch deployments.apps in namespace ${name}`,
      `warning rights: may not list, watch configmaps in namespace ${name}: they are read one by one at every look, and changes have no exact time`,
      `warning rights: may not patch configmaps in namespace ${name}: what only the server can tell is Unknown`,
      `failure rights: may not get secrets keys in namespace ${name}: such objects are Unknown`,
      `warning rights: may not list, watch secrets keys in namespace ${name}: they are read one by one at every look, and changes have no exact time`,
      'failure rights: may not get namespaces in the whole cluster: such objects are Unknown',
      'warning rights: may not list, watch namespaces in the whole cluster: they are read one by one at every look, and changes have no exact time',
      'warning rights: may not patch namespaces in the whole cluster: what only the server can tell is Unknown',
      `warning agent: whether one is alive cannot be told: may not get lease ${name}/setpoint-agent`,
    ]);
    expect(advice).toContain(`kubectl create role NAME -n ${name} --verb=list --verb=watch --resource=configmaps, and bind it`);
    expect(lines.find((line) => line.includes(' definition: '))).toMatch(/^fine definition: .*cannot be read$/);
    const sent = (await audit.events()).filter(({ user: { username } }) => username.startsWith(`system:serviceaccount:${name}:`));
    expect(sent.filter(({ verb, objectRef }) => !['get', 'list'].includes(verb) && objectRef?.resource !== 'selfsubjectaccessreviews')).toEqual([]);
    expect(sent.length).toBeGreaterThan(10);
    // Git cannot be reached either.
    expect(code).toBe(2);
  });

  test('may be the agent: what it lacks is named, and each right that it gets is missing no more', async () => {
    await using namespace = await cluster.createNamespace();
    const { name } = namespace;
    const args = ['--as-agent', '-n', name, '--agent-namespace', name];
    const poor = await checked(...args, '--kubeconfig', await cluster.restrictedUser(name, []));
    expect(poor.lines.filter((line) => line.startsWith('failure rights'))).toEqual([
      `failure rights: may not get applications.setpoint.dev in namespace ${name}: a status that somebody else wrote to cannot be read again`,
      `failure rights: may not list applications.setpoint.dev in namespace ${name}: the agent sees no Application`,
      `failure rights: may not watch applications.setpoint.dev in namespace ${name}: the agent sees no change of an Application`,
      `failure rights: may not update applications.setpoint.dev/status in namespace ${name}: no verdict can be written`,
      `failure rights: may not get, patch leases.coordination.k8s.io setpoint-agent in namespace ${name}: no agent can lead`,
      `failure rights: may not create leases.coordination.k8s.io in namespace ${name}: the first agent cannot lead`,
      `failure rights: may not get secrets setpoint-agent in namespace ${name}: the agent does not start`,
      `failure rights: may not create secrets in namespace ${name}: the agent does not start the first time`,
    ]);
    expect(poor.code).toBe(4);
    const able = await cluster.restrictedUser(name, [
      { apiGroups: ['setpoint.dev'], resources: ['applications', 'applications/status'], verbs: ['get', 'list', 'watch', 'patch', 'update'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['setpoint-agent'], verbs: ['get', 'patch'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['setpoint-agent'], verbs: ['get'] },
    ]);
    const rich = await checked(...args, '--kubeconfig', able);
    expect(rich.lines.filter((line) => line.startsWith('failure'))).toEqual([]);
    expect(rich.code).toBe(3);
  });

  test('is told what comparing a folder of manifests takes', async () => {
    await using namespace = await cluster.createNamespace();
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\n---\napiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: elsewhere }\n');
    const user = await cluster.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'patch'] }]);
    const { lines } = await checked('-f', folder.path, '--kubeconfig', user);
    expect(lines).toContain(`fine rights: may get, list, watch, patch configmaps in namespace ${namespace.name}`);
    expect(lines).toContain('failure rights: may not get services in namespace elsewhere: such objects are Unknown');
  });
});

describe('without a cluster', () => {
  test('the rest is looked at all the same', async () => {
    await using folder = await tempFolder();
    const away = join(folder.path, 'config');
    await writeFile(away, kubeconfigText({ server: `http://127.0.0.1:${await freePort()}`, token: 'x' }));
    const { code, lines } = await checked('--kubeconfig', away);
    expect(lines).toEqual(['fine kubeconfig: context test', expect.stringMatching(/^failure cluster: the cluster at \S+ .* cannot be reached: the connection was refused/), expect.stringMatching(/^fine render: /)]);
    expect(code).toBe(2);
  });

  test('a kubeconfig that is not there is named', async () => {
    const { code, lines } = await checked('--kubeconfig', '/nowhere/config');
    expect(lines[0]).toMatch(/^failure kubeconfig: .*\/nowhere\/config/);
    expect(code).toBe(2);
  });

  test('credentials that are refused end with 4', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'config');
    const config = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'])) as { clusters: { cluster: { server: string; 'certificate-authority-data': string } }[] };
    const [target] = config.clusters;
    await writeFile(file, kubeconfigText({ server: target?.cluster.server ?? '', caData: target?.cluster['certificate-authority-data'] ?? '', token: 'nobody' }));
    const { code, lines } = await checked('--kubeconfig', file);
    expect(lines[1]).toMatch(/^failure cluster: the cluster does not accept these credentials/);
    expect(code).toBe(4);
  });
});
