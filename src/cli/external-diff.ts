import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetpointError, type Diff } from '../model/index.ts';
import { isComparable, sidesOf } from './format/index.ts';

export interface ExternalDiff {
  readonly command: string;
  readonly args: readonly string[];
  /** Words of the variable that are not passed on. */
  readonly dropped: readonly string[];
}

/** `KUBECTL_EXTERNAL_DIFF` as kubectl reads it: words without a shell, and of the arguments only harmless ones. */
export function externalDiffFrom(env: NodeJS.ProcessEnv): ExternalDiff | undefined {
  const [command, ...words] = (env['KUBECTL_EXTERNAL_DIFF'] ?? '').split(/\s+/).filter((word) => word !== '');
  if (command === undefined) return undefined;
  const isHarmless = (word: string): boolean => /^[a-zA-Z0-9=-]+$/.test(word);
  return { command, args: words.filter(isHarmless), dropped: words.filter((word) => !isHarmless(word)) };
}

/** Shows two folders, LIVE and MERGED, to a program of the user's choice. They hold what the formats print: Secrets are masked. */
export async function runExternalDiff(program: ExternalDiff, diffs: readonly Diff[], process: NodeJS.Process): Promise<void> {
  const files = filesOf(diffs);
  if (files.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-diff-'));
  let child: ChildProcess | undefined;
  const clear = (): void => {
    child?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const terminate = (): never => process.exit(143);
  // An interrupt exits the process at once; this runs even then.
  process.once('exit', clear).once('SIGTERM', terminate);
  try {
    const [live, merged] = [join(folder, 'LIVE'), join(folder, 'MERGED')];
    await Promise.all([mkdir(live), mkdir(merged)]);
    await Promise.all(
      files.flatMap((file) => [writeFile(join(live, file.name), file.live, { mode: 0o600 }), writeFile(join(merged, file.name), file.git, { mode: 0o600 })]),
    );
    // kubectl puts the folders first, and tools rely on it.
    child = spawn(program.command, [live, merged, ...program.args], { stdio: ['ignore', 'inherit', 'inherit'], shell: false });
    await succeeded(child, program.command);
  } finally {
    process.off('exit', clear).off('SIGTERM', terminate);
    await rm(folder, { recursive: true, force: true });
  }
}

function succeeded(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (what: string, cause?: unknown): void => reject(new SetpointError('Usage', `KUBECTL_EXTERNAL_DIFF: ${command} ${what}`, { cause }));
    child.once('error', (error) => fail(`cannot be run: ${error.message}`, error));
    child.once('close', (code, signal) => {
      if (code === 0 || code === 1) resolve();
      else fail(code === null ? `was ended by ${String(signal)}` : `failed with exit code ${code}`);
    });
  });
}

interface SideFile {
  readonly name: string;
  readonly live: string;
  readonly git: string;
}

// A file name may have 255 bytes.
const longestName = 200;

/** One file on each side per resource that differs, named as kubectl names them: `apps.v1.Deployment.shop.web`. */
function filesOf(diffs: readonly Diff[]): readonly SideFile[] {
  const taken = new Set<string>();
  return diffs.filter(isComparable).map((diff) => {
    const { apiVersion, kind, metadata } = diff.after;
    const full = [...apiVersion.split('/'), kind, metadata.namespace ?? '', metadata.name].join('.');
    const short = full.replaceAll(/[^\w.:-]/g, '_').slice(0, longestName);
    const name = short === full && !taken.has(full) ? full : `${short}.${taken.size}`;
    taken.add(name);
    return { name, ...sidesOf(diff) };
  });
}
