import { entriesOf, isList, isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';

/** What a kustomization names outside itself, as it is written there. */
export interface References {
  /** Files, or folders that are kustomizations themselves. */
  readonly resources: readonly string[];
  /** The same, with configurations in them that name files again. */
  readonly plugins: readonly string[];
  readonly files: readonly string[];
}

/** Kustomize reads its fields as Go does JSON: in any case, and with two letters that only look foreign. */
function fold(key: string): string {
  return key.toUpperCase().toLowerCase();
}

const refusedFields = new Set(['helmcharts', 'helmchartinflationgenerator']);

/** The field that makes Kustomize run Helm, if there is one. */
export function helmField(kustomization: JsonObject): string | undefined {
  return entriesOf(kustomization).find(([key, value]) => refusedFields.has(fold(key)) && isList(value) && value.length > 0)?.[0];
}

type Collect = (value: Json) => Partial<References>;

const collectors: Readonly<Record<string, Collect>> = {
  resources: (value) => ({ resources: strings(value) }),
  bases: (value) => ({ resources: strings(value) }),
  components: (value) => ({ resources: strings(value) }),
  crds: (value) => ({ files: strings(value) }),
  configurations: (value) => ({ files: strings(value) }),
  openapi: (value) => ({ files: namedFiles(value) }),
  patches: (value) => ({ files: namedFiles(value) }),
  patchesjson6902: (value) => ({ files: namedFiles(value) }),
  patchesstrategicmerge: (value) => ({ files: strings(value).filter((text) => inlineDocuments(text).length === 0) }),
  replacements: (value) => ({ files: namedFiles(value) }),
  configmapgenerator: (value) => ({ files: namedFiles(value) }),
  secretgenerator: (value) => ({ files: namedFiles(value) }),
  generators: plugins,
  transformers: plugins,
  validators: plugins,
};

export function referencesOf(kustomization: JsonObject): References {
  const found = entriesOf(kustomization).flatMap(([key, value]) => {
    const name = fold(key);
    const collect = Object.hasOwn(collectors, name) ? collectors[name] : undefined;
    return collect === undefined ? [] : [collect(value)];
  });
  return {
    resources: found.flatMap(({ resources = [] }) => resources),
    plugins: found.flatMap(({ plugins: each = [] }) => each),
    files: found.flatMap(({ files = [] }) => files),
  };
}

/** A configuration of a generator or transformer may stand in the kustomization itself. */
function plugins(value: Json): Partial<References> {
  const texts = strings(value).map((text) => ({ text, documents: inlineDocuments(text) }));
  return {
    plugins: texts.filter(({ documents }) => documents.length === 0).map(({ text }) => text),
    files: texts.flatMap(({ documents }) => documents.flatMap((document) => namedFiles(document))),
  };
}

const fileFields = new Set(['path', 'paths', 'files', 'envs', 'env']);

/** The files that generators, patches and transformers name, however deep. */
export function namedFiles(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap((item) => namedFiles(item));
  if (!isObject(value)) return [];
  return entriesOf(value).flatMap(([key, item]) => {
    if (!fileFields.has(fold(key))) return namedFiles(item);
    return strings(item).filter((text) => inlineDocuments(text).length === 0).map((text) => behindKey(text, fold(key)));
  });
}

/** `files` may give a key of the ConfigMap in front: `key=path`. */
function behindKey(text: string, field: string): string {
  return field === 'files' ? text.slice(text.indexOf('=') + 1) : text;
}

function strings(value: Json): readonly string[] {
  const items = isList(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}

/** Kustomize takes a text that reads as objects for the objects, and anything else for a path. */
function inlineDocuments(text: string): readonly JsonObject[] {
  if (isRemote(text) || !/[:{]/.test(text)) return [];
  return parseYaml(text).flatMap(({ value }) => (isObject(value) && typeof value['kind'] === 'string' ? [value] : []));
}

const remote = /^(?:[a-z\d]+::)?(?:(?:https?|ssh|file|git|gh):|[a-z][a-z\d-]*@|github\.com[/:])/i;

/** Whether Kustomize would fetch it, by HTTP or with Git, even where a file of that name is there. */
export function isRemote(reference: string): boolean {
  return remote.test(reference);
}
