import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Says which process may write. It keeps writers apart as well as a file can; what two of them did to a log its checksums tell. */
export interface CacheLock {
  release(): Promise<void>;
}

const beatMs = 15_000;
const staleMs = 60_000;

/** Undefined while another process has it. Throws where the folder takes no file. */
export async function takeLock(path: string, onLost: () => void): Promise<CacheLock | undefined> {
  // In a container every start has the same process id: only the time tells one from the other.
  const owner = JSON.stringify({ host: hostname(), pid: process.pid, started: performance.timeOrigin });
  if (!(await create(path, owner)) && !((await removeStale(path, owner)) && (await create(path, owner)))) return undefined;
  const isOurs = async (): Promise<boolean> => (await readFile(path, 'utf8').catch(() => '')) === owner;
  const beat = async (): Promise<void> => {
    const now = new Date();
    if (await isOurs()) await utimes(path, now, now).catch(() => undefined);
    else onLost();
  };
  const timer = setInterval(() => void beat(), beatMs).unref();
  return {
    release: async () => {
      clearInterval(timer);
      if (await isOurs()) await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

async function create(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(path: string, us: string): Promise<boolean> {
  const [owner, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => ['', { mtimeMs: 0 }] as const);
  if (Date.now() - mtimeMs < staleMs && isAlive(owner, us)) return false;
  // Moved first: of two that find it stale only one gets it, and sees whether it is still the one that was judged.
  const aside = `${path}.${process.pid}.${Math.trunc(performance.now() * 1000)}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== owner) {
      await rename(aside, path);
      return false;
    }
    await rm(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return true;
}

function isAlive(owner: string, us: string): boolean {
  if (owner === us) return true;
  try {
    const { host, pid } = JSON.parse(owner) as { readonly host?: unknown; readonly pid?: unknown };
    // Of another machine only the beat tells.
    if (host !== hostname() || typeof pid !== 'number') return typeof pid === 'number';
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No JSON: its writer died between creating and writing, or is just there.
    return (error as NodeJS.ErrnoException).code === 'EPERM' || error instanceof SyntaxError;
  }
}
