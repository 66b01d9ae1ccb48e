// A commit that changes one file, and the webhook that tells of it: from the moved reference to the changed object.
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import { applicationName } from '../source/manifests.ts';
import { inMs, median } from '../source/timing.ts';
import type { AgentProcess } from './agent-process.ts';
import { configMapName, committedIn, keyName } from './manifests.ts';
import { useOf } from './process-use.ts';
import type { World } from './world.ts';

const withinMs = 120_000;
/** What a commit causes and its object does not wait for. */
const afterMs = 2000;
const metrics = { renders: 'setpoint_renders_total', fetches: 'setpoint_git_fetches_total' };

interface CommitCost {
  readonly ms: number;
  readonly acceptedMs: number;
  readonly renders: number;
  readonly fetches: number;
  readonly cpuSeconds: number;
}

export async function measureCommits(world: World, agent: AgentProcess, { say }: BenchOptions): Promise<readonly Figure[]> {
  const { shape } = world;
  say(`${shape.commits} one-file commits`);
  const costs: CommitCost[] = [];
  for (let at = 0; at < shape.commits; at++) costs.push(await costOf(world, agent, { application: (at * 3 + 1) % shape.applications, value: `committed ${at}` }));
  const each = (pick: (cost: CommitCost) => number): readonly number[] => costs.map(pick);
  const counted = (what: string, values: readonly number[]): Figure => ({
    what: `${what} per commit`,
    value: [...new Set(values)].join(' or '),
    conditions: `by the agent’s own metrics; ${shape.applications} applications follow the branch`,
    target: { wanted: '1', met: values.every((value) => value === 1) },
  });
  return [
    {
      what: 'one-file commit to live',
      value: inMs(median(each(({ ms }) => ms))),
      conditions: `median of ${shape.commits}, worst ${inMs(Math.max(...each(({ ms }) => ms)))}; from the moved reference to the changed object on a watch; one of ${shape.applications} applications, signed webhook answered after ${inMs(median(each(({ acceptedMs }) => acceptedMs)))}; ${median(each(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} CPU-seconds of the agent`,
    },
    counted('renders', each(({ renders }) => renders)),
    counted('fetches', each(({ fetches }) => fetches)),
  ];
}

async function costOf(world: World, agent: AgentProcess, { application, value }: { readonly application: number; readonly value: string }): Promise<CommitCost> {
  const { settings, verdicts, signal } = world;
  const [entry, name] = [committedIn(application), applicationName(application)];
  const [renders, fetches, { cpuSeconds }] = [await agent.counted(metrics.renders), await agent.counted(metrics.fetches), await useOf(agent.pid)];
  const changed = settings.next(configMapName(entry), { what: `the commit to be live in ${name}`, matches: (data) => data[keyName(entry)] === value, withinMs, signal });
  const told = world.commit(entry, value).then(async (ids) => {
    const movedAt = performance.now();
    await tell(world, agent, ids);
    return { movedAt, acceptedMs: performance.now() - movedAt };
  });
  const [changedAt, { movedAt, acceptedMs }] = await Promise.all([changed, told]);
  await verdicts.all([name], { what: `${name} to be Synced after the commit`, matches: ({ status }) => status === 'Synced', withinMs, signal });
  await pause(afterMs, undefined, { signal });
  return {
    ms: changedAt - movedAt,
    acceptedMs,
    renders: (await agent.counted(metrics.renders)) - renders,
    fetches: (await agent.counted(metrics.fetches)) - fetches,
    cpuSeconds: (await useOf(agent.pid)).cpuSeconds - cpuSeconds,
  };
}

/** As GitHub tells of a push. */
async function tell({ repository, secret, signal }: World, { hooks }: AgentProcess, { before, after }: { readonly before: string; readonly after: string }): Promise<void> {
  const body = JSON.stringify({ ref: 'refs/heads/main', before, after, repository: { full_name: 'bench/fleet', clone_url: repository, html_url: repository.replace(/\.git$/, '') } });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': randomUUID(), 'x-hub-signature-256': signature };
  const answer = await fetch(hooks, { method: 'POST', headers, body, signal });
  if (!answer.ok) throw new Error(`the webhook was answered with ${answer.status}: ${await answer.text()}`);
}
