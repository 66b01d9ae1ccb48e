import { spawn } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { auditFlags, auditPolicy } from '../support/cluster/audit-policy.ts';
import { getCluster } from '../support/cluster/get-cluster.ts';
import { auditLogFile, configFile, kindFiles } from '../support/kind/cluster.ts';
import { kindSteps } from '../support/kind/steps.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..');

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, 'test', 'support', 'kind', 'run.ts'), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, stdout: output.join(''), stderr: errors.join('') };
}

/** Programs that write down how they were called; those of `failing` end with 1 when the arguments begin so. */
async function tools(folder: string, names: readonly string[], failing = 'nothing'): Promise<{ readonly env: Readonly<Record<string, string>>; called(): Promise<readonly string[]> }> {
  const [bin, log] = [join(folder, 'bin'), join(folder, 'called')];
  await mkdir(bin);
  await writeFile(log, '');
  for (const name of names) {
    const file = join(bin, name);
    // What kind is told is there before it is called, and so is the file that the API server appends to.
    const told = `for word in "$@"; do case "$word" in */kind.yaml) test -s "$word" && test -s "\${word%/*}/audit/policy.yaml" && test -w "\${word%/*}/audit/audit.log" || exit 9;; esac; done`;
    await writeFile(file, `#!/bin/sh\necho "\${0##*/} $*" >> ${log}\n${told}\ncase "\${0##*/} $*" in "${failing}"*) echo "it is asleep" >&2; exit 1;; esac\n`);
    await chmod(file, 0o755);
  }
  return { env: { PATH: bin, TMPDIR: folder }, called: async () => (await readFile(log, 'utf8')).trim().split('\n') };
}

const all = ['kind', 'helm', 'kubectl', 'docker', 'podman', 'npm', 'npx'];
/** Without the questions at the start, and without folders. */
const doneIn = (called: readonly string[]): readonly string[] => called.filter((line) => !/^(?:\w+ (?:info|version\b.*))$/.test(line)).map((line) => line.split(' ').slice(0, 3).join(' '));

test('--print shows the commands, and runs none of them', async () => {
  await using folder = await tempFolder();
  const { env, called } = await tools(folder.path, all);
  const { code, stdout } = await run(['--print'], env);
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.startsWith('# $'))).toEqual(['# $FOLDER/kind.yaml', '# $FOLDER/audit/policy.yaml', '# $FOLDER/audit/audit.log']);
  expect(lines.filter((line) => !line.startsWith('#')).map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual([
    ...['docker build -t localhost/setpoint:e2e .', 'docker save -o $FOLDER/image.tar localhost/setpoint:e2e', 'kind create cluster --name setpoint-e2e', '  at the end:'],
    ...['kind load image-archive $FOLDER/image.tar --name', 'helm install setpoint -n setpoint', 'kubectl exec -n setpoint deploy/setpoint', 'npm run build:control-plane', 'npm run build:render', 'helm uninstall setpoint -n setpoint'],
    ...['SETPOINT_TEST_KUBECONFIG=$FOLDER/kubeconfig SETPOINT_TEST_AUDIT_LOG=$FOLDER/audit/audit.log npx vitest run', ''],
  ]);
  // All files of the project, in whatever folder below.
  expect(stdout).toMatch(/ npx vitest run --project e2e\n$/);
  expect(code).toBe(0);
  expect(await called()).toEqual(['']);
});

test.each([
  { name: 'nothing is there', has: [], says: 'kind is not on the PATH; helm is not on the PATH; kubectl is not on the PATH; no container engine: docker is not on the PATH, podman is not on the PATH' },
  { name: 'only the engine is missing', has: ['kind', 'helm', 'kubectl'], says: 'no container engine: docker is not on the PATH, podman is not on the PATH' },
  { name: 'docker has no engine behind it', has: ['kind', 'helm', 'kubectl', 'docker'], failing: 'docker info', says: 'no container engine: docker is there and does not answer (it is asleep), podman is not on the PATH' },
])('when $name, one sentence says what is missing, and nothing is begun', async ({ has, failing, says }) => {
  await using folder = await tempFolder();
  const { env, called } = await tools(folder.path, has, failing);
  expect(await run([], env)).toEqual({ code: 2, stdout: '', stderr: `e2e:kind needs kind, helm, kubectl, and docker or podman: ${says}\n` });
  expect(doneIn(await called()).join('')).toBe('');
});

test.each([
  { name: 'all goes well', failing: 'nothing', code: 0, last: 'npx vitest run' },
  { name: 'the chart cannot be installed', failing: 'helm install', code: 1, last: 'helm install setpoint' },
  { name: 'a test fails', failing: 'npx', code: 1, last: 'npx vitest run' },
])('the cluster is removed when $name', async ({ failing, code, last }) => {
  await using folder = await tempFolder();
  const { env, called } = await tools(folder.path, all, failing);
  expect(await run([], env)).toMatchObject({ code });
  expect(doneIn(await called()).slice(-2)).toEqual([last, 'kind delete cluster']);
});

test('a cluster that was not made by this run is not removed', async () => {
  await using folder = await tempFolder();
  const { env, called } = await tools(folder.path, all, 'kind create');
  expect(await run([], env)).toMatchObject({ code: 1, stderr: expect.stringContaining('kind create cluster … ended with 1') as string });
  expect(doneIn(await called()).at(-1)).toBe('kind create cluster');
});

test('where there is only podman, kind is told to use it', async () => {
  await using folder = await tempFolder();
  const { env, called } = await tools(folder.path, all, 'docker info');
  expect(await run([], env)).toMatchObject({ code: 0 });
  expect(doneIn(await called())[0]).toBe('podman build -t');
  const steps = kindSteps({ engine: 'podman', folder: folder.path });
  expect(steps.filter(({ command }) => command[0] === 'kind').map((step) => step.env)).toEqual(steps.filter(({ command }) => command[0] === 'kind').map(() => ({ KIND_EXPERIMENTAL_PROVIDER: 'podman' })));
});

describe('the cluster of kind', () => {
  const folder = '/the/folder';
  const textOf = (path: string): string => kindFiles(folder).find((file) => file.path === path)?.text ?? '';
  interface Told {
    readonly kubeadmConfigPatches: readonly string[];
    readonly nodes: readonly { readonly role: string; readonly extraMounts: readonly { readonly hostPath: string; readonly containerPath: string }[] }[];
  }
  const told = parse(textOf(configFile(folder))) as Told;
  const mount = told.nodes[0]?.extraMounts[0];
  /** A path of the API server, as one of this machine. */
  const here = (path: string): string => path.replace(mount?.containerPath ?? '', mount?.hostPath ?? '');

  interface Patch {
    readonly apiVersion: string;
    readonly kind: string;
    readonly apiServer: { readonly extraArgs: Readonly<Record<string, string>> | readonly { readonly name: string; readonly value: string }[]; readonly extraVolumes: readonly object[] };
  }
  const patches = told.kubeadmConfigPatches.map((text) => parse(text) as Patch);

  test('is the one that the step makes, of one node', () => {
    const step = kindSteps({ engine: 'docker', folder }).find(({ command }) => command.includes('create'));
    expect(step?.command.join(' ')).toContain(` --config ${configFile(folder)} `);
    expect(told).toMatchObject({ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', nodes: [{ role: 'control-plane' }] });
  });

  test('is told the same in the words of both versions of kubeadm: a mapping in the old one, a list in the new one', () => {
    expect(patches.map(({ apiVersion, kind, apiServer: { extraArgs } }) => [apiVersion, kind, Array.isArray(extraArgs)])).toEqual([['kubeadm.k8s.io/v1beta3', 'ClusterConfiguration', false], ['kubeadm.k8s.io/v1beta4', 'ClusterConfiguration', true]]);
    const [old, young] = patches.map(({ apiServer: { extraArgs } }) => (Array.isArray(extraArgs) ? Object.fromEntries((extraArgs as readonly { name: string; value: string }[]).map(({ name, value }) => [name, value])) : extraArgs));
    expect(old).toEqual(young);
    expect(patches[0]?.apiServer.extraVolumes).toEqual(patches[1]?.apiServer.extraVolumes);
  });

  test('has an audit log like that of our own control plane, where the tests look for it', () => {
    const flags = patches[0]?.apiServer.extraArgs as Readonly<Record<string, string>>;
    expect(Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, here(value)]))).toEqual(auditFlags({ policyFile: join(folder, 'audit', 'policy.yaml'), logFile: auditLogFile(folder) }));
    expect(textOf(here(flags['audit-policy-file'] ?? ''))).toBe(auditPolicy);
    // From the machine into the node, and from the node into the pod of the API server.
    expect(patches[0]?.apiServer.extraVolumes).toEqual([{ name: 'setpoint-audit', hostPath: mount?.containerPath, mountPath: mount?.containerPath, pathType: 'Directory' }]);
    expect(kindSteps({ engine: 'docker', folder }).at(-1)?.env).toEqual({ SETPOINT_TEST_KUBECONFIG: join(folder, 'kubeconfig'), SETPOINT_TEST_AUDIT_LOG: auditLogFile(folder) });
  });
});

describe('a cluster that is given', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('has the audit log of SETPOINT_TEST_AUDIT_LOG, from where it is opened', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'audit.log');
    await writeFile(file, `${JSON.stringify({ verb: 'get' })}\n`);
    vi.stubEnv('SETPOINT_TEST_KUBECONFIG', join(folder.path, 'kubeconfig'));
    vi.stubEnv('SETPOINT_TEST_AUDIT_LOG', file);
    const cluster = await getCluster();
    const audit = await cluster.auditLog();
    await appendFile(file, `${JSON.stringify({ verb: 'patch' })}\n`);
    expect(await audit.events()).toEqual([{ verb: 'patch' }]);
    await cluster.stop();
  });

  test('has none without it, and says what is missing', async () => {
    vi.stubEnv('SETPOINT_TEST_KUBECONFIG', 'kubeconfig');
    vi.stubEnv('SETPOINT_TEST_AUDIT_LOG', '');
    const cluster = await getCluster();
    await expect(cluster.auditLog()).rejects.toThrow('SETPOINT_TEST_AUDIT_LOG names none');
    await cluster.stop();
  });
});
