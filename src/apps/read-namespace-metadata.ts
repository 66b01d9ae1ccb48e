import { valueAt, type JsonObject, type NamespaceMetadata } from '../model/index.ts';
import type { Report } from './report.ts';

/** What a namespace that is made gets; undefined where that is nothing. */
export function readNamespaceMetadata(spec: JsonObject, syncOptions: readonly string[], report: Report): NamespaceMetadata | undefined {
  const { labels = {}, annotations = {} } = (valueAt(spec, ['syncPolicy', 'managedNamespaceMetadata']) ?? {}) as Partial<NamespaceMetadata>;
  if (Object.keys(labels).length + Object.keys(annotations).length === 0) return undefined;
  if (!syncOptions.includes('CreateNamespace=true')) report.warning('spec.syncPolicy.managedNamespaceMetadata', 'has no effect without the sync option CreateNamespace=true');
  return { labels, annotations };
}
