import {
  isList,
  isObject,
  SetpointError,
  type Finding,
  type Json,
  type JsonObject,
  type KubeObject,
  type SourceDocument,
  type SourceFile,
} from '../model/index.ts';
import { parseYaml } from './yaml/parse-yaml.ts';

export interface Rendered {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

const manifestFile = /\.(?:ya?ml|json)$/;
const otherRenderers = /(?:^|\/)(?:kustomization\.ya?ml|Chart\.yaml)$/;

/** Whether a file of a folder is read at all. */
export function isManifestPath(path: string): boolean {
  return manifestFile.test(path);
}

/** Every document of every file, as it stands. */
export function renderPlain(files: readonly SourceFile[]): Rendered {
  const foreign = files.find(({ path }) => otherRenderers.test(path));
  if (foreign !== undefined) {
    const message = `${foreign.path}: Helm charts and Kustomize folders are not rendered yet; point at plain manifests, or pipe the rendered ones to setpoint diff -f -`;
    throw new SetpointError('InvalidManifest', message);
  }
  const documents: SourceDocument[] = [];
  const findings: Finding[] = [];
  for (const { path, content } of files) {
    for (const document of parseYaml(content)) {
      const origin = `${path}#${document.index}`;
      findings.push(...document.findings.map(({ severity, line, message }) => ({ severity, origin, message: `line ${line}: ${message}` })));
      if (document.findings.some(({ severity }) => severity === 'error')) continue;
      for (const item of expandLists(document.value)) {
        const checked = checkObject(item);
        if (typeof checked === 'string') findings.push({ severity: 'error', origin, message: checked });
        else if (typeof checked.metadata['generateName'] === 'string' && checked.metadata.name === undefined) {
          findings.push({ severity: 'warning', origin, message: `${checked.kind} has a generateName and no name: it has no identity to compare` });
        } else documents.push({ origin, object: checked });
      }
    }
  }
  if (documents.length === 0 && findings.length === 0) {
    // An empty answer is what a broken pipe or a wrong path looks like; it must not read as "in sync".
    throw new SetpointError('InvalidManifest', `no Kubernetes object in ${files.map(({ path }) => path).join(', ') || 'any file'}: nothing to compare`);
  }
  return { documents, findings };
}

/** `List`, `RoleList` and their like stand for their items. */
function expandLists(value: Json): readonly Json[] {
  if (!isObject(value) || typeof value['kind'] !== 'string' || !value['kind'].endsWith('List') || !isList(value['items'])) return [value];
  return value['items'].flatMap((item) => expandLists(withKindOf(value, item)));
}

/** Items of a typed list may leave their kind to the list. */
function withKindOf({ apiVersion, kind }: JsonObject, item: Json): Json {
  if (!isObject(item) || kind === 'List' || typeof kind !== 'string') return item;
  return { apiVersion: apiVersion ?? '', kind: kind.slice(0, -'List'.length), ...item };
}

function checkObject(value: Json): KubeObject | string {
  if (!isObject(value)) return `a Kubernetes object is wanted, got ${describe(value)}`;
  for (const field of ['apiVersion', 'kind'] as const) {
    if (typeof value[field] !== 'string' || value[field] === '') return `${field} is missing or no string: is this a Kubernetes object?`;
  }
  const { kind, metadata } = value as { readonly kind: string; readonly metadata?: Json };
  if (!isObject(metadata)) return `metadata is missing or no map in ${kind}`;
  const { name, generateName, namespace = null } = metadata;
  const hasName = typeof name === 'string' && name !== '';
  if (!hasName && typeof generateName !== 'string') return `metadata.name is missing or no string in ${kind}`;
  if (namespace !== null && typeof namespace !== 'string') return `metadata.namespace is no string in ${kind}: quote it`;
  return value as KubeObject;
}

function describe(value: Json): string {
  return isList(value) ? 'a list' : value === null ? 'nothing' : `a ${typeof value}`;
}
