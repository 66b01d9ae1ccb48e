import type { Difference, Imported } from '../import/index.ts';
import type { JsonObject, KubeObject } from '../model/index.ts';
import { printable } from './format/index.ts';

/** A document of another tool, and what became of it. */
export interface ImportedDocument {
  readonly origin: string;
  readonly object: KubeObject;
  readonly outcome: Exclude<Imported, { readonly type: 'foreign' }>;
}

const words: Readonly<Record<Difference['type'], string>> = {
  refused: 'refused',
  'left-out': 'left out',
  rewritten: 'rewritten',
  'other-meaning': 'otherwise',
};
const width = Math.max(...Object.values(words).map(({ length }) => length));

/** For people: each document, what is otherwise about it, and how many there are. */
export function importText(imported: readonly ImportedDocument[]): string {
  const lines = imported.flatMap(({ origin, object, outcome }) => [
    `${printable(nameOf(object))}  ${printable(origin)}  ${outcome.type === 'converted' ? 'converted' : 'not converted'}`,
    ...outcome.differences.map(({ path, type, message }) => `  ${words[type].padEnd(width)}  ${printable(path === '' ? message : `${path}: ${message}`)}`),
  ]);
  const converted = imported.filter(({ outcome }) => outcome.type === 'converted').length;
  const differences = imported.flatMap(({ outcome }) => outcome.differences).length;
  return `${[...lines, `${converted} converted, ${imported.length - converted} not; ${differences} ${differences === 1 ? 'difference' : 'differences'}`].join('\n')}\n`;
}

/** For programs. */
export function importReport(imported: readonly ImportedDocument[]): JsonObject {
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'ImportReport',
    items: imported.map(({ origin, object: { kind, metadata }, outcome }) => ({
      origin,
      kind,
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      outcome: outcome.type,
      differences: outcome.differences.map((difference) => ({ ...difference })),
    })),
  };
}

function nameOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
