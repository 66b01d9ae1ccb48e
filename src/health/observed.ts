import type { KubeObject } from '../model/index.ts';
import type { Assessment } from './assessment.ts';
import { numberAt } from './read-object.ts';

/** Progressing while the status is about an older spec than the one that is asked for. */
export function notObserved(object: KubeObject): Assessment | undefined {
  const [wanted, seen] = [numberAt(object, 'metadata.generation'), numberAt(object, 'status.observedGeneration')];
  if (wanted === undefined || seen === undefined || seen >= wanted) return undefined;
  return { status: 'Progressing', message: 'its controller has not looked at the latest change yet' };
}

/** The same for kinds whose controller always says what it has seen: without its word it has seen nothing. */
export function notYetObserved(object: KubeObject): Assessment | undefined {
  if (numberAt(object, 'status.observedGeneration') === undefined) return { status: 'Progressing', message: 'its controller has not looked at it yet' };
  return notObserved(object);
}
