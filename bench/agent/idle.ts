// Nothing happens: what the agent costs then.
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import type { AgentProcess } from './agent-process.ts';
import { useOf } from './process-use.ts';
import { requestsDuring } from './requests.ts';
import { inMebibytes } from './spread.ts';
import type { World } from './world.ts';

/** Percent of a core. */
const mostCpu = 1;
/** MiB. */
const mostMemory = 250;

export async function measureIdle(world: World, agent: AgentProcess, { quick, say }: BenchOptions): Promise<readonly Figure[]> {
  const { shape, signal } = world;
  const seconds = shape.idleMs / 1000;
  await pause(shape.settleMs, undefined, { signal });
  say(`${seconds} s of nothing`);
  const [started, before] = [performance.now(), await useOf(agent.pid)];
  const requests = await requestsDuring(world, () => pause(shape.idleMs, undefined, { signal }));
  const after = await useOf(agent.pid);
  const percent = ((after.cpuSeconds - before.cpuSeconds) * 100_000) / (performance.now() - started);
  const during = `${seconds} s without a change, ${shape.applications} applications, interval 60 s`;
  return [
    { what: 'idle CPU', value: `${percent.toFixed(2)} % of a core`, conditions: `${during}; by /proc, children included`, target: { wanted: `< ${mostCpu} %`, met: quick ? undefined : percent < mostCpu } },
    {
      what: 'idle memory',
      value: inMebibytes(after.residentBytes),
      conditions: `${during}; resident, children included`,
      target: { wanted: `< ${mostMemory} MiB`, met: quick ? undefined : after.residentBytes < mostMemory * 2 ** 20 },
    },
    {
      what: 'idle API requests',
      value: String(requests.count),
      conditions: [`${during}; by the audit log, beyond watches and the Lease`, requests.sorts].filter((text) => text !== '').join(': '),
      target: { wanted: '0', met: requests.count === 0 },
    },
  ];
}
