import { delimiter, join } from 'node:path';
import { accessFromEnv, createGitWorker, findCredentials, isFor, openRepository, parseRepositoryUrl, readCredentials, type GitRepository, type Repository } from './git/index.ts';
import {
  createBinaryEngine,
  createRenderer,
  createWasmEngine,
  createYamlReader,
  openContentCache,
  rememberOutputs,
  rememberRenders,
  type ContentCache,
  type Renderer,
} from './render/index.ts';
import type { SourceKind } from './model/index.ts';
import type { Log, Metrics } from './telemetry/index.ts';

interface SourcesOptions {
  readonly credentials: Credentials;
  readonly renderer: 'wasm' | 'binaries';
  /** Where repositories and what was made of them are kept; everything in it can be fetched and rendered again. */
  readonly folder: string;
  /** Whether parsed and rendered files are kept there too, for the next process. */
  readonly remembers: boolean;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics?: Metrics;
}

/** What someone gave us to get into the repository that they named. */
export interface Credentials {
  readonly env: NodeJS.ProcessEnv;
  /** A folder of files, as a mounted Secret has them. */
  readonly folder: string | undefined;
  /** The one they are for, as it was given, perhaps with credentials in it. No other host is shown any. Undefined: they say themselves. */
  readonly repository: string | undefined;
}

/** Repositories and a renderer, shared by all who need documents. */
export interface Sources extends AsyncDisposable {
  repository(url: string): GitRepository;
  readonly renderer: SourceRenderer;
}

export interface SourceRenderer extends Renderer {
  /** The same, with nothing of what was rendered before. */
  readonly renderAnew: Renderer['render'];
}

interface RenderingOptions {
  readonly renderer: 'wasm' | 'binaries';
  /** Where an engine is looked for. */
  readonly env: NodeJS.ProcessEnv;
  readonly cache?: ContentCache | undefined;
  readonly metrics?: Metrics | undefined;
}

export function createSourceRenderer({ renderer, env, cache, metrics }: RenderingOptions): SourceRenderer {
  const engine = renderer === 'wasm' ? createWasmEngine({ env }) : createBinaryEngine({ path: (env['PATH'] ?? '').split(delimiter).filter((part) => part !== '') });
  const parts = {
    yaml: createYamlReader({ ...(cache && { cache }), on: { parsed: (files) => metrics?.parsed(files) } }),
    onRender: (kind: SourceKind) => metrics?.rendered(kind),
  };
  return {
    ...rememberRenders(createRenderer({ ...parts, engine: cache === undefined ? engine : rememberOutputs(engine, cache) })),
    renderAnew: createRenderer({ ...parts, engine }).render,
  };
}

export async function openSources({ credentials, renderer: name, folder, remembers, log, metrics }: SourcesOptions): Promise<Sources> {
  const onProblem = (reason: string): void => log.warn('nothing is remembered on disk', { reason });
  const cache = remembers ? await openContentCache({ folder: join(folder, 'content'), onProblem }) : undefined;
  const renderer = createSourceRenderer({ renderer: name, env: credentials.env, cache, metrics });
  const repositories = new Map<string, GitRepository>();
  const worker = createGitWorker();
  return {
    renderer,
    repository(url) {
      const present = repositories.get(url);
      if (present !== undefined) return present;
      const on = {
        listed: () => metrics?.gitListed(url),
        fetched: (fetch: { readonly type: 'first' | 'incremental'; readonly bytes: number; readonly ms: number }) => metrics?.gitFetched(url, fetch),
      };
      const opened = openRepository({ url, locate: () => locateRepository(url, credentials) }, { folder, worker, on });
      repositories.set(url, opened);
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...repositories.values()].map((repository) => repository.close()));
      await Promise.all([worker.close(), renderer.close()]);
      await cache?.close();
    },
  };
}

/** Where a repository is and how to get in. Credentials are read anew each time, because they are rotated, and shown to one host only. */
export async function locateRepository(text: string, { env, folder, repository }: Credentials): Promise<Repository> {
  if (repository === undefined) return parseRepositoryUrl(text, await accessTo(text, { env, folder }));
  const { proxy, ...secrets } = { ...accessFromEnv(env), ...(folder === undefined ? {} : await readCredentials(folder)) };
  const named = parseRepositoryUrl(repository, { ...secrets, ...(proxy && { proxy }) });
  if (text === repository || text === named.url) return named;
  return parseRepositoryUrl(text, { ...(hostOf(text) === hostOf(named.url) ? secrets : {}), ...(proxy && { proxy }) });
}

/** Where anybody may name a repository, credentials say themselves which ones they are for. */
async function accessTo(url: string, { env, folder }: Pick<Credentials, 'env' | 'folder'>): Promise<Parameters<typeof parseRepositoryUrl>[1]> {
  const { proxy, ...secrets } = accessFromEnv(env);
  const found = folder === undefined ? undefined : await findCredentials(folder, url);
  if (found !== undefined) return { ...(proxy && { proxy }), ...(await readCredentials(found)) };
  return { ...(proxy && { proxy }), ...(isFor(env['SETPOINT_GIT_URL'] ?? '', url) ? secrets : {}) };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, url.indexOf(':'));
}
