import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SetpointError } from '../../src/model/index.ts';
import { createBinaryEngine, type BinaryEngine, type BinaryEngineOptions } from '../../src/render/engine/binaries/binary-engine.ts';
import { chart, configMap, failureOf, helm, kustomize, render } from '../contract/render-engine/subject.ts';
import { memoryTree } from '../support/memory-tree.ts';
import { renderBinaries, writeProgram } from '../support/render-binaries.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const system = ['/usr/bin', '/bin'];
const canUnshare = spawnSync('unshare', ['--net', '--', 'true']).status === 0;
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
const simple = chart({ 'templates/a.yaml': configMap('a') });
const overlay = { 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': configMap('a') };

interface Machine {
  /** Where programs are installed. */
  readonly bin: string;
  /** Where the folders of renders are made. */
  readonly work: string;
  /** For what the programs leave behind. */
  readonly notes: string;
  open(options?: Partial<BinaryEngineOptions>): BinaryEngine;
}

async function machine(programs: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const folder = await tempFolder();
  onTestFinished(folder.remove);
  const [bin, work, notes] = [join(folder.path, 'bin'), join(folder.path, 'work'), join(folder.path, 'notes')];
  for (const each of [bin, work, notes]) await mkdir(each);
  for (const [name, script] of Object.entries(programs)) await writeProgram(join(bin, name), script.replaceAll('NOTES', notes));
  const open = (options: Partial<BinaryEngineOptions> = {}): BinaryEngine => {
    const engine = createBinaryEngine({ path: [bin, ...system], temporaryFolder: work, ...options });
    onTestFinished(() => engine.close());
    return engine;
  };
  return { bin, work, notes, open };
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

describe('the child that renders', () => {
  it('sees only what it needs in its environment', async () => {
    vi.stubEnv('SETPOINT_CANARY', 'canary-4711');
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { open, work } = await machine({ helm: 'exec /usr/bin/env' });
    const { text } = await render(open(), helm(), simple);
    const environment = Object.fromEntries(text.trim().split('\n').map((line) => line.split('=', 2)));
    const own = ['HOME', 'PATH', 'TMPDIR', 'KUBECONFIG', ...Object.keys(environment).filter((name) => /^(?:XDG|HELM)_/.test(name) && name !== 'HELM_NO_PLUGINS')];
    expect(Object.keys(environment).filter((name) => !own.includes(name) && !/^(?:_|PWD|OLDPWD|SHLVL)$/.test(name)).toSorted()).toEqual(['GOMEMLIMIT', 'HELM_NO_PLUGINS', 'LANG', 'TZ']);
    expect(own.map((name) => String(environment[name]).startsWith(`${work}/setpoint-render-`))).toEqual(own.map(() => true));
    expect(text).not.toMatch(/canary-4711|127\.0\.0\.1/);
  });

  it('has a folder of its own that no one else can enter, with plain files only', async () => {
    const { open } = await machine({ helm: "/usr/bin/stat -c '%a %F' . tree tree/charts/web/Chart.yaml tree/charts/web/link\n/bin/ls tree tree/charts" });
    const files = { ...chart({ link: { link: '../../other/file' } }), 'other/file': 'x', 'charts/api/Chart.yaml': 'x' };
    const { text } = await render(open(), helm(), files);
    expect(text.replaceAll(/ +/g, ' ')).toBe('700 directory\n700 directory\n600 regular file\n600 regular file\ntree:\ncharts\n\ntree/charts:\nweb\n');
  });

  it('is told values that look like flags as values', async () => {
    const { open, work } = await machine({ helm: 'for each; do echo "[$each]"; done' });
    const { text } = await render(open(), helm({ releaseName: '--post-renderer=/x', namespace: '-n', parameters: [{ name: '--a', value: '-b', forceString: true }], fileParameters: [{ name: 'f', content: 'x' }], values: '{}' }), simple);
    const lines = text.replaceAll(/\[.*\/setpoint-render-\w+/g, '[FOLDER').trim().split('\n');
    expect(lines).toEqual(['[template]', '[--namespace=-n]', '[--include-crds]', '[--set-string=--a=-b]', '[--values=setpoint-values-0.yaml]', '[--set-file=f=setpoint-parameter-0]', '[--]', '[--post-renderer=/x]', '[FOLDER/tree/charts/web]']);
    expect(await readdir(work)).toEqual([]);
  });

  it.skipIf(!canUnshare)('has no network', async () => {
    const { open } = await machine({ helm: "/bin/sed -n 's/:.*//p' /proc/net/dev" });
    const engine = open();
    expect((await engine.isolation()).network).toBe(true);
    expect((await render(engine, helm(), simple)).text.trim()).toBe('lo');
  });

  it.skipIf(!hasPrlimit)('is bounded by the kernel', async () => {
    const { open } = await machine({ helm: 'ulimit -d; ulimit -t; ulimit -n; ulimit -c' });
    const engine = open({ limits: { memoryBytes: 256 * 1024 * 1024, cpuSeconds: 7 } });
    expect((await engine.isolation()).limits).toBe(true);
    expect((await render(engine, helm(), simple)).text.split('\n').slice(0, 4)).toEqual(['262144', '7', '256', '0']);
  });

  it.skipIf(!hasPrlimit)('ends when its processor time is up', async () => {
    await using binaries = await renderBinaries();
    const { open } = await machine();
    const endless = chart({ 'templates/a.yaml': '{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}' });
    const { code, message } = await failureOf(render(open({ path: [binaries.folder, ...system], limits: { cpuSeconds: 1 } }), helm(), endless));
    expect([code, message]).toEqual(['RenderTimeout', expect.stringContaining('1 s of processor time')]);
  });

  it('runs without the programs that hold it, and says so', async () => {
    await using binaries = await renderBinaries();
    const { open } = await machine();
    const engine = open({ path: [binaries.folder] });
    expect(await engine.isolation()).toEqual({ network: false, limits: false });
    expect((await render(engine, helm(), simple)).text).toContain('name: a\n');
  });

  it('runs where those programs are there and not allowed, and says so', async () => {
    const { bin, open } = await machine({ unshare: 'echo not permitted >&2; exit 1', prlimit: 'exit 1', helm: 'echo fine' });
    const engine = open({ path: [bin] });
    expect(await engine.isolation()).toEqual({ network: false, limits: false });
    expect((await render(engine, helm(), simple)).text).toBe('fine\n');
  });
});

describe('a child that does not end', () => {
  const stubborn = "trap '' TERM\n/bin/sleep 600 &\necho $! > NOTES/child\necho $$ > NOTES/self\nwhile :; do /bin/sleep 1; done";
  const pids = (notes: string): readonly number[] => ['self', 'child'].map((name) => Number(readFileSync(join(notes, name), 'utf8')));

  const ends: readonly { readonly what: string; stop(engine: BinaryEngine, abort: AbortController): void; readonly wanted: RegExp }[] = [
    { what: 'the deadline', stop: () => undefined, wanted: /did not end within/ },
    { what: 'an abort', stop: (_engine, abort) => abort.abort(new SetpointError('Internal', 'no longer wanted')), wanted: /no longer wanted/ },
    { what: 'the end of the engine', stop: (engine) => void engine.close(), wanted: /closed/ },
  ];
  it.each(ends)('is killed with all it started at $what, and its folder goes', async ({ what, stop, wanted }) => {
    const { open, notes, work } = await machine({ helm: stubborn });
    const engine = open({ limits: { graceMs: 100, deadlineMs: what === 'the deadline' ? 700 : 60_000 } });
    const abort = new AbortController();
    const failure = failureOf(engine.render(helm(), memoryTree(simple), abort.signal));
    await waitFor(() => existsSync(join(notes, 'self')) && readFileSync(join(notes, 'self'), 'utf8') !== '', { what: 'the child to start' });
    expect(readdirSync(work)).toHaveLength(1);
    stop(engine, abort);
    expect((await failure).message).toMatch(wanted);
    expect(readdirSync(work)).toEqual([]);
    await waitFor(() => pids(notes).every((pid) => !isRunning(pid)), { what: 'both processes to be gone' });
  });

  it('may have left another behind, which neither holds us up nor stays', async () => {
    const { open, notes } = await machine({ helm: '/bin/sleep 600 &\necho $! > NOTES/child\necho $$ > NOTES/self\necho done' });
    expect((await render(open(), helm(), simple)).text).toBe('done\n');
    await waitFor(() => pids(notes).every((pid) => !isRunning(pid)), { what: 'the other to be gone' });
  });

  it('may have left one behind that left the group, which holds us up until the deadline at most', async () => {
    const { open, notes, work } = await machine({ helm: `/usr/bin/setsid /bin/sh -c 'echo $$ > NOTES/child; exec /bin/sleep 60' &\nwhile [ ! -s NOTES/child ]; do :; done\necho $$ > NOTES/self\necho done` });
    const { code } = await failureOf(render(open({ limits: { deadlineMs: 500, graceMs: 100 } }), helm(), simple));
    const [, left = 0] = pids(notes);
    if (isRunning(left)) process.kill(left, 'SIGKILL');
    expect([code, await readdir(work)]).toEqual(['RenderTimeout', []]);
  });

  it('and writes without end is stopped at the limit', async () => {
    const { open, work } = await machine({ helm: 'exec /usr/bin/yes' });
    const { code } = await failureOf(render(open({ limits: { outputBytes: 1_000_000 } }), helm(), simple));
    expect([code, await readdir(work)]).toEqual(['SourceTooLarge', []]);
  });

  it('and complains without end does not fill our memory', async () => {
    const { open } = await machine({ helm: '/usr/bin/yes complaint | /usr/bin/head -c 30000000 >&2; exit 3' });
    const { code, message } = await failureOf(render(open(), helm(), simple));
    expect([code, message.length < 5_000]).toEqual(['RenderFailed', true]);
  });
});

describe('the programs', () => {
  it('that are missing are named, with where they were looked for', async () => {
    const { bin, open, work } = await machine();
    const engine = open({ path: [bin, 'relative'] });
    const failures = [await failureOf(render(engine, helm(), simple)), await failureOf(render(engine, kustomize('k'), overlay))];
    expect(failures.map(({ code }) => code)).toEqual(['RendererMissing', 'RendererMissing']);
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining(`helm was not found in ${bin}`), expect.stringContaining(`kustomize or kubectl was not found in ${bin}`)]);
    expect(await readdir(work)).toEqual([]);
  });

  it('that go and come back are noticed', async () => {
    const { bin, open } = await machine({ helm: 'echo first' });
    const engine = open({ path: [bin] });
    expect((await render(engine, helm(), simple)).text).toBe('first\n');
    await rm(join(bin, 'helm'));
    expect((await failureOf(render(engine, helm(), simple))).code).toBe('RendererMissing');
    await writeProgram(join(bin, 'helm'), 'echo second');
    expect((await render(engine, helm(), simple)).text).toBe('second\n');
  });

  it('are kustomize before kubectl, each in its own words', async () => {
    const { open, bin } = await machine({ kustomize: 'echo kustomize "$@"', kubectl: 'echo kubectl "$@"' });
    expect((await render(open(), kustomize('k'), overlay)).text).toBe('kustomize build --load-restrictor=LoadRestrictionsRootOnly -- .\n');
    await writeFile(join(bin, 'kustomize'), '', { mode: 0o600 });
    spawnSync('chmod', ['600', join(bin, 'kustomize')]);
    expect((await render(open(), kustomize('k'), overlay)).text).toBe('kubectl kustomize --load-restrictor=LoadRestrictionsRootOnly -- .\n');
  });

  it('have a version that changes with them', async () => {
    const { open, bin } = await machine({ helm: 'echo 1' });
    const engine = open({ path: [bin] });
    const before = await engine.version();
    expect(before).toContain('no kustomize or kubectl');
    expect(await engine.version()).toBe(before);
    await writeProgram(join(bin, 'helm'), 'echo another');
    expect(await engine.version()).not.toBe(before);
  });
});

describe('what is handed to the child', () => {
  it.each([
    { what: 'too many files', limits: { files: 3 }, files: chart(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'x']))) },
    { what: 'too many bytes', limits: { fileBytes: 1000 }, files: chart({ a: 'x'.repeat(2000) }) },
  ])('is refused for $what', async ({ limits, files }) => {
    const { open, work } = await machine({ helm: 'echo never' });
    expect((await failureOf(render(open({ limits }), helm(), files))).code).toBe('SourceTooLarge');
    expect(await readdir(work)).toEqual([]);
  });

  it('is refused for a parameter longer than a command line takes', async () => {
    const { open } = await machine({ helm: 'echo never' });
    const request = helm({ parameters: [{ name: 'a', value: 'x'.repeat(300_000), forceString: false }] });
    expect((await failureOf(render(open(), request, simple))).code).toBe('SourceTooLarge');
  });

  it.each(['a\0b'])('is refused for a NUL character', async (value) => {
    const { open } = await machine({ helm: 'echo never' });
    expect((await failureOf(render(open(), helm({ parameters: [{ name: 'a', value, forceString: false }] }), simple))).code).toBe('RenderFailed');
  });

  it.each(['a,b', '"x', 'a b', ''])('is refused for the API version %j', async (version) => {
    const { open } = await machine({ helm: 'echo never' });
    expect((await failureOf(render(open(), helm({ apiVersions: [version] }), simple))).code).toBe('RenderFailed');
  });

  it('is refused for a packed chart whose schema refers elsewhere', async () => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, 'sub'));
    await writeFile(join(folder.path, 'sub/Chart.yaml'), 'apiVersion: v2\nname: sub\nversion: 1.0.0\n');
    await writeFile(join(folder.path, 'sub/values.schema.json'), '{"$ref": "file:///etc/hostname"}');
    expect(spawnSync('tar', ['-czf', 'sub.tgz', 'sub'], { cwd: folder.path }).status).toBe(0);
    const { open } = await machine({ helm: 'echo never' });
    const { code, message } = await failureOf(render(open(), helm(), chart({ 'charts/sub-1.0.0.tgz': await readFile(join(folder.path, 'sub.tgz')) })));
    expect([code, message]).toEqual(['RenderFailed', expect.stringMatching(/sub-1\.0\.0\.tgz.*file:\/\/\/etc\/hostname/)]);
  });
});

describe('the output', () => {
  it('is byte for byte what the programs print from a checkout', async () => {
    await using binaries = await renderBinaries();
    await using folder = await tempFolder();
    const run = (name: string, args: readonly string[]): string => spawnSync(join(binaries.folder, name), args, { cwd: folder.path, encoding: 'utf8', env: { HOME: folder.path } }).stdout;
    run('helm', ['create', 'web']);
    await mkdir(join(folder.path, 'k'));
    for (const [path, content] of Object.entries(overlay)) await writeFile(join(folder.path, path), content);
    const paths = (await readdir(folder.path, { recursive: true })).filter((path) => /^(?:web|k)\//.test(path) && statSync(join(folder.path, path)).isFile());
    const tree = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder.path, path))] as const)));
    const { open } = await machine();
    const engine = open({ path: [binaries.folder, ...system] });
    const chartText = run('helm', ['template', 'shop', 'web', '--namespace', 'prod', '--include-crds', '--set', 'replicaCount=3', '--set', 'ingress.enabled=true']);
    expect(chartText).toContain('kind: Ingress');
    const request = helm({ chart: 'web', releaseName: 'shop', parameters: [{ name: 'replicaCount', value: '3', forceString: false }, { name: 'ingress.enabled', value: 'true', forceString: false }] });
    expect((await render(engine, request, tree)).text).toBe(chartText);
    expect((await render(engine, kustomize('k'), tree)).text).toBe(run('kubectl', ['kustomize', 'k']));
  });
});
