import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { startGitServer } from '../support/git-server.ts';
import { startHttpSink } from '../support/http-sink.ts';
import { installPackage, type InstalledPackage, type Ran } from '../support/installed-package.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { makeSshKey } from '../support/ssh-keys.ts';
import { startSshGitServer } from '../support/ssh-git-server.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const root = join(import.meta.dirname, '..', '..');
const configMap = (mode: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\ndata: { mode: "${mode}" }\n`;

let installed: InstalledPackage;
const npx = (...args: readonly string[]): Promise<Ran> => installed.run(['npx', '--offline', 'setpoint', ...args]);

beforeAll(async () => {
  installed = await installPackage();
  return () => installed[Symbol.asyncDispose]();
}, 600_000);

describe('the tarball', () => {
  test('has the bundle, the commands, the render engine, the definition, and nothing else', async () => {
    const chunks = /^dist\/agent\/[\w-]+\.js$/;
    expect(installed.files.filter((file) => !chunks.test(file)).toSorted()).toEqual([
      ...['LICENSE', 'README.md', 'bin/kubectl_complete-setpoint.js', 'bin/setpoint.js', 'charts/setpoint/crds/applications.setpoint.dev.yaml'],
      ...['dist/agent/THIRD-PARTY-NOTICES.txt', 'dist/render-engine/LICENSE-go', 'dist/render-engine/THIRD-PARTY-NOTICES.txt', 'dist/render-engine/engine.wasm', 'dist/render-engine/version', 'dist/render-engine/wasm_exec.js'],
      'package.json',
    ]);
    expect(installed.files.filter((file) => chunks.test(file))).toContain('dist/agent/main.js');
    expect(installed.unpackedBytes).toBeLessThan(60_000_000);
  });

  test('brings no other package along, and runs no script when it is installed', async () => {
    expect((await readdir(join(installed.folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['setpoint']);
    const { scripts, dependencies = {} } = JSON.parse(await readFile(join(installed.folder, 'node_modules', 'setpoint', 'package.json'), 'utf8')) as { scripts: Record<string, string>; dependencies?: Record<string, string> };
    expect(dependencies).toEqual({});
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  const noticesBeside = (part: string): Promise<string> => readFile(join(installed.folder, 'node_modules', 'setpoint', 'dist', part, 'THIRD-PARTY-NOTICES.txt'), 'utf8');

  test.each([
    { part: 'agent', inside: ['bullmq', 'commander', 'fastify', 'isomorphic-git', 'ssh2', 'undici', '@kubernetes/client-node'], outside: ['rolldown', 'typescript', 'vitest'] },
    { part: 'render-engine', inside: ['helm.sh/helm/v4', 'sigs.k8s.io/kustomize/api', 'k8s.io/apimachinery', 'github.com/Masterminds/sprig/v3'], outside: ['k8s.io/client-go', 'setpoint.dev/render-engine'] },
  ])('has the licences of all that is in its $part', async ({ part, inside, outside }) => {
    const notices = (await noticesBeside(part)).split(/^== /m).slice(1);
    const names = notices.map((notice) => notice.split(' ', 1)[0]);
    expect(names).toEqual(expect.arrayContaining(inside));
    expect(names.filter((name) => outside.includes(name ?? ''))).toEqual([]);
    // Some packages only name theirs.
    expect(notices.filter((notice) => notice.includes(' (see below)\n') && !/licen[cs]e|permission/i.test(notice))).toEqual([]);
  });
});

describe('npx setpoint', () => {
  test('tells its version and its commands', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await npx('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await npx('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: setpoint .*^ {2}diff /ms);
  });

  test('compares files and a chart with a cluster', async () => {
    await using namespace = await cluster.createNamespace();
    const at = ['-n', namespace.name, '--kubeconfig', cluster.kubeconfig];
    const file = join(installed.folder, 'env.yaml');
    await writeFile(file, configMap('on'));
    await cluster.kubectl(['apply', '--server-side', '-n', namespace.name, '-f', file]);
    expect(await npx('diff', '-f', file, ...at)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 in sync') as string });
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', namespace.name, '--type=merge', '-p', '{"data":{"mode":"off"}}']);
    const drifted = await npx('diff', '-f', file, ...at);
    expect(drifted.stdout).toMatch(/^~ ConfigMap \S+\/env .*- "?off"?.*\+ "?on"?/ms);
    expect(drifted.code).toBe(1);
    const chart = await npx('diff', '-f', join(root, 'examples', 'helm'), ...at);
    expect(chart.stdout).toMatch(/\d+ missing/);
    expect(chart.code).toBe(1);
  });

  test('speaks to Git over SSH and to Redis, by code that is in the bundle', async () => {
    const [host, deploy] = await Promise.all([makeSshKey('ed25519'), makeSshKey('ed25519')]);
    await using server = await startSshGitServer({ hostKeys: [host.privateKey], authorizedKeys: [deploy.publicKey] });
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'web/env.yaml': configMap('on') });
    const credentials = join(installed.folder, 'credentials');
    await mkdir(credentials);
    await writeFile(join(credentials, 'identity'), deploy.privateKey);
    await writeFile(join(credentials, 'known_hosts'), `[127.0.0.1]:${server.port} ${host.publicKey}\n`);
    const rendered = await npx('render', '--repo', repository.url, '--path', 'web', '--git-credentials', credentials, '-o', 'name');
    expect(rendered.stderr).toBe('');
    expect(rendered.stdout).toMatch(/^ConfigMap \S*env/);
    expect(rendered.code).toBe(0);
    await using redis = await startRedis();
    const examined = await npx('doctor', '--redis', redis.url, '--kubeconfig', cluster.kubeconfig);
    expect(examined.stdout).toMatch(/✓ redis +keeps what it is given/);
  });

  test('runs an agent with its queue, alerts and metrics', async () => {
    await using parts = new AsyncDisposableStack();
    const namespace = parts.use(await cluster.createNamespace());
    const [server, redis, sink] = [parts.use(await startGitServer()), parts.use(await startRedis()), parts.use(await startHttpSink())];
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'web/env.yaml': configMap('on') });
    await cluster.kubectl(['apply', '--server-side', '-n', namespace.name, '-f', '-'], configMap('on'));
    const operations = `127.0.0.1:${await freePort()}`;
    const stopping = new AbortController();
    const agent = installed.run(
      [
        ...([join(installed.bin, 'setpoint'), 'run', '--repo', repository.url, '--path', 'web', '--interval', '1s', '--state', join(installed.folder, 'state')] as const),
        ...['--redis', redis.url, '--notify-webhook', sink.url, '--listen-operations', operations, '-n', namespace.name, '--kubeconfig', cluster.kubeconfig],
      ],
      { stop: stopping.signal },
    );
    parts.defer(() => stopping.abort());
    await waitFor(async () => (await fetch(`http://${operations}/readyz`).catch(() => undefined))?.ok, { what: 'the agent to be ready' });
    expect(await (await fetch(`http://${operations}/metrics`)).text()).toMatch(/^setpoint_\w+/m);
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', namespace.name, '--type=merge', '-p', '{"data":{"mode":"off"}}']);
    await waitFor(() => sink.requests.length > 0, { what: 'an alert' });
    stopping.abort();
    const { code, stdout } = await agent;
    expect(stdout).toMatch(/web {2}Synced .*web {2}OutOfSync \(live-changed\)/s);
    expect(code).toBe(0);
  });
});

// Of the process alone: what another one does on the same machine does not count.
describe('the start', () => {
  test.each(['--version', '--help'])('%s takes less than 0.3 s of a processor once it was run before', async (flag) => {
    const probe = join(installed.folder, 'cpu.cjs');
    await writeFile(probe, "process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(process.cpuUsage())));\n");
    const start = async (): Promise<number> => {
      const { code, stderr } = await installed.run([join(installed.bin, 'setpoint'), flag], { env: { NODE_OPTIONS: `--require ${probe}` } });
      expect(code).toBe(0);
      const { user, system } = JSON.parse(stderr) as NodeJS.CpuUsage;
      return (user + system) / 1000;
    };
    await start();
    const times: number[] = [];
    while (times.length < 9) times.push(await start());
    expect(times.toSorted((a, b) => a - b)[4]).toBeLessThan(300);
  });
});

describe('the plugin of kubectl', () => {
  const [kubectlFile, ...kubectlArgs] = cluster.description.kubectl;
  // kubectl looks for both commands on the PATH.
  const kubectl = (...args: readonly string[]): Promise<Ran> => installed.run([kubectlFile, ...kubectlArgs, ...args], { env: { PATH: [installed.bin, installed.path].join(delimiter), KUBECONFIG: cluster.kubeconfig } });

  test('is found and run with what follows its name', async () => {
    expect((await kubectl('plugin', 'list')).stdout).toMatch(/\/kubectl-setpoint$/m);
    const help = await kubectl('setpoint', '--help');
    expect(help.stdout).toMatch(/^Usage: setpoint /);
    expect(help.code).toBe(0);
    await using namespace = await cluster.createNamespace();
    const file = join(installed.folder, 'plugin.yaml');
    await writeFile(file, configMap('on'));
    const compared = await kubectl('setpoint', 'diff', '-f', file, '-n', namespace.name);
    expect(compared.stdout).toContain('1 missing');
    expect(compared.code).toBe(1);
  });

  test('completes commands and flags when kubectl is asked to', async () => {
    const words = async (...typed: readonly string[]): Promise<readonly string[]> => (await kubectl('__complete', 'setpoint', ...typed)).stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
    expect(await words('di')).toEqual(['diff', ':4', '']);
    expect(await words('diff', '--kubec')).toContain('--kubeconfig');
    expect(await words('diff', '-o', 'mark')).toContain('markdown');
  });
});
