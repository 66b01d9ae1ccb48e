import { fieldManager, stringifyJson, type Patch } from '../../model/index.ts';
import type { Target } from '../cluster.ts';
import type { ApiAnswer } from '../transport.ts';
import { objectPath } from './target-path.ts';
import type { WriteOptions, WriteTransport } from './writing.ts';

/** A JSON patch (RFC 6902) of an object, as it is. */
export function patchObject(transport: WriteTransport, { target, patch }: { readonly target: Target; readonly patch: Patch }, { mayWrite, signal }: Pick<WriteOptions, 'mayWrite' | 'signal'>): Promise<ApiAnswer> {
  mayWrite?.();
  return transport.send({
    method: 'PATCH',
    path: objectPath(target),
    query: { fieldManager },
    contentType: 'application/json-patch+json',
    body: stringifyJson(patch),
    signal,
  });
}
