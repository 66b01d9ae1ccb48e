import { isList, valueAt, type KubeObject } from '../model/index.ts';
import type { Assessment } from './assessment.ts';
import { messageText } from './message-text.ts';
import { objectsAt, textAt } from './read-object.ts';

/** Progressing, with what it waits for, for an object that is on its way out. */
export function beingDeleted(object: KubeObject): Assessment | undefined {
  const since = textAt(object, 'metadata.deletionTimestamp');
  if (since === undefined) return undefined;
  return { status: 'Progressing', message: messageText(['being deleted', ...finalizers(object), ...remains(object)].join('; ')), since };
}

function finalizers(object: KubeObject): readonly string[] {
  // A Namespace has its own list, which is the one that counts.
  const lists = [valueAt(object, ['metadata', 'finalizers']), object.kind === 'Namespace' ? valueAt(object, ['spec', 'finalizers']) : undefined];
  const names = lists.flatMap((list) => (isList(list) ? list : [])).filter((name) => typeof name === 'string');
  return names.length === 0 ? [] : [`waits for ${names.length === 1 ? 'finalizer' : 'finalizers'} ${messageText(names.join(', '), 150)}`];
}

/** What the server says is left in a Namespace, or keeps a definition. */
function remains(object: KubeObject): readonly string[] {
  return objectsAt(object, 'status.conditions')
    .filter(({ type, status }) => status === 'True' && typeof type === 'string' && /^Namespace(?:Deletion|Content|Finalizers)/.test(type))
    .map((condition) => textAt(condition, 'message') ?? '')
    .filter((message) => message !== '');
}
