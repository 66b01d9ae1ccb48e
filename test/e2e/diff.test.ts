import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, type CliResult } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();
const bin = join(import.meta.dirname, '..', '..', 'bin', 'setpoint.js');

const deployment = (replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: app, image: "nginx:1", resources: { requests: { cpu: 1000m, memory: 0.5Gi } } }
`;
const configMap = (value: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: env }
data: { mode: "${value}" }
`;

/** The manifests applied to a namespace of their own, and a way to compare others with it. */
async function stage(live: string): Promise<{ name: string; diff(manifests: string, ...args: string[]): Promise<CliResult> } & AsyncDisposable> {
  const namespace = await cluster.createNamespace();
  if (live !== '') await cluster.kubectl(['apply', '--server-side', '-n', namespace.name, '-f', '-'], live);
  return {
    name: namespace.name,
    diff: (manifests, ...args) => runCli(['diff', '-f', '-', '-n', namespace.name, '--kubeconfig', cluster.kubeconfig, ...args], { input: manifests }),
    [Symbol.asyncDispose]: () => namespace[Symbol.asyncDispose](),
  };
}

describe('exit code 0', () => {
  test('the cluster is as the manifests say, quantities in other spellings included', async () => {
    await using live = await stage(`${deployment(2)}---${configMap('on')}`);
    const { code, stdout } = await live.diff(`${deployment(2)}---${configMap('on')}`);
    expect(stdout).toContain('2 in sync');
    expect(code).toBe(0);
  });

  test('what was added by hand and Git does not mention is shown, and is no drift', async () => {
    await using live = await stage('');
    await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', live.name, '-f', '-'], deployment(2));
    await cluster.kubectl(['set', 'env', 'deployment/web', 'DEBUG=1', '-n', live.name]);
    await cluster.kubectl(['label', 'deployment/web', 'touched=yes', '-n', live.name]);
    const { code, stdout } = await live.diff(deployment(2));
    expect(stdout).toMatch(/\* apps\/Deployment \S+\/web {2}in sync, with fields added by hand/);
    expect(stdout).toMatch(/spec\.template\.spec\.containers\[name=app\]\.env {2}by kubectl-set, at or before/);
    expect(stdout).toMatch(/metadata\.labels {2}by kubectl-label, at or before/);
    expect(stdout).toContain('1 in sync; 2 fields added by hand');
    expect(code).toBe(0);
  });

  test('equality is proven without the right to patch', async () => {
    await using live = await stage(configMap('on'));
    const reader = await cluster.restrictedUser(live.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const { code, stdout } = await runCli(['diff', '-f', '-', '--kubeconfig', reader], { input: configMap('on') });
    expect(stdout).toContain('1 in sync');
    expect(code).toBe(0);
  });

  test('help and version', async () => {
    expect((await runCli(['--help'])).code).toBe(0);
    expect((await runCli(['diff', '--help'])).stdout).toContain('Exit codes');
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('exit code 1', () => {
  test('a changed field is named with both values', async () => {
    await using live = await stage(`${deployment(2)}---${configMap('on')}`);
    const { code, stdout } = await live.diff(`${deployment(3)}---${configMap('on')}`);
    expect(stdout).toContain(`~ apps/Deployment ${live.name}/web`);
    expect(stdout).toMatch(/spec\.replicas.*\n\s+- 2\n\s+\+ 3\n/);
    expect(stdout).toContain('1 changed, 1 in sync');
    expect(code).toBe(1);
  });

  test('who changed it is told as far as the server knows', async () => {
    await using live = await stage('');
    await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', live.name, '-f', '-'], `${deployment(2)}---${configMap('on')}`);
    await cluster.kubectl(['scale', 'deployment/web', '--replicas=4', '-n', live.name]);
    await cluster.kubectl(['set', 'image', 'deployment/web', 'app=nginx:2', '-n', live.name]);
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', live.name, '--type=json', '-p', '[{"op":"remove","path":"/data/mode"}]']);
    const { stdout } = await live.diff(`${deployment(2)}---${configMap('on')}`);
    expect(stdout).toMatch(/spec\.replicas {2}by kubectl \(scale\), (?:time not recorded|at or before \S+Z)\n\s+- 4/);
    expect(stdout).toMatch(/spec\.template\.spec\.containers\[name=app\]\.image {2}by kubectl-set, at or before \S+Z\n\s+- nginx:2/);
    expect(stdout).toMatch(/data(?:\.mode)? {2}new in Git, or removed: .*\n\s+\+ /);
  });

  test('a value that somebody else holds differs for certain, even if the server may not be asked', async () => {
    await using live = await stage(configMap('on'));
    const reader = await cluster.restrictedUser(live.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const { code, stdout } = await runCli(['diff', '-f', '-', '--kubeconfig', reader], { input: configMap('off') });
    expect(stdout).toContain('not confirmed by the server: not allowed to patch configmaps');
    expect(stdout).toMatch(/data\.mode.*\n\s+- "on"\n\s+\+ "off"\n/);
    expect(code).toBe(1);
  });

  test('what is not there is missing', async () => {
    await using live = await stage('');
    const { code, stdout } = await live.diff(configMap('on'));
    expect(stdout).toContain(`ConfigMap ${live.name}/env  is not in the cluster`);
    expect(code).toBe(1);
  });

  test('it stands when the reader is gone before the end (| head)', async () => {
    await using live = await stage('');
    const many = Array.from({ length: 400 }, (_, at) => configMap('x'.repeat(500)).replace('name: env', `name: env-${at}`)).join('---');
    const command = `"$0" "$1" diff -f - -n "$2" --kubeconfig "$3" -o unified --color never | head -n 1; echo "code \${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', command, process.execPath, bin, live.name, cluster.kubeconfig], { stdio: 'pipe' });
    child.stdin.end(many);
    const output = Buffer.concat((await Array.fromAsync(child.stdout)) as Buffer[]).toString();
    expect(output).toMatch(/^--- live .*\ncode 1\n$/);
  });
});

describe('exit code 2', () => {
  test.each([
    ['a wrong flag', ['diff', '-f', '-', '--nope'], /unknown option '--nope'/],
    ['nothing named', ['diff'], /^setpoint: what is to be compared\? An Application of the cluster/],
    ['a wrong format', ['diff', '-f', '-', '-o', 'xml'], /Allowed choices are tree, unified/],
    ['a wrong verb', ['dif'], /unknown command 'dif'/],
    ['no verb', [], /Usage: setpoint/],
    ['a missing path', ['diff', '-f', '/no/such/folder'], /^setpoint: \/no\/such\/folder cannot be read: there is no such file or folder/],
    ['a missing kubeconfig', ['diff', '-f', '-', '--kubeconfig', '/no/such/config'], /^setpoint: no kubeconfig at \/no\/such\/config/],
    ['a folder as kubeconfig', ['diff', '-f', '-', '--kubeconfig', '.'], /^setpoint: the kubeconfig \. cannot be read: it is a folder, and a file was expected/],
    ['a folder of ignore rules', ['diff', '-f', '-', '--ignore-rules', '.'], /^setpoint: the ignore rules in \. cannot be read: it is a folder, and a file was expected/],
    ['--prune without a plan', ['diff', 'web', '--prune'], /^setpoint: --prune wants an Application and --plan/],
    ['--prune of files', ['diff', '-f', '-', '--plan', '--prune'], /^setpoint: --prune wants an Application and --plan/],
  ])('%s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runCli(args, { input: configMap('on') });
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a kubeconfig that is none, and one without the context', async () => {
    await using folder = await tempFolder();
    const broken = join(folder.path, 'config');
    await writeFile(broken, 'clusters: [');
    expect(await runCli(['diff', '-f', '-', '--kubeconfig', broken], { input: configMap('on') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the kubeconfig ${broken} cannot be read`) as string,
    });
    expect(await runCli(['diff', '-f', '-', '--kubeconfig', cluster.kubeconfig, '--context', 'nope'], { input: configMap('on') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no context nope; it has ') as string,
    });
  });

  test('a cluster that cannot be reached is named, in one sentence', async () => {
    await using folder = await tempFolder();
    const server = `https://127.0.0.1:${await freePort()}`;
    const config = join(folder.path, 'config');
    await cluster.kubectl(['version', '--client']);
    await writeFile(
      config,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server } }],
        users: [{ name: 'u', user: { token: 'x' } }],
        contexts: [{ name: 'far', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'far',
      }),
    );
    const { code, stderr } = await runCli(['diff', '-f', '-', '--kubeconfig', config], { input: configMap('on') });
    expect(stderr).toBe(`setpoint: the cluster at ${server} (context far) cannot be reached: the connection was refused. Is it running, and is this the right context?\n`);
    expect(code).toBe(2);
  });

  test('nothing at all to compare is no success', async () => {
    const { code, stderr } = await runCli(['diff', '-f', '-', '--kubeconfig', cluster.kubeconfig], { input: '# nothing\n' });
    expect(stderr).toContain('nothing to compare');
    expect(code).toBe(2);
  });
});

describe('exit code 3: the rest is compared all the same', () => {
  test.each([
    ['a document that cannot be parsed', 'a: [', /-#2 {2}error: line \d+: /],
    ['a kind that the cluster does not serve', 'apiVersion: example.com/v1\nkind: Unserved\nmetadata: {name: w}', /does not serve kind Unserved in example\.com\/v1: install its CustomResourceDefinition/],
    ['a version that the cluster no longer serves', 'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: w}', /it serves Deployment as apps\/v1/],
  ])('%s', async (_name, bad, message) => {
    await using live = await stage(configMap('on'));
    const { code, stdout } = await live.diff(`${configMap('off')}---\n${bad}\n`);
    expect(stdout).toMatch(message);
    expect(stdout).toMatch(/data\.mode.*\n\s+- "on"\n\s+\+ "off"\n/);
    expect(code).toBe(3);
  });

  test('a field that the kind does not have', async () => {
    await using live = await stage(`${deployment(1)}---${configMap('on')}`);
    const { code, stdout } = await live.diff(`${deployment(1).replace('replicas:', 'replica:')}---${configMap('on')}`);
    expect(stdout).toMatch(/! apps\/Deployment .*\.spec\.replica: field not declared in schema/);
    expect(stdout).toContain('1 refused, 1 in sync');
    expect(code).toBe(3);
  });

  test('the same object twice, with both places named', async () => {
    await using live = await stage('');
    const { code, stdout } = await live.diff(`${configMap('a')}---${configMap('b')}`);
    expect(stdout).toContain('declared more than once, in -#1 and -#2');
    expect(code).toBe(3);
  });
});

describe('exit code 4', () => {
  test('a forbidden kind is named with the right that is wanting; the rest is compared', async () => {
    await using live = await stage(`${deployment(1)}---${configMap('on')}`);
    const reader = await cluster.restrictedUser(live.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'] }]);
    const { code, stdout } = await runCli(['diff', '-f', '-', '--kubeconfig', reader], { input: `${deployment(1)}---${configMap('off')}` });
    expect(stdout).toContain(`not allowed to get deployments.apps in namespace ${live.name}`);
    expect(stdout).toContain('data.mode');
    expect(stdout).not.toContain('missing');
    expect(code).toBe(4);
  });

  test('without the right to patch, what is under our own name may be what admission made of it: not known', async () => {
    await using live = await stage('');
    await cluster.kubectl(['apply', '--server-side', '--field-manager', 'setpoint', '-n', live.name, '-f', '-'], configMap('on'));
    const reader = await cluster.restrictedUser(live.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const { code, stdout } = await runCli(['diff', '-f', '-', '--kubeconfig', reader], { input: configMap('off') });
    expect(stdout).toContain('data.mode may have drifted: not allowed to patch configmaps');
    expect(stdout).toContain('dry run');
    expect(code).toBe(4);
  });

  test('credentials that the cluster does not accept', async () => {
    await using folder = await tempFolder();
    const config = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '--minify', '-o', 'json'])) as { users: { user: object }[] };
    for (const entry of config.users) entry.user = { token: 'expired' };
    const path = join(folder.path, 'config');
    await writeFile(path, JSON.stringify(config));
    const { code, stderr } = await runCli(['diff', '-f', '-', '--kubeconfig', path], { input: configMap('on') });
    expect(stderr).toMatch(/^setpoint: the cluster does not accept these credentials.*\n$/);
    expect(code).toBe(4);
  });
});

describe('formats', () => {
  test('json is a versioned report', async () => {
    await using live = await stage(configMap('on'));
    const { stdout } = await live.diff(configMap('off'), '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: 'setpoint.dev/v1',
      kind: 'DiffReport',
      summary: { changed: 1, same: 0 },
      resources: [{ kind: 'ConfigMap', namespace: live.name, name: 'env', origin: '-#1', type: 'changed', patch: [{ op: 'test', path: '/data/mode', value: 'on' }, { op: 'replace', path: '/data/mode', value: 'off' }] }],
    });
  });

  test('jsonpatch: the API server, given the patch, makes what Git asks for', async () => {
    await using live = await stage(`${deployment(2)}---${configMap('on')}`);
    await cluster.kubectl(['set', 'image', 'deployment/web', 'app=nginx:2', '-n', live.name]);
    const wanted = `${deployment(4)}---${configMap('off')}`;
    const { stdout } = await live.diff(wanted, '-o', 'jsonpatch');
    const patches = JSON.parse(stdout) as { resource: string; patch: object[] }[];
    expect(patches).toHaveLength(2);
    for (const { resource, patch } of patches) {
      const [, kind = '', , name = ''] = resource.split('/');
      await cluster.kubectl(['patch', kind, name, '-n', live.name, '--type=json', '-p', JSON.stringify(patch)]);
    }
    expect((await live.diff(wanted)).code).toBe(0);
  });

  test('unified reads like diff -u, and quotes what YAML would misread', async () => {
    await using live = await stage(configMap('on'));
    const { stdout } = await live.diff(configMap('off'), '-o', 'unified');
    expect(stdout).toContain(`--- live ConfigMap ${live.name}/env`);
    expect(stdout).toMatch(/^- {2}mode: "on"$/m);
    expect(stdout).toMatch(/^\+ {2}mode: "off"$/m);
  });

  test('name lists what differs; trouble goes to stderr', async () => {
    await using live = await stage(configMap('on'));
    const { stdout, stderr } = await live.diff(`${configMap('off')}---\na: [\n`, '-o', 'name');
    expect(stdout).toBe(`/ConfigMap/${live.name}/env\n`);
    expect(stderr).toContain('-#2');
  });
});

describe('a folder', () => {
  test('is read with its subfolders, and origins are relative to it', async () => {
    await using live = await stage('');
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'sub'));
    await writeFile(join(folder.path, 'sub', 'a.yml'), configMap('on'));
    await writeFile(join(folder.path, 'notes.txt'), 'no manifest');
    const { stdout } = await runCli(['diff', '-f', folder.path, '-n', live.name, '--kubeconfig', cluster.kubeconfig]);
    expect(stdout).toContain('sub/a.yml#1');
  });

  test('without manifests is an error', async () => {
    await using folder = await tempFolder();
    expect(await runCli(['diff', '-f', folder.path])).toMatchObject({ code: 2, stderr: expect.stringContaining('has no .yaml') as string });
  });
});

describe('Secrets', () => {
  const secret = (value: string): string => `
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { password: "${value}" }
`;

  test('are compared exactly, shown by key only, and sent nowhere', async () => {
    await using live = await stage(secret('canary-live'));
    const audit = await cluster.auditLog();
    for (const format of ['tree', 'unified', 'json', 'jsonpatch', 'name']) {
      const { code, stdout, stderr } = await live.diff(secret('canary-git'), '-o', format);
      expect(code).toBe(1);
      expect(stdout).toContain('keys');
      for (const value of ['canary-live', 'canary-git']) {
        expect(stdout + stderr).not.toContain(value);
        expect(stdout + stderr).not.toContain(Buffer.from(value).toString('base64'));
      }
    }
    expect((await live.diff(secret('canary-live'))).code).toBe(0);
    const requests = (await audit.events()).filter(({ objectRef }) => objectRef?.resource === 'secrets' && objectRef.namespace === live.name);
    expect(requests.length).toBeGreaterThan(0);
    expect(new Set(requests.map(({ verb }) => verb))).toEqual(new Set(['get']));
  });

  test('that the server would refuse are refused without their value', async () => {
    await using live = await stage('');
    const { code, stdout } = await live.diff(secret('x').replace('"x"', '471147114711'));
    expect(stdout).toContain('stringData.password is not a string: quote it');
    expect(stdout).not.toContain('4711');
    expect(code).toBe(3);
  });
});

test('nothing is ever written', async () => {
  await using live = await stage(`${deployment(2)}---${configMap('on')}`);
  const audit = await cluster.auditLog();
  await live.diff(`${deployment(3)}---${configMap('off')}`);
  const ours = (await audit.events()).filter(({ userAgent, objectRef }) => userAgent?.startsWith('setpoint') === true && objectRef?.namespace === live.name);
  const writes = ours.filter(({ verb }) => verb !== 'get' && verb !== 'list');
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.filter(({ requestURI }) => !requestURI.includes('dryRun=All'))).toEqual([]);
});
