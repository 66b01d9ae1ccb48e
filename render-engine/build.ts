// Builds the render engine with Go, once per machine and change of these sources: `npm run build:render`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtFolder, moduleFileNames, sourceFolder } from '../src/render/engine/wasm/locate-module.ts';
import { thirdPartyNotices, type ThirdParty } from '../release/third-party-notices.ts';
import { limitMemory } from './limit-memory.ts';

/** The memory that one render may take. main.go tells Go's collector to stay below it. */
const maximumMemoryBytes = 256 * 1024 * 1024;

/** Printed where a kustomization wants the label managed-by: that of the kubectl that has this version of the library. */
const kustomizeVersion = 'v5.8.1';
const linkerFlags = `-s -w -X sigs.k8s.io/kustomize/api/provenance.version=${kustomizeVersion}`;

class NoGo extends Error {}

/** The folder of the built module; builds it where it is not there yet, with progress on stderr. */
export async function buildRenderEngine(): Promise<string> {
  const folder = await builtFolder(process.env);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const lock = `${folder}.building`;
  if (!(await takeLock(lock, folder))) return folder;
  try {
    // Another run may have ended between our look at the folder and at the lock.
    if (existsSync(folder)) return folder;
    const unfinished = `${folder}.unfinished-${process.pid}`;
    await mkdir(unfinished);
    try {
      await build(unfinished, basename(folder));
      await rename(unfinished, folder);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
    return folder;
  } finally {
    await rm(lock, { force: true });
  }
}

async function build(folder: string, version: string): Promise<void> {
  const root = (await go(['env', 'GOROOT'])).trim();
  say('building the render engine (Helm, Kustomize) with Go: once per machine, 1 to 3 minutes on 2 cores');
  const started = Date.now();
  const wasm = join(folder, moduleFileNames.wasm);
  const progress = setInterval(() => say(`building the render engine: ${secondsSince(started)} s`), 20_000);
  try {
    await go(['build', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags, '-o', wasm, '.']);
  } finally {
    clearInterval(progress);
  }
  await writeFile(wasm, limitMemory(await readFile(wasm), maximumMemoryBytes), { mode: 0o644 });
  await copyFile(join(root, 'lib', 'wasm', 'wasm_exec.js'), join(folder, moduleFileNames.support));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE-go'));
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(await modulesInside()));
  await writeFile(join(folder, moduleFileNames.version), `${version}\n`);
  say(`render engine built in ${secondsSince(started)} s`);
}

/** Those whose code is in it, and not all that go.mod names. What stands in for some of them is ours. */
async function modulesInside(): Promise<readonly ThirdParty[]> {
  const template = '{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}';
  const lines = new Set((await go(['list', '-mod=readonly', '-deps', '-f', template, '.'])).split('\n').filter((line) => line !== ''));
  return [...lines].map((line) => {
    const [name = '', version = '', ...folder] = line.split(' ');
    return { name, version, folder: folder.join(' ') };
  });
}

async function go(argv: readonly string[]): Promise<string> {
  const child = spawn('go', argv, {
    cwd: sourceFolder,
    env: { ...process.env, GOOS: 'js', GOARCH: 'wasm', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, messages]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve).once('error', () => reject(new NoGo('The render engine is built with Go 1.26 or newer, and there is no `go` on the PATH.')));
  });
  if (code !== 0) throw new Error(`go ${argv[0]} of the render engine failed:\n${messages.join('').slice(-4000)}`);
  return output.join('');
}

/** False where another run has built it meanwhile. */
async function takeLock(path: string, built: string): Promise<boolean> {
  for (;;) {
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (existsSync(built)) return false;
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (owner > 0 && !isRunning(owner)) await rm(path, { force: true });
    await sleep(500);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function secondsSince(started: number): number {
  return Math.round((Date.now() - started) / 1000);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

if (import.meta.main) {
  try {
    process.stdout.write(`${await buildRenderEngine()}\n`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof NoGo ? 2 : 1;
  }
}
