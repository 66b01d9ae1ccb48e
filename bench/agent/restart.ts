// Edits made while the agent is down: how long after its start every verdict is right.
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import { applicationName } from '../source/manifests.ts';
import type { AgentProcess } from './agent-process.ts';
import { sendEdit } from './live-edit.ts';
import { useOf } from './process-use.ts';
import type { SeenVerdict, World } from './world.ts';

const withinMs = 120_000;
const wantedMs = 10_000;
/** A verdict that is right at first must stay so. */
const afterMs = 5000;

export interface Restart {
  readonly agent: AgentProcess;
  readonly figures: readonly Figure[];
  readonly failures: readonly string[];
}

export async function measureRestart(world: World, before: AgentProcess, { quick, say }: BenchOptions): Promise<Restart> {
  const { shape, verdicts, signal } = world;
  const edited = Array.from({ length: shape.unseenEdits }, (_none, at) => Math.floor((at * shape.applications) / shape.unseenEdits));
  const drifted = new Set(edited.map(applicationName));
  const isRight = (name: string, { status, cause }: SeenVerdict): boolean => (drifted.has(name) ? status === 'OutOfSync' && cause === 'live-changed' : status === 'Synced');
  say(`${shape.unseenEdits} edits while the agent is down`);
  await before.stop();
  for (const application of edited) await sendEdit(world, application, 'change');

  const flaws: string[] = [];
  using listening = new DisposableStack();
  listening.use(
    verdicts.listen((name, seen) => {
      // An edit that was not looked at yet may still be called Synced, for so long as is measured here.
      if (!isRight(name, seen) && seen.status !== 'Synced') flaws.push(seen.status ?? 'nothing');
    }),
  );
  const agent = await world.startAgent();
  const rightAt = await verdicts.all(drifted, { what: 'the edits to be found after the start', matches: ({ status, cause }) => status === 'OutOfSync' && cause === 'live-changed', withinMs, signal });
  // A status that stays as it was does not tell that it was looked at again: for those there is only the agent’s own word.
  await agent.ready(signal);
  const rightMs = rightAt - agent.startedAt;
  const ms = performance.now() - agent.startedAt;
  const { cpuSeconds } = await useOf(agent.pid);
  await pause(afterMs, undefined, { signal });
  const wrong = [...verdicts.latest].filter(([name, seen]) => !isRight(name, seen)).map(([name, { status }]) => `${name} is ${status}`);
  return {
    agent,
    figures: [
      {
        what: 'restart to all verdicts right',
        value: `${(ms / 1000).toFixed(1)} s`,
        conditions: `from the process started until ${shape.unseenEdits} edits are in the statuses (${(rightMs / 1000).toFixed(1)} s) and /readyz says that all were looked at; the other ${shape.applications - shape.unseenEdits} are as they were before the stop, and all are right ${afterMs / 1000} s later; ${cpuSeconds.toFixed(1)} CPU-seconds until then${flaws.length === 0 ? '' : `; in between ${flaws.length} statuses said ${[...new Set(flaws)].join(' or ')}`}`,
        target: { wanted: `< ${wantedMs / 1000} s`, met: quick ? undefined : ms < wantedMs && wrong.length === 0 },
      },
    ],
    failures: wrong.length === 0 ? [] : [`after the restart ${wrong.slice(0, 5).join(', ')}: ${wrong.length} verdicts are wrong`],
  };
}
