// Where the real Kubernetes for tests comes from: a cached multi-call binary, or a Go build of test/support/control-plane.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const moduleFolder = join(import.meta.dirname, 'control-plane');
const kubernetesVersion = 'v1.36.3';
const buildDeadlineMs = 30 * 60_000;

export interface Located<T> {
  readonly value: T;
  /** One phrase for people: "built in 312 s", "cached". */
  readonly origin: string;
}

/** The path of the multi-call binary; builds it on the first call of a machine, with progress on stderr. */
export async function controlPlaneBinary(): Promise<string> {
  return (await locateControlPlane()).value;
}

export async function locateControlPlane(): Promise<Located<string>> {
  const folder = join(cacheFolder(), 'control-plane', await moduleHash());
  const binary = join(folder, 'control-plane');
  if (existsSync(binary)) return { value: binary, origin: `cached control plane, Kubernetes ${kubernetesVersion}` };
  await mkdir(folder, { recursive: true });
  const lock = await takeLock(join(folder, 'building'), binary);
  if (lock === 'built-by-another') return { value: binary, origin: 'control plane just built by another run' };
  try {
    const seconds = await build(binary);
    return { value: binary, origin: `control plane, Kubernetes ${kubernetesVersion}, built in ${seconds} s` };
  } finally {
    await lock.release();
  }
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'setpoint');
}

async function moduleHash(): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(await readFile(join(moduleFolder, file)));
  return hash.digest('hex').slice(0, 16);
}

async function build(binary: string): Promise<number> {
  if (spawnSync('go', ['version']).status !== 0) {
    throw new Error(
      'The tests need a Kubernetes API server and found none.\n' +
        'Install Go 1.26 or newer (it is built once, in 4 to 11 minutes), or set SETPOINT_TEST_KUBECONFIG or KUBEBUILDER_ASSETS.',
    );
  }
  say(`building the control plane (Kubernetes ${kubernetesVersion}) with Go: once per machine, 4 to 11 minutes on 2 cores`);
  const started = Date.now();
  const unfinished = `${binary}.unfinished`;
  const flags = `-s -w -X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`;
  const child = spawn('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', unfinished, '.'], {
    cwd: moduleFolder,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
  const progress = setInterval(() => {
    const downloads = messages.join('').split('go: downloading').length - 1;
    say(`building the control plane: ${secondsSince(started)} s, ${downloads} modules downloaded`);
  }, 30_000);
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(progress);
  if (code !== 0) throw new Error(`go build of the control plane failed:\n${messages.join('').slice(-4000)}`);
  await rename(unfinished, binary);
  say(`control plane built in ${secondsSince(started)} s`);
  return secondsSince(started);
}

/** Two runs on a machine that has no binary yet must not build it twice. */
async function takeLock(path: string, binary: string): Promise<'built-by-another' | { release(): Promise<void> }> {
  for (;;) {
    try {
      const handle = await open(path, 'wx');
      await handle.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (existsSync(binary)) return 'built-by-another';
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > buildDeadlineMs) await rm(path, { force: true });
    await sleep(1000);
  }
}

function secondsSince(started: number): number {
  return Math.round((Date.now() - started) / 1000);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
