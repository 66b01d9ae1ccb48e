// Syncs from nothing: 200 Applications are made, and the agent does the rest.
import { measureCreate } from './agent/create.ts';
import { openWorld, type World } from './agent/world.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { lineOf } from './results.ts';

export const benchSync: Bench = { summary: '200 Applications of 10 objects, from nothing to Synced and Healthy', run };

const targets = { seconds: 30, cpuSeconds: 40, mebibytes: 300, requestsPerObject: 2 };

async function run(options: BenchOptions): Promise<BenchResult> {
  await using world = await openWorld(options);
  options.say('starting the agent');
  await using agent = await world.startAgent();
  await agent.ready(world.signal);
  const figures = await measureCreate(world, agent, { ...options, targets }).catch(async (error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${await agent.lastLines()}`, { cause: error });
  });
  for (const figure of figures) options.print(lineOf(figure));
  await agent.stop();
  return { figures, against: await serverOf(world), failures: [] };
}

export async function serverOf({ client }: World): Promise<string> {
  const { gitVersion } = (await client.send('GET', '/version')) as { readonly gitVersion: string };
  return `Kubernetes ${gitVersion}; etcd, API server, controllers, Git server, the measuring client and the agent share the cores; servers with GOGC=400, controllers with 1,000 requests a second instead of 20`;
}
