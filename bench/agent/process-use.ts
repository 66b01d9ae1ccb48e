// What a process and its children use, by the kernel's own account.
import { readdir, readFile } from 'node:fs/promises';

export interface ProcessUse {
  /** Of children that ended, too. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

// The unit of /proc/PID/stat on every Linux of today (USER_HZ).
const ticksPerSecond = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

export async function useOf(pid: number): Promise<ProcessUse> {
  const all = (await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(statOf))).filter((stat) => stat !== undefined);
  const family = new Set([pid]);
  // A child may have a lower number than its parent.
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const stat of all) if (family.has(stat.parent)) family.add(stat.pid);
  }
  const ticks = all.filter((stat) => family.has(stat.pid)).reduce((sum, stat) => sum + stat.ticks, 0);
  const resident = await Promise.all([...family].map((member) => kibibytes(member, 'VmRSS')));
  return { cpuSeconds: ticks / ticksPerSecond, residentBytes: resident.reduce((sum, each) => sum + each, 0) * 1024 };
}

/** The most memory that the process itself ever had. */
export async function peakOf(pid: number): Promise<number> {
  return (await kibibytes(pid, 'VmHWM')) * 1024;
}

async function statOf(name: string): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
  // The name of the program comes in brackets and may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
  if (fields === undefined) return undefined;
  const [, parent = 0] = fields;
  return { pid: Number(name), parent, ticks: fields.slice(11, 15).reduce((sum, each) => sum + each, 0) };
}

async function kibibytes(pid: number, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
}
