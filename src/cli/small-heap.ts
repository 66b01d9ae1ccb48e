import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Of both halves. With four times as much an agent computes no less.
const youngBytes = 8 * 2 ** 20;

/**
 * For a process that stays, before its modules are loaded. V8 doubles the space for young objects at every rush of work, the first of which
 * is the loading, up to 32 MB. And it lets the heap grow to several times of what is in it before it looks for garbage.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=30');
  mayGrow(false);
}

/** The modules are there: from now on young objects get the space that they should. */
export function letHeapGrow(): void {
  let growing = true;
  mayGrow(growing);
  // After each collection, since an idle process gives the space back.
  new PerformanceObserver(() => {
    const should = youngSize() < youngBytes;
    if (should === growing) return;
    growing = should;
    mayGrow(growing);
  }).observe({ entryTypes: ['gc'] });
}

function mayGrow(may: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${may ? 2 : 1}`);
}

function youngSize(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
