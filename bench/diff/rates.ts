// Objects per second: compared here, remembered, and tried on the server one by one.
import type { Target } from '../../src/cluster/index.ts';
import { compareObjects } from '../../src/diff/index.ts';
import { displayKey, isSecretKind, type ResourceKey } from '../../src/model/index.ts';
import { compareAll, createMemory, type Standing } from '../../src/reconcile/index.ts';
import type { Prediction } from '../../src/reconcile/ports.ts';
import type { BenchOptions, Figure } from '../bench.ts';
import { eachOf } from '../each-of.ts';
import { measureRate, rateOf, type Rate } from '../measure-rate.ts';
import { withOneChange } from './change.ts';
import { compareLocally, salt, tag } from './local.ts';
import type { World } from './world.ts';

export interface RateResult {
  readonly figures: readonly Figure[];
  readonly failures: readonly string[];
}

const measureMsOf = ({ quick }: BenchOptions): number => (quick ? 300 : 3000);
const few = 25;

export async function measureRates(world: World, proven: readonly Target[], options: BenchOptions): Promise<RateResult> {
  const { say } = options;
  say('comparing what has not changed');
  const cold = await localRate(world, proven, options);
  if (options.verbose) await timeByKind(world, proven, options);
  const warm = await rememberedRate(world, options);
  say('comparing what has changed');
  const changed = await changedRate(world, proven, options);
  say('trying everything on the server');
  const dryRuns = [await dryRunRate(world, 1, options), await dryRunRate(world, 4, options)];
  const best = Math.max(...dryRuns.map(({ perSecond }) => perSecond));
  const ratio = cold.perSecond / best;
  const figures: readonly Figure[] = [
    rateFigure('unchanged, compared', cold, `${proven.length} objects, from the packed live object to the verdict, nothing remembered`),
    rateFigure('unchanged, remembered', warm, `whole looks at ${world.targets.length} objects through the live cache and the memory`),
    rateFigure('changed, compared', changed.rate, `${changed.objects} objects with one changed field each, the server’s prediction at hand`),
    ...dryRuns.map(({ perSecond, atOnce, objects, cores }) => rateFigure(`dry-run, ${atOnce} at once`, { perSecond, cores }, `each of ${objects} objects tried once on the API server, Secrets left out`)),
    {
      what: 'unchanged, compared : dry-run',
      value: `${ratio.toFixed(1)} x`,
      conditions: 'one core here against the faster of the dry-runs, in the same run',
      target: { wanted: '>= 20 x', met: options.quick ? undefined : ratio >= 20 },
    },
    { what: 'unchanged, remembered : dry-run', value: `${(warm.perSecond / best).toFixed(0)} x`, conditions: 'likewise' },
  ];
  return { figures, failures: dryRuns.flatMap(({ failures }) => failures) };
}

function rateFigure(what: string, { perSecond, cores }: Rate, conditions: string): Figure {
  return { what: `${what}, objects/s`, value: perSecond.toFixed(0), conditions: `${conditions}; ${cores.toFixed(2)} cores of this process` };
}

function localRate(world: World, targets: readonly Target[], options: BenchOptions): Promise<Rate> {
  const next = roundRobin(targets);
  const work = async (): Promise<number> => {
    for (let done = 0; done < few; done++) await compareLocally(next(), world);
    return few;
  };
  return measureRate({ work, measureMs: measureMsOf(options), signal: options.signal });
}

/** Looks as the agent has them while nothing happens. The first one fills the memory. */
async function rememberedRate(world: World, options: BenchOptions): Promise<Rate> {
  const standing = standingOf(world);
  const work = async (): Promise<number> => (await lookAt(world, standing, options)).compared.length;
  return measureRate({ work, measureMs: measureMsOf(options), signal: options.signal });
}

export function standingOf({ watch }: World): Standing {
  return { watch, memory: createMemory({ now: () => performance.now(), random: Math.random, salt }), agreed: undefined };
}

export function lookAt({ cluster, documents }: World, standing: Standing, { signal }: BenchOptions): ReturnType<typeof compareAll> {
  return compareAll(documents, { cluster, namespace: 'default', salt, tag, signal, standing });
}

interface ChangedRate {
  readonly rate: Rate;
  readonly objects: number;
}

async function changedRate(world: World, proven: readonly Target[], options: BenchOptions): Promise<ChangedRate> {
  const { cluster, schemaOf, liveOf } = world;
  const predictions = new Map<ResourceKey, Prediction>();
  const changed: Target[] = [];
  const sample = proven.filter(({ kind }) => !isSecretKind(kind)).filter((_target, at) => !options.quick || at % 4 === 0);
  await eachOf(sample, 4, async (target) => {
    const wanted = withOneChange(target);
    const prediction = await cluster.predict(wanted, options.signal);
    if (prediction.type !== 'predicted' || prediction.object.metadata['resourceVersion'] !== liveOf(target).resourceVersion) return;
    predictions.set(wanted.manifest.key, prediction);
    changed.push(wanted);
  });
  const server = ({ manifest }: Target): Prediction | undefined => predictions.get(manifest.key);
  const seen: Target[] = [];
  for (const target of changed) {
    if (schemaOf(target) === undefined) continue;
    const { compared } = await compareLocally(target, world, server);
    if (compared !== 'unsettled' && compared.diff.type === 'changed') seen.push(target);
  }
  if (seen.length === 0) throw new Error('no change was seen');
  const next = roundRobin(seen);
  const work = async (): Promise<number> => {
    for (let done = 0; done < few; done++) await compareLocally(next(), world, server);
    return few;
  };
  return { rate: await measureRate({ work, measureMs: measureMsOf(options), signal: options.signal }), objects: seen.length };
}

interface DryRunRate extends Rate {
  readonly atOnce: number;
  readonly objects: number;
  readonly failures: readonly string[];
}

/** The server’s answers are looked at afterwards: it is the oracle of what is in sync. */
async function dryRunRate(world: World, atOnce: number, { signal }: BenchOptions): Promise<DryRunRate> {
  const { cluster, targets, liveOf, schemaOf } = world;
  const tried = targets.filter(({ kind }) => !isSecretKind(kind));
  const predictions: { readonly target: Target; readonly prediction: Prediction }[] = [];
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await eachOf(tried, atOnce, async (target) => void predictions.push({ target, prediction: await cluster.predict(target, signal) }));
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const failures = predictions.flatMap(({ target, prediction }) => {
    const live = liveOf(target);
    if (prediction.type !== 'predicted') return [`the server would not apply ${displayKey(target.manifest.key)} again: ${JSON.stringify(prediction)}`];
    if (prediction.object.metadata['resourceVersion'] !== live.resourceVersion) return [];
    const sides = { live: { key: target.manifest.key, ...live }, predicted: prediction.object, hasStatus: target.kind.hasStatus, schema: schemaOf(target)?.schema, tag };
    const diff = compareObjects(target.manifest, sides);
    return diff.type === 'same' ? [] : [`${displayKey(target.manifest.key)} is not in sync: ${JSON.stringify(diff.type === 'changed' ? diff.patch : diff)}`];
  });
  return { ...rateOf(tried.length, { elapsedMs, cpuMs: (user + system) / 1000 }), atOnce, objects: tried.length, failures };
}

async function timeByKind(world: World, proven: readonly Target[], { print, quick }: BenchOptions): Promise<void> {
  print('\ncompared, nothing remembered, by kind:');
  const rounds = quick ? 3 : 20;
  for (const [kind, targets] of Map.groupBy(proven, (target) => target.kind.kind)) {
    const start = performance.now();
    for (let round = 0; round < rounds; round++) for (const target of targets) await compareLocally(target, world);
    const each = (performance.now() - start) / rounds / targets.length;
    const bytes = targets.reduce((sum, target) => sum + JSON.stringify(world.liveOf(target).object).length, 0) / targets.length;
    print(`  ${kind.padEnd(32)}${(each * 1000).toFixed(0).padStart(6)} µs each, ${(bytes / 1024).toFixed(1).padStart(6)} KiB live, ${targets.length} objects`);
  }
}

function roundRobin<T>(items: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = items[at % items.length];
    at += 1;
    if (item === undefined) throw new Error('there is nothing to measure');
    return item;
  };
}
