import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { startCli } from '../support/cli.ts';
import { contextFiles, copiesOf, readStages, type Stage } from '../support/dockerfile.ts';
import { freePort } from '../support/free-port.ts';
import { makeSshKey } from '../support/ssh-keys.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const root = join(import.meta.dirname, '..', '..');
const stages = readStages(join(root, 'Dockerfile'));
const stage = (name: string): Stage => stages.find((each) => each.name === name) ?? { image: '', name, instructions: [] };
const last = stages.at(-1) ?? stage('none');
const all = stages.flatMap(({ instructions }) => instructions);
const inLast = (word: string): readonly string[] => last.instructions.filter((each) => each.word === word).map(({ rest }) => rest);

describe('the rules', () => {
  test('every image has a version, and none is the latest', () => {
    expect(stages.map(({ image }) => image)).toEqual([expect.stringMatching(/^golang:1\.26/), expect.stringMatching(/^node:24-/), expect.stringMatching(/^node:24-/), expect.stringMatching(/^node:24-/), expect.stringMatching(/^gcr\.io\/distroless\/nodejs24-\w+:nonroot/)]);
    expect(last.name).toBeUndefined();
  });

  test('what runs is nobody in particular, by number, and there is no shell to need', () => {
    expect(inLast('USER')).toEqual(['65532:65532']);
    expect(inLast('RUN')).toEqual([]);
    for (const word of ['ENTRYPOINT', 'CMD', 'VOLUME']) expect(inLast(word).map((rest) => JSON.parse(rest) as unknown)).toEqual([expect.any(Array)]);
    expect(inLast('HEALTHCHECK')).toEqual([expect.stringMatching(/^CMD \["\/nodejs\/bin\/node",/)]);
  });

  test('nothing is fetched by ADD, no package runs scripts, and nothing is named like a secret', () => {
    expect(all.filter(({ word }) => word === 'ADD')).toEqual([]);
    expect(all.filter(({ rest }) => /npm (?:ci|i|install)\b/.test(rest)).map(({ rest }) => rest)).toEqual([expect.stringContaining('npm ci --ignore-scripts')]);
    expect(all.filter(({ word, rest }) => ['ARG', 'ENV'].includes(word) && /TOKEN|PASSWORD|SECRET|_KEY/i.test(rest))).toEqual([]);
  });

  test('the labels say what it is and what it was made from', () => {
    const labels = [...inLast('LABEL').join(' ').matchAll(/org\.opencontainers\.image\.([\w.]+)=/g)].map(([, name]) => name);
    expect(labels).toEqual(['title', 'description', 'licenses', 'version', 'revision', 'created', 'source', 'base.name']);
    const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; license: string };
    expect(inLast('ARG')).toContain(`VERSION=${version}`);
    expect(inLast('LABEL').join(' ')).toContain(`licenses="${license}"`);
  });

  test('the label of the base image is the image that it is built from, also where another one is given', () => {
    const given = /^FROM (\$\{\w+\})$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? 'none';
    expect(inLast('LABEL').join(' ')).toContain(`org.opencontainers.image.base.name="${given}"`);
    // An ARG from before the first FROM has no value in a stage that does not ask for it.
    expect(inLast('ARG')).toContain(given.slice(2, -1));
  });

  test('every stage is copied from, by a later one', () => {
    const used = stages.flatMap((each, index) => copiesOf(each).flatMap(({ from }) => (from === undefined ? [] : [{ from, earlier: stages.slice(0, index).map(({ name }) => name) }])));
    expect(used.filter(({ from, earlier }) => !earlier.includes(from))).toEqual([]);
    expect(new Set(used.map(({ from }) => from))).toEqual(new Set(['go', 'render', 'agent', 'sbom']));
  });
});

const copied = stages.flatMap((each) => copiesOf(each).filter(({ from }) => from === undefined).flatMap(({ sources }) => sources));

test.each([...new Set(copied)])('%s is there to be copied, and not ignored', (source) => {
  expect(contextFiles(root, source)).not.toEqual([]);
});

test('nothing else is sent to the build', () => {
  expect(contextFiles(root, 'test')).toEqual([]);
  expect(contextFiles(root, 'docs')).toEqual([]);
  const kept = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(kept.filter((path) => !copied.some((source) => source === path || source.startsWith(`${path}/`)))).toEqual([]);
});

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** With no more of this machine than its Node. */
async function node(args: readonly string[], { cwd, env = {} }: Run): Promise<Ran> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, stdout: output.join(''), stderr: errors.join('') };
}

/** What a stage has of the sources, in a folder. */
async function lay(given: Stage, folder: string): Promise<void> {
  for (const { from, sources } of copiesOf(given)) {
    for (const file of from === undefined ? sources.flatMap((source) => contextFiles(root, source)) : []) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, file), join(folder, file));
    }
  }
}

describe('the image', () => {
  const parts = new AsyncDisposableStack();
  let [app, elsewhere] = ['', ''];
  const env = (): Readonly<Record<string, string>> => ({ NODE_OPTIONS: /NODE_OPTIONS="([^"]+)"/.exec(inLast('ENV').join(' '))?.[1] ?? '', HOME: elsewhere, XDG_STATE_HOME: elsewhere, XDG_CACHE_HOME: elsewhere, TMPDIR: elsewhere });
  const setpoint = (...args: readonly string[]): Promise<Ran> => node([join(app, 'bin', 'setpoint.js'), ...args], { cwd: elsewhere, env: env() });

  beforeAll(async () => {
    const [build, image, work] = [parts.use(await tempFolder()), parts.use(await tempFolder()), parts.use(await tempFolder())];
    [app, elsewhere] = [join(image.path, 'app'), work.path];
    await lay(stage('agent'), build.path);
    await symlink(join(root, 'node_modules'), join(build.path, 'node_modules'));
    const bundled = await node(['release/bundle.ts'], { cwd: build.path });
    if (bundled.code !== 0) throw new Error(`the bundle was not made: ${bundled.stderr}`);
    await lay(last, app);
    await cp(join(build.path, 'dist', 'agent'), join(app, 'dist', 'agent'), { recursive: true });
    await cp(await buildRenderEngine(), join(app, 'dist', 'render-engine'), { recursive: true });
    return () => parts.disposeAsync();
  }, 600_000);

  test('has no sources and no packages', async () => {
    expect((await readdir(app)).toSorted()).toEqual(['LICENSE', 'bin', 'dist', 'package.json']);
  });

  test('runs, renders a chart in its sandbox, and writes nothing beside its own files', async () => {
    const before = await readdir(app, { recursive: true });
    expect(await setpoint('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\.1\.0/) as string });
    const { code, stdout, stderr } = await setpoint('render', '-f', join(root, 'charts', 'setpoint'), '--set', 'image.repository=x', '-o', 'name');
    expect(stderr).toBe('');
    expect(stdout).toContain('apps/Deployment default/setpoint');
    expect(stdout).toContain('apiextensions.k8s.io/CustomResourceDefinition applications.setpoint.dev');
    expect(code).toBe(0);
    expect(await readdir(app, { recursive: true })).toEqual(before);
  }, 60_000);

  test('can speak SSH: a server that is not there is what is missing, and not a package', async () => {
    const credentials = join(elsewhere, 'credentials');
    await mkdir(credentials);
    await writeFile(join(credentials, 'identity'), (await makeSshKey('ed25519')).privateKey);
    await writeFile(join(credentials, 'known_hosts'), '127.0.0.1 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n');
    const { code, stderr } = await setpoint('render', '--repo', `ssh://git@127.0.0.1:${await freePort()}/fleet`, '--git-credentials', credentials);
    expect(stderr).toMatch(/127\.0\.0\.1\b.*the connection was refused/);
    expect(code).toBe(2);
  });

  test('says what it is made of, packages and Go modules, where its label points', async () => {
    const made = join(elsewhere, 'sbom');
    await lay(stage('sbom'), made);
    await cp(join(app, 'dist'), join(made, 'dist'), { recursive: true });
    const [, script = '', ...args] = /node (\S+) (\S+) > \/image\/(\S+)/.exec(stage('sbom').instructions.map(({ rest }) => rest).join('\n')) ?? [];
    const { code, stdout, stderr } = await node([script, args[0] ?? ''], { cwd: made });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { components } = JSON.parse(stdout) as { components: { purl: string }[] };
    const purls = components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
    expect(purls).toEqual(expect.arrayContaining(['pkg:npm/bullmq', 'pkg:npm/commander', 'pkg:golang/helm.sh/helm/v4', 'pkg:golang/sigs.k8s.io/kustomize/api']));
    expect(inLast('LABEL').join(' ')).toContain(`dev.setpoint.image.sbom="/app/${args[1] ?? ''}"`);
  });

  test('starts by a file that needs neither a shell nor env', async () => {
    const text = /printf '([^']+)' > \/root-files(\S+)/.exec(stage('agent').instructions.map(({ rest }) => rest).join('\n'));
    expect(JSON.parse(inLast('ENTRYPOINT')[0] ?? '')).toEqual([text?.[2]]);
    const [first, ...rest] = (text?.[1] ?? '').split(String.raw`\n`);
    expect(first).toBe('#!/nodejs/bin/node');
    const file = join(elsewhere, 'setpoint-start');
    await writeFile(file, rest.join('\n').replace('/app/', `${app}/`));
    expect(await node([file, '--version'], { cwd: elsewhere, env: env() })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\.1\.0/) as string });
    await rm(file);
  });

  test.each([
    [200, 0],
    [503, 1],
  ])('is healthy as /healthz says: %d ends the check with %d', async (status, wanted) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const [, ...args] = JSON.parse((inLast('HEALTHCHECK')[0] ?? '').replace('CMD ', '').replace(':8081/', `:${port}/`)) as string[];
    expect((await node(args, { cwd: elsewhere })).code).toBe(wanted);
    expect(asked).toEqual(['/healthz']);
    await new Promise((resolve) => server.close(resolve));
    expect((await node(args, { cwd: elsewhere })).code).toBe(1);
  });
});

test('the image listens where its health check asks, whatever it is told to look after', async () => {
  const [, port] = /127\.0\.0\.1:(\d+)\//.exec(inLast('HEALTHCHECK')[0] ?? '') ?? [];
  const [, name = '', address = ''] = /(SETPOINT_\w+)=(\S+)/.exec(inLast('ENV').join(' ')) ?? [];
  expect(address).toBe(`0.0.0.0:${port ?? ''}`);
  await using folder = await tempFolder();
  const free = await freePort();
  const kubeconfig = join(folder.path, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify({ clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${await freePort()}` } }], contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }], users: [{ name: 'u', user: { token: 't' } }], 'current-context': 'c' }));
  const repo = `http://127.0.0.1:${await freePort()}/fleet`;
  await using agent = startCli(['run', '--repo', repo, '--kubeconfig', kubeconfig, '--state', join(folder.path, 'state')], { env: { [name]: `127.0.0.1:${free}` } });
  const answer = await waitFor(() => fetch(`http://127.0.0.1:${free}/healthz`).catch(() => undefined), { what: 'the agent to answer', deadlineMs: 60_000 });
  expect(answer.status).toBe(200);
  await agent.stop();
}, 90_000);

test('the stage of the render engine has all that it is built from', async () => {
  await using folder = await tempFolder();
  await lay(stage('render'), folder.path);
  const script = "import('./src/render/engine/wasm/locate-module.ts').then(async ({ builtFolder }) => console.log(await builtFolder({ XDG_CACHE_HOME: '/cache' })), (error) => console.error(error))";
  const [here, there] = await Promise.all([node(['-e', script], { cwd: root }), node(['-e', script], { cwd: folder.path })]);
  expect(there.stderr).toBe('');
  expect(there.stdout).toMatch(/^\/cache\/setpoint\/render-engine\/[0-9a-f]{16}\n$/);
  // The name of the folder is the hash of the sources: it is the very same module.
  expect(there.stdout).toBe(here.stdout);
  expect(await node(['-e', "import('./render-engine/build.ts').then(({ buildRenderEngine }) => console.log(typeof buildRenderEngine))"], { cwd: folder.path })).toMatchObject({ code: 0, stdout: 'function\n' });
});
