import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    await writeFile(file, `#!/bin/sh\necho "\${0##*/} $*" >> ${log}\ncase "\${0##*/} $*" in "${failing}"*) echo "it is asleep" >&2; exit 1;; esac\n`);
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
  expect(stdout.split('\n').map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual([
    ...['docker build -t localhost/setpoint:e2e .', 'docker save -o $FOLDER/image.tar localhost/setpoint:e2e', 'kind create cluster --name setpoint-e2e', '  at the end:'],
    ...['kind load image-archive $FOLDER/image.tar --name', 'helm install setpoint -n setpoint', 'kubectl exec -n setpoint deploy/setpoint', 'npm run build:control-plane', 'npm run build:render', 'helm uninstall setpoint -n setpoint'],
    ...['SETPOINT_TEST_KUBECONFIG=$FOLDER/kubeconfig npx vitest run --project', ''],
  ]);
  expect(stdout).toContain('test/e2e/applications.test.ts');
  expect(stdout).not.toContain('steady-state');
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
  const steps = kindSteps({ engine: 'podman', folder: folder.path, root });
  expect(steps.filter(({ command }) => command[0] === 'kind').map((step) => step.env)).toEqual(steps.filter(({ command }) => command[0] === 'kind').map(() => ({ KIND_EXPERIMENTAL_PROVIDER: 'podman' })));
});
