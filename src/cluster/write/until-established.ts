import { isList, isObject, parseJsonOrUndefined, valueAt, type KubeObject, type ServedKind } from '../../model/index.ts';
import { collectionPath } from '../collection-path.ts';
import { poll, type Pause } from './poll.ts';
import type { WriteTransport } from './writing.ts';

interface Means {
  readonly transport: WriteTransport;
  readonly pause: Pause;
}

export interface Patience {
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

const definitions: ServedKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
  hasStatus: true,
};

/** Whether objects of a definition's kind can be made now, or within the time given. */
export async function untilEstablished({ transport, pause }: Means, definition: KubeObject, { withinMs, signal }: Patience): Promise<boolean> {
  const path = `${collectionPath(definitions)}/${encodeURIComponent(definition.metadata.name)}`;
  if (isEstablished(definition)) return true;
  const established = await poll(
    async () => {
      const { status, text } = await transport.send({ method: 'GET', path, signal });
      return status === 200 && isEstablished(parseJsonOrUndefined(text)) ? true : undefined;
    },
    { withinMs, pause, signal },
  );
  return established ?? false;
}

function isEstablished(definition: Parameters<typeof valueAt>[0]): boolean {
  const conditions = valueAt(definition, ['status', 'conditions']);
  return isList(conditions) && conditions.some((condition) => isObject(condition) && condition['type'] === 'Established' && condition['status'] === 'True');
}
