// From nothing to everything deployed: Applications are made, the agent does the rest.
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions, Figure } from '../bench.ts';
import { eachOf } from '../each-of.ts';
import { applicationName } from '../source/manifests.ts';
import type { AgentProcess } from './agent-process.ts';
import { connections } from './api-client.ts';
import { namespaceName, objectsEach } from './manifests.ts';
import { peakOf, useOf } from './process-use.ts';
import { requestsDuring } from './requests.ts';
import { inMebibytes } from './spread.ts';
import type { World } from './world.ts';

const withinMs = 600_000;
const sampleMs = 1000;

/** At most. */
export interface CreateTargets {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly mebibytes: number;
  readonly requestsPerObject: number;
}

export async function measureCreate(world: World, agent: AgentProcess, { quick, say, targets }: BenchOptions & { readonly targets?: CreateTargets }): Promise<readonly Figure[]> {
  const { shape, client, verdicts, signal, agentNamespace, repository } = world;
  const places = Array.from({ length: shape.applications }, (_none, at) => at);
  const objects = shape.applications * objectsEach;
  say(`creating ${shape.applications} Applications`);
  const before = await useOf(agent.pid);
  let [ms, cpuSeconds, peak] = [0, 0, 0];
  const sampling = setInterval(() => void useOf(agent.pid).then(({ residentBytes }) => (peak = Math.max(peak, residentBytes))), sampleMs);
  const requests = await requestsDuring(world, async () => {
    const started = performance.now();
    await eachOf(places, connections, async (at) => {
      const spec = {
        source: { repoURL: repository, targetRevision: 'main', path: `apps/${applicationName(at)}` },
        destination: { namespace: namespaceName(at % shape.namespaces) },
        syncPolicy: { automated: {} },
      };
      const content = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: applicationName(at), namespace: agentNamespace }, spec };
      await client.send('POST', `/apis/setpoint.dev/v1alpha1/namespaces/${agentNamespace}/applications`, { type: 'application/json', content });
    });
    const done = await verdicts.all(places.map(applicationName), { what: 'all Applications to be Synced and Healthy', matches: ({ status, health }) => status === 'Synced' && health === 'Healthy', withinMs, signal });
    ms = done - started;
    cpuSeconds = (await useOf(agent.pid)).cpuSeconds - before.cpuSeconds;
    // What follows a sync, such as Events, belongs to it.
    await pause(shape.settleMs, undefined, { signal });
  }).finally(() => clearInterval(sampling));
  const settled = await useOf(agent.pid);
  peak = Math.max(peak, await peakOf(agent.pid));
  const among = `${shape.applications} Applications of ${objectsEach} objects in ${shape.namespaces} namespaces, one repository`;
  const within = (wanted: string, isMet: boolean): Pick<Figure, 'target'> => ({ target: { wanted, met: quick ? undefined : isMet } });
  const perObject = requests.count / objects;
  return [
    {
      what: 'create to all Synced and Healthy',
      value: `${(ms / 1000).toFixed(1)} s`,
      conditions: `${among}; agent running before the first is made; API server, controllers and agent share the cores`,
      ...(targets && within(`< ${targets.seconds} s`, ms < targets.seconds * 1000)),
    },
    { what: 'CPU of the agent for it', value: `${cpuSeconds.toFixed(1)} s`, conditions: 'by /proc, children included', ...(targets && within(`< ${targets.cpuSeconds} s`, cpuSeconds < targets.cpuSeconds)) },
    {
      what: 'memory of the agent for it',
      value: `peak ${inMebibytes(peak)}, settled ${inMebibytes(settled.residentBytes)}`,
      conditions: `resident, children included, every ${sampleMs} ms and by the kernel’s own peak; settled ${shape.settleMs / 1000} s later; ${inMebibytes(before.residentBytes)} before the first`,
      ...(targets && within(`peak < ${targets.mebibytes} MiB`, peak < targets.mebibytes * 2 ** 20)),
    },
    {
      what: 'requests of the agent per object',
      value: perObject.toFixed(2),
      conditions: `by the audit log, beyond watches and the Lease: ${requests.sorts}`,
      ...(targets && within(`<= ${targets.requestsPerObject}`, perObject <= targets.requestsPerObject)),
    },
  ];
}
