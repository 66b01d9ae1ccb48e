import { displayKey, groupOf, resourceKey, stringifyJson, type Finding, type SourceDocument } from '../model/index.ts';
import { printable, yamlText } from './format/index.ts';

interface Printed {
  readonly documents: readonly SourceDocument[];
  readonly findings: readonly Finding[];
}

export function printDocuments({ documents, findings }: Printed, format: 'yaml' | 'json' | 'name', write: (text: string) => void): void {
  switch (format) {
    case 'yaml':
      for (const { origin, object } of documents) write(`---\n# Source: ${printable(origin)}\n${yamlText(object)}`);
      return;
    case 'json': {
      const report = { documents: documents.map(({ origin, object }) => ({ origin, object })), findings: findings.map((finding) => ({ ...finding })) };
      write(`${stringifyJson(report, 2)}\n`);
      return;
    }
    case 'name':
      for (const { origin, object } of documents) write(`${printable(nameOf(object))}  ${printable(origin)}\n`);
  }
}

function nameOf({ apiVersion, kind, metadata }: SourceDocument['object']): string {
  return displayKey(resourceKey({ group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? '', name: metadata.name }));
}
