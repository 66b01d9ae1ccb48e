import { childOf, isList, isObject, valueAt, type Json, type JsonObject } from '../model/index.ts';
import { replaceVariables } from './build-variables.ts';
import { inTurn, type Converted, type Difference } from './difference.ts';

/** What a source may refer to. */
export interface SourcePlace {
  /** `spec.sources[1]` */
  readonly at: string;
  readonly application: JsonObject;
}

/** The sources of a spec; those of a hydrator where there are no others. */
export function importSources(spec: JsonObject, application: JsonObject): Converted<JsonObject> {
  const hydrated = fromHydrator(spec);
  const { source, sources } = hydrated.value;
  const differences: Difference[] = [...hydrated.differences];
  const imported = (value: Json, at: string): Json => {
    if (!isObject(value)) return value;
    const converted = inTurn<JsonObject>(value, [
      (step) => withoutCredentials(step, at),
      (step) => checkRevision(step, at),
      (step) => checkValueFiles(step, at),
      (step) => checkJsonnet(step, at),
      (step) => replaceVariables(step, { at, application }),
    ]);
    differences.push(...converted.differences);
    return converted.value;
  };
  const value = {
    ...hydrated.value,
    ...(source !== undefined && { source: imported(source, 'spec.source') }),
    ...(isList(sources) && { sources: sources.map((each, index) => imported(each, `spec.sources[${index}]`)) }),
  };
  return { value, differences };
}

/** What a hydrator writes is a source like any other. */
function fromHydrator(spec: JsonObject): Converted<JsonObject> {
  const { sourceHydrator, ...rest } = spec;
  const text = (...path: readonly string[]): string => {
    const value = valueAt(sourceHydrator, path);
    return typeof value === 'string' ? value : '';
  };
  const [repoURL, targetRevision, path] = [text('drySource', 'repoURL'), text('syncSource', 'targetBranch'), text('syncSource', 'path')];
  if (repoURL === '' || targetRevision === '' || path === '') return { value: spec, differences: [] };
  if (childOf(spec, 'source') !== undefined || childOf(spec, 'sources') !== undefined) return { value: spec, differences: [] };
  const message = 'is spec.source now, the branch that it writes: nothing is hydrated here, so Argo CD or a pipeline has to go on writing it';
  return { value: { source: { repoURL, targetRevision, path }, ...rest }, differences: [{ path: 'spec.sourceHydrator', type: 'rewritten', message }] };
}

function withoutCredentials(source: JsonObject, at: string): Converted<JsonObject> {
  const url = childOf(source, 'repoURL');
  if (typeof url !== 'string') return { value: source, differences: [] };
  // Before the first slash: what follows it is the path. The user of SSH is part of the address.
  const repoURL = url.replace(/^(https?:\/\/)[^/]*@/i, '$1').replace(/^(ssh:\/\/[^/:@]*):[^/]*@/i, '$1@');
  if (repoURL === url) return { value: source, differences: [] };
  const message = 'has credentials in it, which are left out: they are given to the agent';
  return { value: { ...source, repoURL }, differences: [{ path: `${at}.repoURL`, type: 'rewritten', message }] };
}

const revisions: readonly (readonly [RegExp, string])[] = [
  [/^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,39}$/i, 'is a shortened commit id: give all 40 digits'],
  [/^[<>=!^~]|^(?=.*[*xX,|\s])[\s<>=!^~|,v\d.*xX-]+$/, 'is a range of versions, of which Argo CD takes the newest tag: give one tag or a branch'],
];

function checkRevision(source: JsonObject, at: string): Converted<JsonObject> {
  const revision = childOf(source, 'targetRevision');
  // That of a chart is the chart's.
  const fault = typeof revision === 'string' && childOf(source, 'chart') === undefined ? revisions.find(([pattern]) => pattern.test(revision)) : undefined;
  return { value: source, differences: fault === undefined ? [] : [{ path: `${at}.targetRevision`, type: 'refused', message: fault[1] }] };
}

function checkValueFiles(source: JsonObject, at: string): Converted<JsonObject> {
  const files = valueAt(source, ['helm', 'valueFiles']);
  const differences = (isList(files) ? files : []).flatMap((file, index): Difference[] => {
    if (typeof file !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) return [];
    return [{ path: `${at}.helm.valueFiles[${index}]`, type: 'refused', message: 'is fetched from a URL, and a render reads nothing but Git: put the file into a repository' }];
  });
  return { value: source, differences };
}

/** Argo CD renders every Jsonnet file that it reads. Who gives it variables has some, unless only other files are read. */
function checkJsonnet(source: JsonObject, at: string): Converted<JsonObject> {
  const directory = childOf(source, 'directory');
  const jsonnet = childOf(directory, 'jsonnet');
  if (!isObject(directory) || !isObject(jsonnet) || Object.keys(jsonnet).length === 0 || readsNoJsonnet(directory['include'])) return { value: source, differences: [] };
  const { jsonnet: _, ...others } = directory;
  const message = 'is about files that are not rendered, and what they declare would be missing: commit what Jsonnet makes of them, or have include name only the YAML files';
  return { value: { ...source, directory: others }, differences: [{ path: `${at}.directory.jsonnet`, type: 'refused', message }] };
}

function readsNoJsonnet(include: Json | undefined): boolean {
  if (typeof include !== 'string') return false;
  const endings = include.endsWith('}') ? include.slice(include.lastIndexOf('{') + 1, -1).split(',') : [include];
  return endings.every((ending) => /(?:^|\.)(?:ya?ml|json)$/.test(ending));
}
