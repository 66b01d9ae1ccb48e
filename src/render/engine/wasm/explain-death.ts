import { SetpointError } from '../../../model/index.ts';

const outOfMemory = /out of memory|cannot allocate|memory limit|ERR_WORKER_OUT_OF_MEMORY/i;
const outOfStack = /stack exceeds|stack overflow|call stack/i;

/** Why a thread died in the middle of a render, from the first lines of what it left. */
export function explainDeath(what: string, left: string): SetpointError {
  if (outOfMemory.test(left)) return new SetpointError('SourceTooLarge', `${what} needs more memory than a render may take.`);
  if (outOfStack.test(left)) return new SetpointError('RenderFailed', `${what} recurses without end.`);
  const line = left.split('\n', 1)[0] ?? '';
  return new SetpointError('RenderFailed', `${what} made the renderer crash: ${line === '' ? 'it left no message' : line.slice(0, 300)}.`);
}
