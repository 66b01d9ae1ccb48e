// A process that has the documents of all applications, as the agent has them, and nothing else. Arguments: the repository's URL, a folder, how many applications.
import { plainApplication, type Application } from '../../src/model/index.ts';
import { createDesiredState, createReferences } from '../../src/reconcile/index.ts';
import { openSources } from '../../src/sources.ts';
import { createMetrics } from '../../src/telemetry/index.ts';
import { applicationName } from './manifests.ts';
import { withStall, type Stall } from './stall.ts';

/** One look at all applications: what it took, and what it gave. */
export interface Look {
  readonly ms: number;
  readonly stall: Stall;
  readonly fetches: number;
  readonly renders: number;
  readonly parsed: number;
  readonly documents: number;
  /** Those whose documents are not what they were. */
  readonly changed: readonly string[];
  readonly rssBytes: number;
  readonly maxRssBytes: number;
}

const [, , url = '', folder = '', count = ''] = process.argv;
const { signal } = new AbortController();
const applications: readonly Application[] = Array.from({ length: Number(count) }, (_none, at) =>
  plainApplication({ name: applicationName(at), sources: [{ repository: url, revision: 'main', path: `apps/${applicationName(at)}`, ref: undefined, options: {} }] }));

const metrics = createMetrics();
let counted = { fetches: 0, renders: 0, parsed: 0 };
let known: readonly (readonly unknown[])[] = [];

const started = performance.now();
const { result: sources, stall: opening } = await withStall(() =>
  openSources({ credentials: { env: process.env, folder: undefined, repository: url }, renderer: 'wasm', folder, remembers: true, log: { warn: complain }, metrics }),
);
const openedMs = performance.now() - started;

const ports = { onMoved: () => undefined, pollMs: 60_000, now: Date.now, random: Math.random, setTimer: () => () => undefined };

async function pulled(repository: string, revision: string): Promise<string> {
  using snapshot = await sources.repository(repository).pull(revision, signal);
  return snapshot.commit;
}

/** So many side by side as the agent looks at. */
const atOnce = 8;

async function documentsOfAll(desired: ReturnType<typeof createDesiredState>): Promise<readonly { readonly documents: readonly unknown[] }[]> {
  const all: { readonly documents: readonly unknown[] }[] = [];
  const queue = applications.entries();
  const work = async (): Promise<void> => {
    for (const [at, application] of queue) all[at] = await (await desired.at(application, null, signal)).documents(() => Promise.reject(new Error('no chart is here')), signal);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return all;
}

async function look(): Promise<Look> {
  // As a poll does: each reference is asked for once.
  const references = createReferences({ ...ports, resolve: (reference) => pulled(reference.repository, reference.revision) });
  const desired = createDesiredState({ ...sources, references });
  const before = performance.now();
  const { result: all, stall } = await withStall(() => documentsOfAll(desired));
  const ms = performance.now() - before;
  const now = countsIn(await metrics.text());
  const [last, then] = [known, counted];
  known = all.map(({ documents }) => documents);
  counted = now;
  return {
    ms,
    stall,
    fetches: now.fetches - then.fetches,
    renders: now.renders - then.renders,
    parsed: now.parsed - then.parsed,
    documents: known.reduce((sum, documents) => sum + documents.length, 0),
    changed: applications.flatMap(({ name }, at) => (known[at] === last[at] ? [] : [name])),
    rssBytes: process.memoryUsage.rss(),
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

function countsIn(text: string): typeof counted {
  const sum = (name: string): number => [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce((total, [, value]) => total + Number(value), 0);
  return { fetches: sum('setpoint_git_fetches_total'), renders: sum('setpoint_renders_total'), parsed: sum('setpoint_parsed_files_total') };
}

function complain(message: string, fields?: object): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
}

const first = await look();
process.on('message', () => void look().then((answer) => process.send?.(answer)));
process.once('disconnect', () => void sources[Symbol.asyncDispose]());
process.send?.({ ...first, ms: first.ms + openedMs, stall: { ms: Math.max(first.stall.ms, opening.ms), busyMs: Math.max(first.stall.busyMs, opening.busyMs) } } satisfies Look);
