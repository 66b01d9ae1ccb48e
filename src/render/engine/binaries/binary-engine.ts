import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import { SetpointError, type SourceTree } from '../../../model/index.ts';
import { splitDocuments } from '../../yaml/split-documents.ts';
import type { Engine, EngineOutput, EngineRequest, HelmRequest, KustomizeRequest } from '../engine.ts';
import { helmOrigins } from '../helm-origins.ts';
import { checkSchemas } from './check-schemas.ts';
import { childEnvironment } from './child-environment.ts';
import { childFailure } from './child-failure.ts';
import { copyFolder } from './copy-folder.ts';
import { copyKustomization } from './copy-kustomization.ts';
import { binaryVersions, findBinary, type Binary } from './find-binary.ts';
import { writeHelmInputs } from './helm-arguments.ts';
import { detectIsolation, type Isolation, type Wrapper } from './isolation.ts';
import { defaultLimits, type BinaryLimits } from './limits.ts';
import { nothingToRender } from './nothing-to-render.ts';
import { runChild } from './run-child.ts';
import { openWorkFolder, type WorkFolder } from './work-folder.ts';

export interface BinaryEngineOptions {
  /** The folders in which helm, kustomize, kubectl, and prlimit and unshare are looked for. */
  readonly path: readonly string[];
  readonly limits?: Partial<BinaryLimits>;
  /** Where the folder of each render is made. */
  readonly temporaryFolder?: string;
}

export interface BinaryEngine extends Engine {
  /** What holds the programs besides our own rules, found out once. */
  isolation(): Promise<Isolation>;
  /** Names the programs that render here: others may print something else. */
  version(): Promise<string>;
}

const helmNames = ['helm'];
const kustomizeNames = ['kustomize', 'kubectl'];

interface Job {
  readonly work: WorkFolder;
  readonly tree: SourceTree;
  readonly signal: AbortSignal;
}

interface Call {
  readonly binary: Binary;
  readonly subject: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly messageNames: ReadonlyMap<string, string>;
}

/** Renders with the `helm` and `kustomize` or `kubectl` of this machine, each in a child process that sees one folder and no network. */
export function createBinaryEngine(options: BinaryEngineOptions): BinaryEngine {
  const limits = { ...defaultLimits, ...options.limits };
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let wrapper: Promise<Wrapper> | undefined;

  function wrap(): Promise<Wrapper> {
    wrapper ??= detectIsolation(limits, options.path, closing.signal);
    return wrapper;
  }

  /** Each time, for a program may be installed, replaced or removed while we run. */
  async function locate(names: readonly string[]): Promise<Binary> {
    const binary = await findBinary(names, options.path);
    if (binary !== undefined) return binary;
    const where = options.path.join(', ') || 'no folder at all';
    throw new SetpointError('RendererMissing', `${names.join(' or ')} was not found in ${where}: install it, or render with the built-in engine`);
  }

  async function run({ binary, subject, cwd, args, messageNames }: Call, { work, signal }: Job): Promise<string> {
    const { prefix } = await wrap();
    const [path = '', ...rest] = [...prefix, binary.path, ...args];
    const outcome = await runChild({ path, args: rest, cwd, env: childEnvironment(work.path, limits) }, limits, signal);
    const failure = childFailure(outcome, { subject, tool: binary.name, folder: work.path, names: messageNames, limits });
    if (failure !== undefined) throw failure;
    return outcome.type === 'ended' ? outcome.output : '';
  }

  async function helm(request: HelmRequest, job: Job): Promise<EngineOutput> {
    const binary = await locate(helmNames);
    const wanted = { folder: request.chart, names: ['Chart.yaml'], what: 'chart' };
    if ((await job.tree.typeOf(posix.join(request.chart, 'Chart.yaml'))) !== 'file') throw await nothingToRender(wanted, job.tree);
    await copyFolder(request.chart, request.skipSchemaValidation ? job.tree : checkSchemas(job.tree), job);
    const { args, names } = await writeHelmInputs(request, job.work);
    const text = await run({ binary, subject: request.chart, cwd: job.work.path, args, messageNames: names }, job);
    return { text, origins: helmOrigins(text, { chart: request.chart, has: job.work.has }) };
  }

  async function kustomize(request: KustomizeRequest, job: Job): Promise<EngineOutput> {
    const binary = await locate(kustomizeNames);
    const origin = await copyKustomization(request, job.tree, job);
    // Named as `.`, the folder cannot be taken for a flag or for the address of a repository.
    const args = [binary.name === 'kubectl' ? 'kustomize' : 'build', '--load-restrictor=LoadRestrictionsRootOnly', '--', '.'];
    const text = await run({ binary, subject: request.folder, cwd: job.work.inTree(request.folder), args, messageNames: new Map() }, job);
    const documents = splitDocuments(text, { index: 1, line: 1 }).at(-1)?.index ?? 0;
    return { text, origins: Array.from({ length: documents }, () => origin) };
  }

  async function render(request: EngineRequest, tree: SourceTree, signal: AbortSignal): Promise<EngineOutput> {
    const either = AbortSignal.any([signal, closing.signal]);
    either.throwIfAborted();
    await using work = await openWorkFolder(options.temporaryFolder ?? tmpdir(), limits);
    const job = { work, tree, signal: either };
    return await (request.type === 'helm' ? helm(request, job) : kustomize(request, job));
  }

  return {
    isolation: async () => (await wrap()).isolation,
    version: () => binaryVersions([helmNames, kustomizeNames], options.path),
    render: (request, tree, signal) => {
      const rendering = render(request, tree, signal);
      const settled: Promise<unknown> = rendering.catch(() => undefined).finally(() => running.delete(settled));
      running.add(settled);
      return rendering;
    },
    close: async () => {
      closing.abort(new SetpointError('RendererMissing', 'the rendering engine is closed'));
      await Promise.all(running);
    },
  };
}
