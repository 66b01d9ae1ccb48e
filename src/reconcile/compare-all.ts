import { liveDigest, type ComparedResource, type DriftRules, type IgnoreRules, type Tag } from '../diff/index.ts';
import { parseResourceKey, resourceKey, SetpointError, valueAt, type AgreedState, type AgreedStates, type Diff, type Finding, type JsonObject, type LiveObject, type ResourceKey, type SourceDocument } from '../model/index.ts';
import { createScaledBy, type ScaledBy } from './autoscalers.ts';
import { compareOne } from './compare-one.ts';
import { identifyParts } from './identify-parts.ts';
import type { CompareContext, Known } from './comparison.ts';
import type { Inputs, Memory } from './memory.ts';
import type { ClusterPort, KindSchema, Reading, Sight, Target, WatchPort } from './ports.ts';

export interface Comparison {
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
  /** Declared to be run, and not compared. */
  readonly hooks: readonly Target[];
  /** What is worth saying although it is no difference. */
  readonly notices: readonly Finding[];
}

export interface CompareOptions {
  readonly cluster: Pick<ClusterPort, 'discover' | 'schemaOf' | 'read' | 'readMany' | 'list' | 'predict' | 'predictPatch'>;
  readonly namespace: string;
  /** Keys the hashes that are kept on disk. */
  readonly salt: string;
  /** Marks values of Secrets that are equal, without telling them. */
  readonly tag: Tag;
  readonly signal: AbortSignal;
  readonly ignores?: IgnoreRules;
  /** What is done about live changes of single fields. */
  readonly drift?: DriftRules;
  /** Whether fields that people added and Git does not mention are differences. */
  readonly revertsForeign?: boolean;
  readonly standing?: Standing;
  /** Which of the documents to compare; all of them where it is not given. */
  readonly wants?: (key: ResourceKey) => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a process that stays has at hand: objects are watched, and results kept while nothing changes. */
export interface Standing {
  readonly watch: WatchPort;
  readonly memory: Memory;
  /** What was agreed on at earlier looks; undefined where nobody remembers it. */
  readonly agreed: AgreedStates | undefined;
}

interface Look extends CompareOptions {
  readonly scaledBy: ScaledBy;
}

// More buys nothing: the server's dry runs are as fast at 4 as at 16.
const concurrency = 4;

/** Every document against the cluster. One resource's trouble is its own; only a cluster out of reach ends the comparison. */
export async function compareAll(documents: readonly SourceDocument[], options: CompareOptions): Promise<Comparison> {
  const { cluster, signal, standing, wants } = options;
  const kinds = await cluster.discover(signal);
  const { manifests, hooks, refused } = (standing?.memory.identify ?? identifyParts)(documents, kinds.lookUp, options.namespace);
  const isWanted = (key: ResourceKey): boolean => wants === undefined || wants(key);
  // The very same list while nothing changes: then nobody has to find out that it is the same.
  const targets = wants === undefined ? manifests : manifests.filter(({ manifest }) => wants(manifest.key));
  await standing?.watch.follow(targets, signal);
  const readings = standing === undefined ? await cluster.readMany(targets, signal) : new Map<ResourceKey, Reading>();

  const scaledBy = createScaledBy({ targets, lookUp: kinds.lookUp, cluster, watch: standing?.watch }, signal);
  const look: Look = { ...options, scaledBy };
  const results: ComparedResource[] = [];
  const queue = targets.values();
  const work = async (): Promise<void> => {
    for (const target of queue) {
      results.push(await compareSafely(target, readings.get(target.manifest.key), look));
      options.onProgress?.(results.length, targets.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  standing?.memory.retain(targets.map(({ manifest }) => manifest.key));
  const compared = [...results, ...refused.map((diff) => asKnown(diff, standing?.agreed)).filter(({ key }) => isWanted(key)).map((diff) => ({ diff, state: null }))];
  return { compared: compared.toSorted((a, b) => (a.diff.key < b.diff.key ? -1 : 1)), targets, hooks, notices: compared.flatMap(noticeOf) };
}

/** Whether objects of a kind have a namespace only the server knows, and it does not serve this one now: what it was called before is still its name. */
function asKnown(diff: Diff, agreed: AgreedStates = {}): Diff {
  const key = resourceKey({ ...parseResourceKey(diff.key), namespace: '' });
  return agreed[diff.key] === undefined && agreed[key] !== undefined ? { ...diff, key } : diff;
}

function noticeOf({ diff: { origin }, notice }: ComparedResource): readonly Finding[] {
  return notice === undefined ? [] : [{ severity: 'warning', origin, message: notice }];
}

/** What goes wrong with one object stays with it; what the adapters throw is about the whole cluster. */
async function compareSafely(target: Target, read: Reading | undefined, options: Look): Promise<ComparedResource> {
  try {
    return await compareTarget(target, read, options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SetpointError) throw error;
    const { key, origin } = target.manifest;
    const message = `it cannot be compared: ${error instanceof Error ? error.message : String(error)}`;
    return { diff: { type: 'unknown', key, origin, code: 'Internal', message }, state: null };
  }
}

async function compareTarget(target: Target, read: Reading | undefined, options: Look): Promise<ComparedResource> {
  const { key } = target.manifest;
  const { standing } = options;
  const schema = await schemaFor(target, options);
  const recorded = standing === undefined ? undefined : recordedFields(target, standing, options.salt);
  const sight = standing?.watch.sight(key);
  if (standing === undefined || sight === undefined) return (await compareSettled(target, { read, schema, recorded, agreed: undefined, journal: [] }, options)).compared;

  const { memory, watch } = standing;
  const inputs: Inputs = {
    desired: memory.hashOf(target.manifest.object),
    live: sight.digest ?? 'absent',
    schema: schema?.hash ?? 'none',
    admission: watch.admission(),
    rules: `${options.ignores?.hash ?? 'none'}${options.revertsForeign === true ? ' revert' : ''}${options.drift === undefined ? '' : ` ${options.drift.hash}`}${await scaling(target, sight, options)}`,
    recorded: recorded === undefined ? 'none' : memory.hashOf(recorded),
  };
  const recalled = memory.recall(key, inputs);
  const onRecord = agreedOn(target, standing, options.salt);
  // Unless what was agreed on then was never written down, or something else since.
  if (recalled !== undefined && (recalled.state !== null || standing.agreed === undefined || onRecord !== undefined)) return recalled;
  // Another admission may have another mind about what was agreed on.
  const agreed = memory.knowsUnder(key, inputs.admission) ? onRecord : undefined;
  const { compared, isReadAgain } = await compareSettled(target, { read: sight.reading(), schema, recorded, agreed, journal: sight.journal() }, options);
  const result = onRecord === undefined ? compared : { ...compared, desiredHash: onRecord.desired };
  // Read again because it changed meanwhile: that is not what these inputs gave.
  if (!isReadAgain && watch.sight(key)?.digest === sight.digest) memory.remember(key, inputs, result);
  return result;
}

/** Names what an autoscaler has to do with it; nothing where none has. */
async function scaling(target: Target, { digest, reading }: Pick<Sight, 'digest' | 'reading'>, { scaledBy }: Look): Promise<string> {
  if (digest === null || typeof valueAt(target.manifest.object, ['spec', 'replicas']) !== 'number') return '';
  const seen = reading();
  const range = seen.type === 'live' ? await scaledBy(target, seen.live.object) : undefined;
  return range === undefined ? '' : ` ${range.autoscaler} ${range.least} ${range.most}`;
}

/** The fields that Git had when both last agreed; of no interest while Git still says the same. */
function recordedFields(target: Target, standing: Standing, salt: string): JsonObject | undefined {
  return agreedOn(target, standing, salt) !== undefined ? undefined : standing.agreed?.[target.manifest.key]?.fields;
}

/** What is on record where both agreed on what Git says now. */
function agreedOn({ manifest }: Target, { agreed, memory }: Standing, salt: string): AgreedState | undefined {
  const state = agreed?.[manifest.key];
  return state !== undefined && state.desired === memory.hashOf(manifest.object, salt) ? state : undefined;
}

interface Facts {
  readonly read: Reading | undefined;
  readonly schema: KindSchema | undefined;
  readonly recorded: JsonObject | undefined;
  readonly agreed: AgreedState | undefined;
  readonly journal: Known['journal'];
}

interface Settled {
  readonly compared: ComparedResource;
  /** It is about another state of the object than the one that was given. */
  readonly isReadAgain: boolean;
}

const tries = 3;

/** Until the reading and the server's answer are about the same object. */
async function compareSettled(target: Target, { read, schema, recorded, agreed, journal }: Facts, options: Look): Promise<Settled> {
  const { cluster, signal, salt, tag, ignores, standing, scaledBy, drift, revertsForeign } = options;
  let seen: LiveObject | undefined;
  const saw = standing && ((live: LiveObject): Known['journal'] => sawNewer((seen = live), standing));
  const context: CompareContext = { cluster, salt, tag, ignores, scaledBy, drift, revertsForeign, signal, saw };
  for (let attempt = 0; attempt < tries; attempt++) {
    const reading = attempt === 0 && read !== undefined ? read : await cluster.read(target, signal);
    const compared = await compareOne(target, { reading, journal, schema: schema?.schema, recorded, agreed }, context);
    if (compared !== 'unsettled') return { compared, isReadAgain: attempt > 0 || isOther(reading, seen, target) };
  }
  const { key, origin } = target.manifest;
  const diff: Diff = { type: 'unknown', key, origin, code: 'ObjectUnsettled', message: 'it changes faster than it can be compared' };
  return { compared: { diff, state: null }, isReadAgain: true };
}

/** Whether what was seen instead of the reading is another object to a comparison. */
function isOther(reading: Reading, seen: LiveObject | undefined, { kind }: Target): boolean {
  if (seen === undefined || reading.type !== 'live') return false;
  return liveDigest(seen.object, kind) !== liveDigest(reading.live.object, kind);
}

/** The watch would show it later: now the journal knows who wrote it, and when it was seen. */
function sawNewer({ key, object }: LiveObject, { watch }: Standing): Known['journal'] {
  watch.applied(key, object);
  return watch.sight(key)?.journal() ?? [];
}

/** Without a schema nothing is proven, and the server is asked: a schema that cannot be had costs time only. */
async function schemaFor({ kind }: Target, { cluster, signal }: CompareOptions): Promise<KindSchema | undefined> {
  return cluster.schemaOf(kind, signal).catch(() => undefined);
}
