import { displayKey, groupOf, namespaceOf, resourceKey, type Finding, type SourceDocument } from '../model/index.ts';

/** Objects that are declared more than once, as far as that can be told without a cluster: `namespace` is that of documents that name none. */
export function findDuplicates(documents: readonly SourceDocument[], namespace: string): readonly Finding[] {
  const sharers = Map.groupBy(documents, ({ object }) =>
    resourceKey({ group: groupOf(object.apiVersion), kind: object.kind, namespace: namespaceOf(object, namespace), name: object.metadata.name }),
  );
  return [...sharers].flatMap(([key, [first, ...others]]) =>
    others.map(({ origin }) => ({
      severity: 'error' as const,
      origin,
      message: `${displayKey(key)} is declared more than once, in ${first?.origin ?? ''} and here: keep one of them`,
    })),
  );
}
