// Memory of the live cache, measured in a process that runs nothing else.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../src/model/index.ts';
import { openRawApi } from '../../test/support/raw-api.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { BenchOptions, Figure } from '../bench.ts';
import { eachOf } from '../each-of.ts';
import type { Cached, MemoryUse } from './memory-child.ts';
import { rolledOut, webDeployment } from './web-deployment.ts';
import type { World } from './world.ts';

const limit = 4096;

export async function measureMemory(world: World, options: BenchOptions): Promise<readonly Figure[]> {
  const { say, quick } = options;
  const generated = world.sets.flatMap(({ targets }) => targets.map(({ manifest: { object } }) => cachedOf(object)));
  say('measuring the memory of the cache');
  const mixed = await measureIn(world, generated, options);
  const count = quick ? 100 : 5000;
  say(`making ${count} Deployments`);
  await using namespace = await world.admin.createNamespace();
  const deployments = await makeDeployments(world, { count, namespace: namespace.name }, options);
  say('measuring the memory of the cache with them');
  const { perObject, rssPerObject, objects } = await measureIn(world, deployments, options);
  const how = 'heap and external memory after garbage collection, in a process of its own';
  return [
    {
      what: 'memory per cached Deployment',
      value: `${perObject.toFixed(0)} B`,
      conditions: `${objects} Deployments with status and managedFields; ${how}; resident memory grew by ${rssPerObject.toFixed(0)} B each`,
      target: { wanted: `<= ${limit} B`, met: quick ? undefined : perObject <= limit },
    },
    { what: 'memory per cached object, all kinds', value: `${mixed.perObject.toFixed(0)} B`, conditions: `${mixed.objects} objects of both sets; ${how}; ${mixed.watches} watches; resident memory grew by ${mixed.rssPerObject.toFixed(0)} B each` },
  ];
}

interface Batch {
  readonly count: number;
  readonly namespace: string;
}

/**
 * Each applied under our name, and its status written as the controller manager writes it: the controller itself, at 20 requests a
 * second, would take a quarter of an hour for so many.
 */
async function makeDeployments({ admin }: World, { count, namespace }: Batch, { signal }: BenchOptions): Promise<readonly Cached[]> {
  await using api = await openRawApi(admin.kubeconfig);
  const send = async (path: string, type: string, body: JsonObject): Promise<void> => {
    const { status, text } = await api.send('PATCH', path, { type, text: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  const objects = Array.from({ length: count }, (_none, at) => webDeployment(`web-${at}`, namespace));
  await eachOf(objects, 8, async (object) => {
    signal.throwIfAborted();
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${object.metadata.name}`;
    await send(`${path}?fieldManager=setpoint&force=true`, 'application/apply-patch+yaml', object);
    await send(`${path}/status?fieldManager=kube-controller-manager`, 'application/merge-patch+json', rolledOut(object));
  });
  return objects.map(cachedOf);
}

function cachedOf({ apiVersion, kind, metadata }: { readonly apiVersion: string; readonly kind: string; readonly metadata: JsonObject & { readonly name: string; readonly namespace?: string } }): Cached {
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' };
}

async function measureIn({ admin }: World, objects: readonly Cached[], { signal }: BenchOptions): Promise<MemoryUse> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'objects.json');
  await writeFile(file, JSON.stringify(objects));
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, 'memory-child.ts'), admin.kubeconfig, file], { stdio: ['ignore', 'pipe', 'inherit'], signal });
  const output: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`the process with the cache ended with ${code}`);
  return JSON.parse(output.join('')) as MemoryUse;
}
