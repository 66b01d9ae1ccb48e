import { randomBytes } from 'node:crypto';
import { retryOf, SetpointError, type ErrorCode, type SourceTree } from '../../../model/index.ts';
import type { Engine, EngineOutput, EngineRequest } from '../engine.ts';
import { explainDeath } from './explain-death.ts';
import { locateModule, type ModuleFiles } from './locate-module.ts';
import type { RenderResult } from './messages.ts';
import { createTreeAnswers, type SourceLimits } from './tree-answers.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface WasmEngineOptions {
  /** Where the module is found; the process's environment unless given. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly maxWorkers?: number;
  /** For one render, from the moment that a worker has it. */
  readonly deadlineMs?: number;
  readonly outputBytes?: number;
  readonly idleMs?: number;
  readonly source?: Partial<SourceLimits>;
}

export interface WasmEngine extends Engine {
  /** Names the module, for the keys of caches. Throws `RendererMissing`. */
  version(): Promise<string>;
}

const messageLength = 2000;
const sourceLimits: SourceLimits = { files: 5000, bytes: 20 * 1024 * 1024, questions: 100_000 };

/** Helm and Kustomize in a WebAssembly module: nothing is started until the first render, and no binary is needed. */
export function createWasmEngine(options: WasmEngineOptions = {}): WasmEngine {
  const { env = process.env, maxWorkers = 2, deadlineMs = 90_000, outputBytes = 10 * 1024 * 1024, idleMs = 180_000 } = options;
  let located: Promise<ModuleFiles> | undefined;
  const locate = (): Promise<ModuleFiles> => {
    // A module that is missing may be built while we run.
    located ??= locateModule(env).catch((error: unknown) => {
      located = undefined;
      throw error;
    });
    return located;
  };
  const pool = createWorkerPool({ maxWorkers, idleMs, locate });
  const closed = new AbortController();

  const render = async (request: EngineRequest, tree: SourceTree, signal: AbortSignal): Promise<EngineOutput> => {
    const root = `/${randomBytes(12).toString('hex')}`;
    const answers = createTreeAnswers(tree, { ...sourceLimits, ...options.source });
    const deadline = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const job = {
      request: JSON.stringify({ type: request.type, root, maxOutput: outputBytes, [request.type]: encode(request) }),
      answers,
      signal: AbortSignal.any([signal, closed.signal, deadline.signal]),
      onStart: () => {
        timer = setTimeout(() => deadline.abort(), deadlineMs);
      },
    };
    const end = await pool.run(job).finally(() => clearTimeout(timer));
    if (end.type === 'stopped') {
      signal.throwIfAborted();
      closed.signal.throwIfAborted();
      throw new SetpointError('RenderTimeout', `${nameOf(request)} was not rendered within ${deadlineMs / 1000} s.`);
    }
    if (end.type === 'died') throw explainDeath(nameOf(request), end.why);
    const result = JSON.parse(end.result) as RenderResult;
    if (result.code === 'Tree') throw answers.failure();
    if (result.code !== undefined) throw failureOf(request, result, root);
    return { text: end.text, origins: (result.origins ?? []).map((origin) => (origin === '' ? undefined : origin)) };
  };

  return {
    render,
    version: async () => (await locate()).version,
    close: async () => {
      closed.abort(new SetpointError('Internal', 'The render engine is closed.'));
      await pool.close();
    },
  };
}

function encode(request: EngineRequest): object {
  const base64 = (file: { readonly content: Uint8Array }): object => ({ ...file, content: Buffer.from(file.content).toString('base64') });
  if (request.type === 'helm') return { ...request, valueFiles: request.valueFiles.map(base64) };
  return { ...request, kustomization: request.kustomization && base64(request.kustomization) };
}

function nameOf(request: EngineRequest): string {
  const folder = request.type === 'helm' ? request.chart : request.folder;
  const where = folder === '' ? 'in the root of the source' : `in ${folder}`;
  return request.type === 'helm' ? `The chart ${where}` : `The kustomization ${where}`;
}

function failureOf(request: EngineRequest, { code = '', message = '' }: RenderResult, root: string): SetpointError {
  const known = isErrorCode(code) ? code : 'RenderFailed';
  const text = message.replaceAll(`${root}/`, '').replaceAll(root, '.').replaceAll(/\s*\n\s*/g, ' ').trim();
  return new SetpointError(known, `${nameOf(request)} does not render: ${shorten(text)}`);
}

/** Go puts the cause last, and what it was doing before it. */
function shorten(text: string): string {
  if (text.length <= messageLength) return text;
  return `${text.slice(0, messageLength / 4)} … ${text.slice(-messageLength * 0.75)}`;
}

function isErrorCode(code: string): code is ErrorCode {
  return retryOf(code as ErrorCode) !== undefined;
}
