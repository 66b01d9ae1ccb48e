// The gate of the local proof: seeded changes on both sides, the local answer against the API server's own.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createCluster, loadKubeconfig, type Cluster, type Target } from '../../src/cluster/index.ts';
import { compareObjects, identify, prove, tagWith } from '../../src/diff/index.ts';
import { stringifyJson, type Json, type KubeObject, type SourceDocument } from '../../src/model/index.ts';
import { renderPlain } from '../../src/render/index.ts';
import type { TestCluster } from '../support/cluster/test-cluster.ts';
import { openRawApi, type RawApi } from '../support/raw-api.ts';
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { get, mutate, paths, pick, set } from './mutate.ts';

export interface GateResult {
  readonly cases: number;
  readonly kinds: number;
  readonly answers: Readonly<Record<'equal' | 'different' | 'unsure', number>>;
  /** Of the cases in which the server would change nothing, those that the local walk could not prove. */
  readonly unprovenEquals: number;
  readonly equals: number;
  readonly wrong: readonly string[];
}

interface GateOptions {
  readonly cluster: TestCluster;
  readonly seed: number;
  readonly cases: number;
}

const signal = new AbortController().signal;
const tag = tagWith('gate');

// Those of the manifests here whose kind says that they are sets: their order means nothing.
const sets = new Set(['finalizers', 'tags']);

// Amounts in a custom resource, which the server keeps as they are spelt.
const amounts = new Set(['size']);
const units: Readonly<Record<string, number>> = { n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

function amountOf(value: unknown): unknown {
  const [, digits, unit = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([A-Za-z]*)$/.exec(String(value)) ?? [];
  const factor = units[unit];
  return digits === undefined || factor === undefined ? value : Number(digits) * factor;
}

function withoutOrder(value: unknown, name = ''): unknown {
  if (amounts.has(name) && (typeof value === 'string' || typeof value === 'number')) return amountOf(value);
  if (Array.isArray(value)) return sets.has(name) ? value.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)) : value.map((item) => withoutOrder(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutOrder(item, key)]));
}

/** The object without what every write changes, or only the server writes; nothing of the product's own is asked. */
function bare(object: KubeObject, hasStatus: boolean): unknown {
  const { metadata, status, ...rest } = object;
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, creationTimestamp: _time, uid: _uid, ...kept } = metadata;
  return withoutOrder({ ...rest, metadata: kept, ...(hasStatus ? {} : { status }) });
}

export async function runGate({ cluster: admin, seed, cases }: GateOptions): Promise<GateResult> {
  await using namespace = await admin.createNamespace();
  await using api = await openRawApi(admin.kubeconfig);
  const cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
  const gate = namespace.name;
  const definitions = (await fixture('definitions.yaml')).replaceAll('$GATE', gate);
  await admin.apply(definitions);
  const tally = createTally();
  try {
    await admin.kubectl(['wait', '--for=condition=Established', `crd/odds.${gate}.example.com`, `crd/looses.${gate}.example.com`, '--timeout=50s']);
    const documents = renderPlain([{ path: 'manifests.yaml', content: Buffer.from((await fixture('manifests.yaml')).replaceAll('$GATE', gate)) }]).documents;
    const targets = await waitUntilServed(cluster, documents, gate);
    const perKind = Math.ceil(cases / targets.length);
    const work = targets.map((target, at) => ({ target, random: seededRandom(seed + at * 7919) }));
    const next = (): (typeof work)[number] | undefined => work.shift();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let item = next(); item !== undefined; item = next()) await gateKind({ ...item, cluster, api, gate, cases: perKind, tally });
      }),
    );
    return { ...tally.result(), kinds: targets.length };
  } finally {
    await admin.kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', '-'], definitions);
    for (const kind of ['priorityclass', 'storageclass', 'clusterrole', 'runtimeclass', 'persistentvolume', 'validatingwebhookconfiguration']) {
      await admin.kubectl(['delete', kind, gate, '--ignore-not-found', '--wait=false']);
    }
    await cluster.close();
  }
}

interface KindRun {
  readonly target: Target;
  readonly random: SeededRandom;
  readonly cluster: Cluster;
  readonly api: RawApi;
  readonly gate: string;
  readonly cases: number;
  readonly tally: ReturnType<typeof createTally>;
}

async function gateKind({ target, random, cluster, api, gate, cases, tally }: KindRun): Promise<void> {
  const first = await cluster.apply(target, { force: true, signal });
  if (first.type !== 'applied') throw new Error(`${target.kind.kind} cannot be applied: ${JSON.stringify(first)}`);
  const schema = (await cluster.schemaOf(target.kind, signal))?.schema;
  let base = target.manifest.object;
  for (let done = 0; done < cases; ) {
    const roll = random.next();
    if (roll < 0.2) await editLive({ target, api, cluster, random });
    if (roll > 0.97) await api.send('PATCH', pathOf(target), { type: 'application/merge-patch+json', text: '{"metadata":{"managedFields":[{}]}}' });
    const reading = await cluster.read(target, signal);
    if (reading.type !== 'live') throw new Error(`${target.kind.kind} cannot be read: ${JSON.stringify(reading)}`);
    const live = reading.live.object;
    const mutation = roll > 0.8 && roll < 0.9 ? { object: base, changes: ['nothing'] } : mutate(base, live, random);
    const wanted = retarget(target, mutation.object, gate);
    if (wanted === undefined) continue;
    const prediction = await cluster.predict(wanted, signal);
    if (prediction.type === 'unknown') continue;
    if (prediction.type === 'predicted' && prediction.object.metadata['resourceVersion'] !== reading.live.resourceVersion) continue;
    const { hasStatus } = target.kind;
    const truth = prediction.type !== 'predicted' ? 'invalid' : isDeepStrictEqual(bare(live, hasStatus), bare(prediction.object, hasStatus)) ? 'same' : 'changed';
    const verdict =
      prediction.type === 'predicted' ? compareObjects(wanted.manifest, { live: reading.live, predicted: prediction.object, hasStatus, schema, tag }).type : truth;
    const local = prove(wanted.manifest.object, live, schema);
    done += 1;
    const about = (): string =>
      `${target.kind.kind} [${mutation.changes.join(', ')}] local ${local}, verdict ${verdict}, server ${truth}\n  desired ${stringifyJson(wanted.manifest.object)}\n  live ${stringifyJson(live)}\n  predicted ${prediction.type === 'predicted' ? stringifyJson(prediction.object) : JSON.stringify(prediction)}`;
    tally.count({ local, verdict, truth, about });
    // Now and then the change is really applied, so that what we own changes too.
    if (truth === 'changed' && random.next() < 0.3 && (await cluster.apply(wanted, { force: true, signal })).type === 'applied') base = mutation.object;
    if (random.next() < 0.05) base = target.manifest.object;
  }
}

interface LiveEdit {
  readonly target: Target;
  readonly api: RawApi;
  readonly cluster: Cluster;
  readonly random: SeededRandom;
}

/** Somebody else changes, adds or removes a field; an edit that the server refuses is no edit. */
async function editLive({ target, api, cluster, random }: LiveEdit): Promise<void> {
  const reading = await cluster.read(target, signal);
  if (reading.type !== 'live') return;
  const { object } = reading.live;
  const candidates = paths(object).filter(([top]) => !['apiVersion', 'kind', 'metadata', 'status'].includes(String(top)));
  const edited =
    candidates.length === 0 || random.next() < 0.3
      ? set(object, ['metadata', pick(['labels', 'annotations'], random), pick(['theirs', 'app', 'added'], random)], 'theirs')
      : set(object, pick(candidates, random), otherValue(get(object, pick(candidates, random)), random));
  const manager = pick(['kubectl-edit', 'kubectl-patch', 'operator'], random);
  await api.send('PUT', `${pathOf(target)}?fieldManager=${manager}`, { type: 'application/json', text: stringifyJson(edited) });
}

function otherValue(value: Json | undefined, random: SeededRandom): Json | undefined {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}y`;
  return typeof value === 'boolean' ? !value : random.next() < 0.5 ? undefined : (value ?? null);
}

function retarget(target: Target, object: KubeObject, namespace: string): Target | undefined {
  const { manifests } = identify([{ origin: 'gate#1', object }], () => ({ type: 'served', kind: target.kind }), namespace);
  return manifests[0];
}

function pathOf({ manifest, kind }: Target): string {
  const { namespace, name } = manifest.object.metadata;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  return `${root}${kind.namespaced ? `/namespaces/${namespace}` : ''}/${kind.resource}/${name}`;
}

async function waitUntilServed(cluster: Cluster, documents: readonly SourceDocument[], namespace: string): Promise<readonly Target[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { lookUp } = await cluster.discover(signal);
    const { manifests, refused } = identify(documents, lookUp, namespace);
    const schemas = await Promise.all(manifests.map(({ kind }) => cluster.schemaOf(kind, signal)));
    if (refused.length === 0 && !schemas.includes(undefined)) return manifests;
    if (Date.now() > deadline) throw new Error(`not served or without schema: ${JSON.stringify(refused)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function fixture(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, name), 'utf8');
}

interface Case {
  readonly local: 'equal' | 'different' | 'unsure';
  readonly verdict: string;
  readonly truth: string;
  readonly about: () => string;
}

function createTally(): { count(one: Case): void; result(): Omit<GateResult, 'kinds'> } {
  const answers = { equal: 0, different: 0, unsure: 0 };
  const wrong: string[] = [];
  let [cases, equals, unprovenEquals] = [0, 0, 0];
  return {
    count({ local, verdict, truth, about }) {
      cases += 1;
      answers[local] += 1;
      if (truth === 'same') equals += 1;
      if (truth === 'same' && local !== 'equal') unprovenEquals += 1;
      if (verdict !== truth || (local === 'equal' && truth !== 'same') || (local === 'different' && truth === 'same')) wrong.push(about());
    },
    result: () => ({ cases, answers, equals, unprovenEquals, wrong }),
  };
}
