import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { declaredApplication, type DeclaredApplication } from '../apps/index.ts';
import { cacheFolder } from '../config/index.ts';
import { checkSourcePath, mainSource, SetpointError, whyUnreadable, type Source } from '../model/index.ts';
import { findDuplicates, renderPlain, type OpenSource, type Rendered } from '../render/index.ts';
import { openSources, type Sources } from '../sources.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode, exitCodeOfDiffs } from './exit-code.ts';
import { oneLine } from './format/index.ts';
import { openManifests } from './manifest-reader.ts';
import { printDocuments } from './print-documents.ts';
import { renderOptionsFrom, type RenderFlags } from './render-options.ts';

export interface RenderCommandFlags extends RenderFlags {
  readonly filename?: string;
  readonly repo?: string;
  readonly path: string;
  readonly revision: string;
  readonly app?: string;
  readonly output: 'yaml' | 'json' | 'name';
  readonly namespace?: string;
  readonly root?: string;
  readonly gitCredentials?: string;
}

/** The path of the agent up to the manifests, without a cluster. */
export async function runRender(flags: RenderCommandFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => {
    interrupt.abort();
    process.exit(exitCode.interrupted);
  });
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const { gitCredentials, renderer } = flags;
  const application = flags.app === undefined ? undefined : await applicationIn(flags.app);
  const repository = flags.repo ?? (application && mainSource(application).repository);
  await using sources = await openSources({
    ...{ credentials: { env: process.env, folder: gitCredentials, repository }, renderer, folder: join(cacheFolder(process.env), 'git'), remembers: flags.filename === undefined },
    log: { warn: (message, fields) => warn(`${message}: ${Object.values(fields ?? {}).join(' ')}`) },
  });
  const namespace = flags.namespace ?? 'default';
  const rendered = await renderAsked({ flags, application, sources, namespace, process, warn, signal: interrupt.signal });
  const findings = [...rendered.findings, ...findDuplicates(rendered.documents, namespace)];
  for (const { severity, origin, message } of findings) warn(`${origin}: ${severity}: ${message}`);
  printDocuments({ ...rendered, findings }, flags.output, output.write);
  finish(exitCodeOfDiffs([], findings));
}

interface Asked {
  readonly flags: RenderCommandFlags;
  readonly application: DeclaredApplication | undefined;
  readonly sources: Sources;
  readonly namespace: string;
  readonly process: NodeJS.Process;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

async function renderAsked(asked: Asked): Promise<Rendered> {
  const { flags, sources, namespace, process, signal } = asked;
  if (flags.filename !== undefined) {
    const manifests = await openManifests({ ...flags, filename: flags.filename }, sources.renderer, process.stdin);
    return manifests.read({ namespace, capabilities: undefined, signal });
  }
  if (asked.application !== undefined) return renderApplication(asked.application, asked);
  if (flags.repo === undefined) throw new SetpointError('Usage', 'one of -f, --repo or --app is wanted: where are the manifests?');
  const source: Source = { repository: flags.repo, revision: flags.revision, path: checkSourcePath(flags.path), ref: undefined, options: renderOptionsFrom(flags) };
  return renderSources([source], asked, nameOf(source));
}

function renderApplication({ name, namespace, sources, unsupported }: DeclaredApplication, asked: Asked): Promise<Rendered> {
  for (const field of unsupported) asked.warn(`${asked.flags.app ?? ''}: ${field} is not supported, and has no effect`);
  return renderSources(sources, { ...asked, namespace: namespace ?? asked.namespace }, name);
}

async function applicationIn(file: string): Promise<DeclaredApplication> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw new SetpointError('PathNotFound', `${file} cannot be read: ${whyUnreadable(cause)}: check --app`, { cause });
  });
  const { documents } = renderPlain([{ path: file, content }]);
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) throw new SetpointError('Usage', `${file}: one Application is wanted, got ${documents.length} documents`);
  return declaredApplication(document.object);
}

async function renderSources(wanted: readonly Source[], { sources, namespace, signal }: Asked, name: string): Promise<Rendered> {
  using opened = new DisposableStack();
  const open: OpenSource[] = [];
  for (const { repository, revision, path, ref, options } of wanted) {
    const { tree } = opened.use(await sources.repository(repository).pull(revision, signal));
    open.push({ tree, path, ref, options });
  }
  return sources.renderer.render(open, { name, namespace, capabilities: undefined }, signal);
}

function nameOf({ repository, path }: Source): string {
  const last = (path === undefined || path === '' ? repository : path).replace(/\/+$/, '').split('/').at(-1);
  return last?.replace(/\.git$/, '') || 'release';
}
