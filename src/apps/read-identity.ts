import { applicationKind, childOf, isObject, shownText, type Json, type JsonObject } from '../model/index.ts';
import { metadataField } from './fields/metadata-field.ts';
import { readBlock } from './fields/read-block.ts';
import type { Report } from './report.ts';

/** Which application a document is about. */
export interface Identity {
  /** `namespace/name`, or the name alone; undefined where the document does not say it. */
  readonly id: string | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  /** What else the metadata hold, checked. */
  readonly metadata: JsonObject;
}

const groups: ReadonlySet<string> = new Set([applicationKind.group, 'argoproj.io']);

/** Whether it is an Application at all, ours or Argo CD's; otherwise what it is instead. */
export function otherKind(document: Json): string | undefined {
  const { apiVersion, kind } = isObject(document) ? document : ({} as JsonObject);
  const group = typeof apiVersion === 'string' ? (apiVersion.split('/')[0] ?? '') : '';
  if (kind === applicationKind.kind && groups.has(group)) return undefined;
  return `an Application of setpoint.dev or argoproj.io is wanted, got ${shown(apiVersion)} ${shown(kind)}`;
}

export function readIdentity(document: JsonObject, report: Report): Identity {
  const { metadata: written } = document;
  if (!isObject(written)) {
    report.mistake('metadata', 'a map with a name is wanted, got something else');
    return { id: undefined, name: '', namespace: undefined, metadata: {} };
  }
  const metadata = readBlock(written, { at: 'metadata', field: metadataField, others: 'left' }, report);
  const name = checkedName(metadata, 'name', report);
  const namespace = checkedName(metadata, 'namespace', report);
  return { id: name === undefined ? undefined : idOf(namespace, name), name: name ?? '', namespace, metadata };
}

export function idOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** As Kubernetes has them. Ids become names of files and jobs: nothing else may get through. */
const patterns = { name: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, namespace: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/ } as const;

function checkedName(metadata: JsonObject, field: 'name' | 'namespace', report: Report): string | undefined {
  const text = childOf(metadata, field);
  if (typeof text !== 'string' || text === '') return undefined;
  if (patterns[field].test(text)) return text;
  report.mistake(`metadata.${field}`, `lower-case letters, digits and dashes${field === 'name' ? ' and dots' : ''} are wanted, got something else`);
  return undefined;
}

function shown(value: Json | undefined): string {
  if (typeof value !== 'string') return 'nothing';
  return /^[\w./-]{1,80}$/.test(value) ? value : shownText(value);
}
