import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderLock {
  release(): Promise<void>;
}

interface Owner {
  readonly token: string;
  readonly pid: number;
  /** Numbers of processes are given out again; with the moment of their start they are not. */
  readonly started: string;
  /** Where `pid` counts: containers that share a volume each have their own process 1. */
  readonly namespace: string;
}

const name = 'lock';
const beatMs = 15_000;
// For owners that cannot be asked after, because they live in another container.
const silentMs = 4 * beatMs;

/** Undefined when someone who lives has it. */
export async function lockFolder(folder: string): Promise<FolderLock | undefined> {
  const path = join(folder, name);
  const token = randomUUID();
  const mine = `${path}-${token}`;
  const owner: Owner = { token, pid: process.pid, started: await startOf(process.pid), namespace: await namespaceOf() };
  await writeFile(mine, JSON.stringify(owner), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // A link fails where something is: there is no moment in which two have it.
      if (await succeeds(link(mine, path))) return hold(path, token);
      const held = await readOwner(path);
      if (held !== undefined && (await isAlive(held, path))) return undefined;
      await takeAway(path, held?.token);
    }
    return undefined;
  } finally {
    await rm(mine, { force: true });
  }
}

function hold(path: string, token: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      if ((await readOwner(path))?.token === token) await rm(path, { force: true });
    },
  };
}

/** Two may find the same dead owner. Who moves away the lock of the other one puts it back. */
async function takeAway(path: string, token: string | undefined): Promise<void> {
  const aside = `${path}-dead-${randomUUID()}`;
  if (!(await succeeds(rename(path, aside)))) return;
  if ((await readOwner(aside))?.token !== token) await succeeds(link(aside, path));
  await rm(aside, { force: true });
}

async function isAlive(owner: Owner, path: string): Promise<boolean> {
  if (owner.namespace !== (await namespaceOf())) {
    const written = await stat(path).catch(() => undefined);
    return written !== undefined && Date.now() - written.mtimeMs < silentMs;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (await startOf(owner.pid)) === owner.started;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const { token, pid, started, namespace } = JSON.parse(await readFile(path, 'utf8')) as Partial<Owner>;
    return token === undefined || pid === undefined || started === undefined || namespace === undefined ? undefined : { token, pid, started, namespace };
  } catch {
    return undefined;
  }
}

/** In clock ticks since the machine started; empty where the system does not say. */
async function startOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program comes before, in brackets, and may hold anything.
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

async function namespaceOf(): Promise<string> {
  const [boot, namespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return `${boot.trim()} ${namespace}`;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}
