import {
  checkSourcePath,
  childOf,
  isList,
  isObject,
  SetpointError,
  shownText,
  stringifyJson,
  type HelmOptions,
  type Json,
  type JsonObject,
  type RenderOptions,
  type Source,
  type SourceKind,
} from '../model/index.ts';
import { saysSomething } from './fields/read-block.ts';
import type { Report } from './report.ts';

export interface SourcesOptions {
  /** The spec as it was written, and what could be read of it. */
  readonly written: JsonObject;
  readonly values: JsonObject;
  /** The URL to use, where one is given at this place. */
  readonly repository: (url: string, at: string) => string;
}

export function readSources(options: SourcesOptions, report: Report): readonly Source[] {
  const sources = blocksOf(options, report).map((block) => readSource(block, options.repository, report));
  const isReadable = sources.length > 0 && sources.every((source) => source !== undefined);
  if (isReadable && !sources.some((source) => source?.path !== undefined)) report.mistake('spec.sources', 'a source with a path is wanted, got none: nothing would be rendered');
  const refs = sources.flatMap((source) => source?.ref ?? []);
  const twice = refs.findIndex((ref, index) => refs.indexOf(ref) !== index);
  if (twice !== -1) report.mistake('spec.sources', 'a ref of its own for each source is wanted, got the same one twice');
  return sources.filter((source) => source !== undefined);
}

interface Block {
  readonly at: string;
  readonly written: Json | undefined;
  readonly values: Json | undefined;
}

/** `sources` wins where both are given, as in Argo CD. */
function blocksOf({ written: { source, sources }, values }: SourcesOptions, report: Report): readonly Block[] {
  if (isList(sources) && sources.length > 0) {
    if (isObject(source)) report.warning('spec.source', 'has no effect: spec.sources is given, too, and wins');
    const read = isList(values['sources']) ? values['sources'] : [];
    return sources.map((block, index) => ({ at: `spec.sources[${index}]`, written: block, values: read[index] }));
  }
  if (source !== undefined && source !== null) return [{ at: 'spec.source', written: source, values: values['source'] }];
  if (!saysSomething(sources ?? null)) report.mistake('spec', 'source or sources is wanted, got neither');
  return [];
}

/** Undefined where it cannot be read, which has been reported. */
function readSource({ at, written, values: read }: Block, repository: SourcesOptions['repository'], report: Report): Source | undefined {
  if (!isObject(written) || !isObject(read)) return undefined;
  const { repoURL, targetRevision, path: writtenPath, ref: named } = read as { repoURL?: string; targetRevision?: string; path?: string; ref?: string };
  const ref = named === '' ? undefined : named;
  // An empty path beside a ref is none: such a source only lends files.
  const path = writtenPath === '' && ref !== undefined ? undefined : writtenPath;
  const mayHave = (field: string): boolean => saysSomething(childOf(written, field) ?? null);
  if (path === undefined && !['path', 'ref', 'chart', 'plugin'].some(mayHave)) report.mistake(`${at}.path`, 'a folder of the repository is wanted, got nothing');
  const options = readOptions(read, at, report);
  const checked = path === undefined ? undefined : checkedPath(path, at, report);
  if (repoURL === undefined || repoURL === '' || options === undefined || (path === undefined && ref === undefined)) return undefined;
  const revision = targetRevision === undefined || targetRevision === '' ? 'HEAD' : targetRevision;
  return { repository: repository(repoURL, `${at}.repoURL`), revision, path: checked, ref, options };
}

function checkedPath(path: string, at: string, report: Report): string {
  try {
    return checkSourcePath(path);
  } catch (error) {
    if (!(error instanceof SetpointError)) throw error;
    // Its first words repeat the path; ours name the field.
    report.mistake(`${at}.path`, error.message.replace(`the path ${shownText(path)} `, ''));
    return path;
  }
}

function readOptions(values: JsonObject, at: string, report: Report): RenderOptions | undefined {
  const [kind, other] = (['directory', 'helm', 'kustomize'] as const).filter((name) => saysSomething(values[name] ?? null));
  if (kind === undefined) return {};
  if (other === undefined) return { kind, ...readers[kind](values[kind] as JsonObject) };
  report.mistake(at, `one of directory, helm and kustomize is wanted, got both ${kind} and ${other}`);
  return undefined;
}

const readers: Readonly<Record<SourceKind, (values: JsonObject) => RenderOptions>> = {
  directory: (directory) => ({ directory }),
  helm({ valuesObject, parameters, ...rest }) {
    const helm = {
      ...rest,
      // The map wins over the text, as in Argo CD. JSON is YAML.
      ...(isObject(valuesObject) ? { values: stringifyJson(valuesObject) } : {}),
      ...(isList(parameters) ? { parameters: parameters.map((parameter) => parameterOf(parameter as JsonObject)) } : {}),
    };
    return { helm: helm as unknown as HelmOptions };
  },
  kustomize: (kustomize) => ({ kustomize }),
};

/** A comma in a value is part of it, as in Argo CD, unless the whole of it is a list in braces: `--set` would start the next value there. */
function parameterOf({ value = '', ...rest }: JsonObject): Json {
  const text = value as string;
  return { ...rest, value: text.startsWith('{') && text.endsWith('}') ? text : text.replaceAll(/(?<!\\),/g, String.raw`\,`) };
}
