import { isList, isObject, SetpointError, stringifyJson, type Json, type JsonObject, type KustomizeOptions, type SourceTree } from '../model/index.ts';
import { kustomizationNames } from './detect-kind.ts';
import type { KustomizeRequest } from './engine/engine.ts';
import { resolvePath } from './resolve-path.ts';
import { firstByName, setImages } from './set-images.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

/** What an application asks of its kustomization: its own file, changed as `kustomize edit` would change it. */
export async function kustomizeRequest(tree: SourceTree, folder: string, options: KustomizeOptions): Promise<KustomizeRequest> {
  if (Object.keys(options).length === 0) return { type: 'kustomize', folder, kustomization: undefined };
  const path = await findKustomization(tree, folder);
  const present = await missingComponentsLeftOut(tree, folder, options);
  const changed = editKustomization(readKustomization(path, await tree.read(path)), present);
  return { type: 'kustomize', folder, kustomization: { path, content: new TextEncoder().encode(stringifyJson(changed)) } };
}

async function findKustomization(tree: SourceTree, folder: string): Promise<string> {
  for (const name of kustomizationNames) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if ((await tree.typeOf(path)) === 'file') return path;
  }
  throw new SetpointError('PathNotFound', `${folder || '.'} has no kustomization.yaml`);
}

function readKustomization(path: string, content: Uint8Array): JsonObject {
  const [document, ...others] = parseYaml(content);
  const problem = document?.findings.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new SetpointError('RenderFailed', `${path}: line ${problem.line}: ${problem.message}`);
  const value = document === undefined ? {} : document.value;
  if (!isObject(value) || others.length > 0) throw new SetpointError('RenderFailed', `${path}: one map is wanted in a kustomization`);
  return value;
}

async function missingComponentsLeftOut(tree: SourceTree, folder: string, options: KustomizeOptions): Promise<KustomizeOptions> {
  if (options.components === undefined || options.ignoreMissingComponents !== true) return options;
  const components: string[] = [];
  for (const component of options.components) {
    if ((await tree.typeOf(resolvePath(folder, component))) !== undefined) components.push(component);
  }
  return { ...options, components };
}

/** Pure: a kustomization and what is asked for in → the kustomization to build out. */
export function editKustomization(kustomization: JsonObject, options: KustomizeOptions): JsonObject {
  const { namePrefix, nameSuffix, namespace, images, replicas, patches, components } = options;
  const lists = (field: string, more: readonly Json[] | undefined): JsonObject =>
    more === undefined || more.length === 0 ? {} : { [field]: [...listAt(kustomization, field), ...more] };
  return {
    ...kustomization,
    // An empty text asks for nothing, as in Argo CD.
    ...(namePrefix ? { namePrefix } : {}),
    ...(nameSuffix ? { nameSuffix } : {}),
    ...(namespace ? { namespace } : {}),
    ...(images === undefined || images.length === 0 ? {} : { images: setImages(listAt(kustomization, 'images'), images) }),
    ...(replicas === undefined || replicas.length === 0 ? {} : { replicas: setReplicas(listAt(kustomization, 'replicas'), replicas) }),
    ...withLabels(kustomization, options),
    ...withAnnotations(kustomization, options),
    ...lists('patches', patches),
    ...lists('components', [...new Set(components)].filter((component) => !listAt(kustomization, 'components').includes(component))),
  };
}

function setReplicas(present: readonly Json[], wanted: NonNullable<KustomizeOptions['replicas']>): readonly Json[] {
  const replicas = new Map(firstByName(present));
  for (const { name, count } of wanted) {
    if (!/^\d+$/.test(String(count))) throw new SetpointError('RenderFailed', `replicas of ${name}: a whole number is wanted, got ${String(count)}`);
    replicas.set(name, { name, count: Number(count) });
  }
  return [...replicas.keys()].toSorted().map((name) => replicas.get(name) ?? {});
}

function withLabels(kustomization: JsonObject, options: KustomizeOptions): JsonObject {
  const { commonLabels = {}, forceCommonLabels: force = false, labelWithoutSelector = false, labelIncludeTemplates = false } = options;
  if (Object.keys(commonLabels).length === 0) return {};
  if (!labelWithoutSelector) {
    if (labelIncludeTemplates) throw new SetpointError('RenderFailed', 'labelIncludeTemplates is for labels without selectors: set labelWithoutSelector too');
    return { commonLabels: added({ own: kustomization['commonLabels'], field: 'commonLabels', pairs: commonLabels, force }) };
  }
  // Labels join the first entry that goes to the same places.
  const labels = listAt(kustomization, 'labels');
  const at = labels.findIndex((entry) => isSet(entry, 'includeSelectors') === false && isSet(entry, 'includeTemplates') === labelIncludeTemplates);
  if (at === -1) return { labels: [...labels, { pairs: commonLabels, ...(labelIncludeTemplates ? { includeTemplates: true } : {}) }] };
  const entry = labels[at] as JsonObject;
  return { labels: labels.with(at, { ...entry, pairs: added({ own: entry['pairs'], field: 'labels', pairs: commonLabels, force }) }) };
}

function isSet(entry: Json, field: string): boolean | undefined {
  return isObject(entry) ? entry[field] === true : undefined;
}

function withAnnotations(kustomization: JsonObject, { commonAnnotations, forceCommonAnnotations = false }: KustomizeOptions): JsonObject {
  if (commonAnnotations === undefined || Object.keys(commonAnnotations).length === 0) return {};
  const field = 'commonAnnotations';
  return { [field]: added({ own: kustomization[field], field, pairs: commonAnnotations, force: forceCommonAnnotations }) };
}

interface Addition {
  readonly own: Json | undefined;
  readonly field: string;
  readonly pairs: Readonly<Record<string, string>>;
  readonly force: boolean;
}

function added({ own, field, pairs, force }: Addition): JsonObject {
  const present = isObject(own) ? own : {};
  const taken = Object.keys(pairs).find((name) => Object.hasOwn(present, name) && present[name] !== pairs[name]);
  if (taken !== undefined && !force) {
    throw new SetpointError('RenderFailed', `${field} of the kustomization has ${taken} already: set the force option to replace it`);
  }
  return { ...present, ...pairs };
}

function listAt(kustomization: JsonObject, field: string): readonly Json[] {
  const value = kustomization[field];
  return isList(value) ? value : [];
}
