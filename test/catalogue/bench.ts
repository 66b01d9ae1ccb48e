// What Git says as text, and a namespace of the real cluster in → the product's verdict out, with independent witnesses.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster } from '../../src/cluster/index.ts';
import { identify, tagWith, type ComparedResource } from '../../src/diff/index.ts';
import { isObject, parseJson, stringifyJson, type AgreedStates, type Diff, type Finding, type Json, type JsonObject, type KubeObject } from '../../src/model/index.ts';
import { compareAll, createMemory, type WatchPort } from '../../src/reconcile/index.ts';
import { renderPlain } from '../../src/render/index.ts';
import type { TestCluster } from '../support/cluster/test-cluster.ts';
import { kubectlDiff } from '../support/kubectl-diff.ts';
import { openRawApi, type RawAnswer, type RawApi } from '../support/raw-api.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

/** S in sync, F likewise with additions by hand, O out of sync, K contested, R only by replacing, E Git is wrong, U unknown. */
export type Letter = 'S' | 'F' | 'O' | 'K' | 'R' | 'E' | 'U';

export type Changed = Extract<Diff, { type: 'changed' }>;
export type Same = Extract<Diff, { type: 'same' }>;

export interface Seen {
  readonly verdict: Letter;
  readonly diff: Diff;
  /** What to remember of it, as the agent does. */
  readonly state: ComparedResource['state'];
}

export interface Look {
  readonly seen: readonly Seen[];
  readonly findings: readonly Finding[];
}

export interface LookOptions {
  /** Asks `kubectl diff` too; not where a rule of ours is that the two differ. True where it is not given. */
  readonly witness?: boolean;
  /** Another user than the one who may do everything: the path of a kubeconfig. */
  readonly user?: string;
  /** What was agreed on at earlier looks. */
  readonly agreed?: AgreedStates;
}

export interface Bench extends AsyncDisposable {
  readonly admin: TestCluster;
  readonly api: RawApi;
  readonly namespace: string;
  /** Compares one document, and has the verdict witnessed. */
  look(git: string, options?: LookOptions): Promise<Seen>;
  /** Compares files, without witnesses. */
  lookAll(files: Readonly<Record<string, string>>, options?: LookOptions): Promise<Look>;
  /** What an earlier sync of ours would have left: the server applies the text itself, under our name. */
  ours(manifest: string): Promise<void>;
  remove(manifest: string): Promise<void>;
  /** In this namespace. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** The object that a manifest is about, as the server stores it. */
  live(manifest: string): Promise<KubeObject>;
  /** The objects of a resource that have this label. */
  labelled(groupVersion: string, resource: string, label: string): Promise<readonly KubeObject[]>;
  /** A write by software of that name: a merge patch of the object, or of a subresource of it. */
  writeAs(manager: string, path: string, patch: JsonObject): Promise<void>;
  /** The path of a resource in this namespace: `apps/v1`, `deployments/web`. */
  path(groupVersion: string, resource: string): string;
  /** Whether the cluster serves the kind, with its schema, so that a look knows it. */
  serves(apiVersion: string, kind: string): Promise<boolean>;
  /** The same in a namespace of its own. */
  elsewhere(): Promise<Bench>;
}

const signal = new AbortController().signal;

/** One bench for all tests of a file. */
export function useBench(): () => Bench {
  let bench: Bench | undefined;
  beforeAll(async () => {
    const admin = sharedCluster();
    const [cluster, api] = [createCluster(await loadKubeconfig({ file: admin.kubeconfig })), await openRawApi(admin.kubeconfig)];
    bench = await openBench({ admin, cluster, api });
    return async () => {
      await cluster.close();
      await api[Symbol.asyncDispose]();
    };
  });
  afterAll(async () => bench?.[Symbol.asyncDispose]());
  return () => {
    if (bench === undefined) throw new Error('the bench is used before the tests run');
    return bench;
  };
}

interface Parts {
  readonly admin: TestCluster;
  readonly cluster: Cluster;
  readonly api: RawApi;
}

async function openBench(parts: Parts): Promise<Bench> {
  const { admin, api, cluster } = parts;
  const namespace = `test-${randomBytes(5).toString('hex')}`;
  const ownPath = `/api/v1/namespaces/${namespace}`;
  const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  accepted(await api.send('PATCH', `${ownPath}?fieldManager=test-setup`, { type: 'application/apply-patch+yaml', text: manifest }));
  const kubectl = (args: readonly string[], input?: string): Promise<string> => admin.kubectl([...args, '-n', namespace], input);
  const path: Bench['path'] = (groupVersion, resource) => `${groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`}/namespaces/${namespace}/${resource}`;
  const lookAll: Bench['lookAll'] = async (files, options = {}) => (await examine(files, { ...options, ...parts, namespace })).look;
  return {
    admin,
    api,
    namespace,
    lookAll,
    async look(git, options = {}) {
      const { look, paths } = await examine({ 'git.yaml': git }, { ...options, ...parts, namespace });
      const [seen] = look.seen;
      if (seen === undefined || look.seen.length > 1) throw new Error(`one document is wanted, got ${stringifyJson(look as unknown as Json)}`);
      if (seen.diff.type === 'changed') await checkPatch(seen.diff, paths.get(seen.diff.key) ?? '', api);
      if (options.witness !== false) await checkWithKubectl({ admin, namespace, git, seen });
      return seen;
    },
    async ours(text) {
      const target = await whereIs(text, { cluster, namespace });
      accepted(await api.send('PATCH', `${target}?fieldManager=setpoint&force=true&fieldValidation=Strict`, { type: 'application/apply-patch+yaml', text }));
    },
    async remove(text) {
      accepted(await api.send('DELETE', `${await whereIs(text, { cluster, namespace })}?propagationPolicy=Background`));
    },
    kubectl,
    async live(text) {
      return accepted(await api.send('GET', await whereIs(text, { cluster, namespace })));
    },
    async labelled(groupVersion, resource, label) {
      return accepted(await api.send('GET', `${path(groupVersion, resource)}?labelSelector=${label}`))['items'] as unknown as readonly KubeObject[];
    },
    async writeAs(manager, target, patch) {
      const answer = await api.send('PATCH', `${target}?fieldManager=${manager}`, { type: 'application/merge-patch+json', text: stringifyJson(patch) });
      accepted(answer);
    },
    path,
    async serves(apiVersion, kind) {
      const found = (await cluster.discover(signal)).lookUp(apiVersion, kind);
      return found.type === 'served' && (await cluster.schemaOf(found.kind, signal)) !== undefined;
    },
    elsewhere: () => openBench(parts),
    async [Symbol.asyncDispose]() {
      await api.send('DELETE', ownPath);
    },
  };
}

export function accepted(answer: RawAnswer): KubeObject {
  if (answer.status >= 300) throw new Error(`the server answered ${answer.status}: ${answer.text}`);
  return parseJson(answer.text) as KubeObject;
}

async function whereIs(manifest: string, { cluster, namespace }: { readonly cluster: Cluster; readonly namespace: string }): Promise<string> {
  const { documents } = renderPlain([{ path: 'ours.yaml', content: Buffer.from(manifest) }]);
  const { manifests, refused } = identify(documents, (await cluster.discover(signal)).lookUp, namespace);
  const [target, ...more] = manifests;
  if (target === undefined || more.length > 0 || refused.length > 0) throw new Error(`one object is wanted, got ${manifest}`);
  return pathOf(target);
}

interface Examination extends Parts, LookOptions {
  readonly namespace: string;
}

interface Examined {
  readonly look: Look;
  readonly paths: ReadonlyMap<string, string>;
}

async function examine(files: Readonly<Record<string, string>>, { user, ...given }: Examination): Promise<Examined> {
  const cluster = user === undefined ? given.cluster : createCluster(await loadKubeconfig({ file: user }));
  try {
    // A controller may be at work on the object just now: then it is looked at again, as the agent would.
    return await waitFor(
      async () => {
        const examined = await examineOnce(files, { ...given, cluster });
        const isUnsettled = ({ diff }: Seen): boolean => diff.type === 'unknown' && diff.code === 'ObjectUnsettled';
        return examined.look.seen.some(isUnsettled) ? undefined : examined;
      },
      { what: 'a comparison of objects that stand still' },
    );
  } finally {
    if (user !== undefined) await cluster.close();
  }
}

async function examineOnce(files: Readonly<Record<string, string>>, { cluster, namespace, agreed }: Examination): Promise<Examined> {
  const { documents, findings } = renderPlain(Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })));
  const refused = findings.flatMap(({ severity, origin, message }): readonly Seen[] => {
    if (severity !== 'error') return [];
    return [{ verdict: 'E', diff: { type: 'invalid', key: origin as Diff['key'], origin, message }, state: null }];
  });
  const { compared, targets } = await compareAll(documents, {
    ...{ cluster, namespace, salt: 'x', tag: tagWith('x'), signal },
    ...(agreed === undefined ? {} : { standing: { watch: blind, memory: createMemory({ now: () => performance.now(), random: () => 0.5, salt: 'x' }), agreed } }),
  });
  const seen = compared.map(({ diff, state }) => ({ verdict: letterOf(diff), diff, state }));
  return { look: { seen: [...seen, ...refused], findings }, paths: new Map(targets.map((target) => [target.manifest.key, pathOf(target)])) };
}

/** Nothing is watched: every object is read. */
const blind: WatchPort = { follow: () => Promise.resolve(), sight: () => undefined, admission: () => '', applied: () => undefined };

export function letterOf(diff: Diff): Letter {
  switch (diff.type) {
    case 'same':
      return diff.foreign.length === 0 ? 'S' : 'F';
    case 'changed':
      if (diff.obstacle?.type === 'replace') return 'R';
      return diff.changes.every(({ standing }) => standing === 'contested') ? 'K' : 'O';
    case 'missing':
    case 'terminating':
      return 'O';
    case 'invalid':
      return 'E';
    case 'unknown':
      return 'U';
  }
}

type Target = Awaited<ReturnType<typeof compareAll>>['targets'][number];

function pathOf({ manifest, kind }: Target): string {
  const { namespace, name } = manifest.object.metadata;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  return `${root}${kind.namespaced ? `/namespaces/${namespace}` : ''}/${kind.resource}/${name}`;
}

/** The server, given our patch, makes of the live object what we say it would be. */
async function checkPatch({ patch, after, obstacle, unconfirmed }: Changed, path: string, api: RawApi): Promise<void> {
  // A masked patch is for people; a change that the server refuses, it refuses as a patch too.
  if (after.kind === 'Secret' || obstacle !== undefined || unconfirmed !== undefined) return;
  const body = { type: 'application/json-patch+json', text: stringifyJson(patch) };
  const patched = accepted(await api.send('PATCH', `${path}?dryRun=All&fieldManager=setpoint`, body));
  expect({ patched: content(patched, after) }).toEqual({ patched: content(after, after) });
}

/** What is compared of an object: all but what only the server writes. */
function content(object: KubeObject, like: KubeObject): JsonObject {
  const { metadata, status, ...rest } = object;
  const annotations = Object.entries(isObject(metadata['annotations']) ? metadata['annotations'] : {})
    // Written by the deployment controller in its own time.
    .filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration' && !key.startsWith('deployment.kubernetes.io/'));
  const shared = { labels: metadata['labels'] ?? {}, annotations: Object.fromEntries(annotations), finalizers: metadata['finalizers'] ?? [] };
  return { ...rest, ...shared, ...(like['status'] === undefined || status === undefined ? {} : { status }) };
}

interface Witnessed {
  readonly admin: TestCluster;
  readonly namespace: string;
  readonly git: string;
  readonly seen: Seen;
}

const expectedOfKubectl: Readonly<Record<Letter, string>> = { S: 'none', F: 'none', O: 'some', K: 'some', R: 'failed', E: 'failed', U: 'failed' };

async function checkWithKubectl({ admin, namespace, git, seen }: Witnessed): Promise<void> {
  const { type, text } = await kubectlDiff(admin, git, namespace);
  const expected = expectedOfKubectl[seen.verdict];
  if (type === expected) return;
  const told = stringifyJson(seen.diff as unknown as Json);
  throw new Error(`the verdict is ${seen.verdict}, so kubectl diff should find ${expected}, and found ${type}:\n${text}\n${told}`);
}
