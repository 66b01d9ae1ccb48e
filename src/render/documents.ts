import { isList, isObject, valueAt, type Finding, type Json, type JsonObject, type KubeObject, type SourceDocument } from '../model/index.ts';
import { namedHook } from './named-hook.ts';
import type { ParsedDocument } from './yaml/parse-yaml.ts';

export interface Rendered {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

export interface ParsedFile {
  readonly documents: readonly ParsedDocument[];
  /** Where the document of this number in the file comes from. */
  readonly originOf: (index: number) => string;
}

/** What parsed files hold, checked to be Kubernetes objects; lists stand for their items. */
export function readDocuments(files: readonly ParsedFile[]): Rendered {
  const documents: SourceDocument[] = [];
  const findings: Finding[] = [];
  for (const file of files) {
    for (const document of file.documents) {
      const origin = file.originOf(document.index);
      findings.push(...document.findings.map(({ severity, line, message }) => ({ severity, origin, message: `line ${line}: ${message}` })));
      if (document.findings.some(({ severity }) => severity === 'error')) continue;
      for (const item of expandLists(document.value)) {
        const checked = checkObject(item);
        const object = typeof checked === 'string' || checked.metadata.name ? checked : namedHook(checked, origin);
        if (typeof object === 'string') findings.push({ severity: 'error', origin, message: object });
        else if (object !== undefined) documents.push({ origin, object });
        else findings.push({ severity: 'warning', origin, message: `${(checked as KubeObject).kind} has a generateName and no name: it has no identity to compare, and is not applied` });
      }
    }
  }
  return { documents, findings };
}

/** `List`, `RoleList` and their like stand for their items. */
function expandLists(value: Json): readonly Json[] {
  if (!isObject(value) || typeof value['kind'] !== 'string' || !value['kind'].endsWith('List')) return [value];
  // What a chart writes for a loop over nothing.
  if (value['items'] === null && valueAt(value, ['metadata', 'name']) === undefined) return [];
  return isList(value['items']) ? value['items'].flatMap((item) => expandLists(withKindOf(value, item))) : [value];
}

/** Items of a typed list may leave their kind to the list. */
function withKindOf({ apiVersion, kind }: JsonObject, item: Json): Json {
  if (!isObject(item) || kind === 'List' || typeof kind !== 'string') return item;
  return { apiVersion: apiVersion ?? '', kind: kind.slice(0, -'List'.length), ...item };
}

export const lfsPointer = 'version https://git-lfs';

function checkObject(value: Json): KubeObject | string {
  if (typeof value === 'string' && value.startsWith(lfsPointer)) return 'is a Git LFS pointer, and LFS is not fetched: store manifests in Git itself';
  if (!isObject(value)) return `a Kubernetes object is wanted, got ${describe(value)}`;
  for (const field of ['apiVersion', 'kind'] as const) {
    if (typeof value[field] !== 'string' || value[field] === '') return `${field} is missing or no string: is this a Kubernetes object?`;
  }
  const { kind, metadata } = value as { readonly kind: string; readonly metadata?: Json };
  if (!isObject(metadata)) return `metadata is missing or no map in ${kind}`;
  const { name, generateName, namespace = null } = metadata;
  const isGenerated = (name === undefined || name === null || name === '') && typeof generateName === 'string' && generateName !== '';
  if (!isGenerated && (typeof name !== 'string' || name === '')) return `metadata.name is missing or no string in ${kind}`;
  if (namespace !== null && typeof namespace !== 'string') return `metadata.namespace is no string in ${kind}: quote it`;
  return value as KubeObject;
}

function describe(value: Json): string {
  return isList(value) ? 'a list' : value === null ? 'nothing' : `a ${typeof value}`;
}
