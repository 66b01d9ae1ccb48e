import { readFile, stat } from 'node:fs/promises';
import { detectKind, renderPlain, type Capabilities, type Rendered, type Renderer } from '../render/index.ts';
import { openLocalSource } from './local-source.ts';
import { readAll } from './read-all.ts';
import { renderOptionsFrom, type RenderFlags } from './render-options.ts';

export interface ReaderFlags extends RenderFlags {
  readonly filename: string;
  readonly root?: string;
}

interface Reading {
  /** Of charts that name none. */
  readonly namespace: string;
  readonly capabilities: (() => Promise<Capabilities>) | undefined;
  readonly signal: AbortSignal;
}

export interface ManifestReader {
  /** Standard input and named pipes are read once, files each time; what they came to last stays the same value while they do. */
  read(reading: Reading): Promise<Rendered>;
  /** The folder or file that may change; `-` for none. */
  readonly place: string;
  /** Whether it may depend on files outside of the folder that was named. */
  readonly reachesOut: boolean;
}

export async function openManifests(flags: ReaderFlags, renderer: Renderer, stdin: NodeJS.ReadStream): Promise<ManifestReader> {
  if (flags.filename === '-') return pipedManifests('-', () => readAll(stdin));
  if (await isPipe(flags.filename)) return pipedManifests(flags.filename, () => readFile(flags.filename));
  const { tree, path, name, withOrigins } = await openLocalSource(flags.filename, flags.root);
  const options = renderOptionsFrom(flags);
  let last: { readonly rendered: Rendered; readonly named: Rendered } | undefined;
  return {
    place: flags.filename,
    reachesOut: (await detectKind(tree, path, options)) !== 'directory',
    async read({ namespace, capabilities, signal }) {
      const rendered = await renderer.render([{ tree, path, ref: undefined, options }], { name, namespace, capabilities }, signal);
      if (last?.rendered !== rendered) last = { rendered, named: withOrigins(rendered) };
      return last.named;
    },
  };
}

function pipedManifests(path: string, readContent: () => Promise<Uint8Array>): ManifestReader {
  let piped: Promise<Rendered> | undefined;
  return {
    place: '-',
    reachesOut: false,
    read() {
      piped ??= readContent().then((content) => renderPlain([{ path, content }]));
      return piped;
    },
  };
}

/** As shells make one of `<(helm template .)`: it leads to no place where files are. */
async function isPipe(path: string): Promise<boolean> {
  return stat(path).then((kind) => kind.isFIFO(), () => false);
}
