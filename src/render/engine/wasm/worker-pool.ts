import type { ModuleFiles } from './locate-module.ts';
import { startWarmWorker, type Job, type JobEnd, type WarmWorker } from './warm-worker.ts';
import type { WasmModule } from './web-assembly.ts';

export interface WorkerPool {
  /** Waits for a free worker, starts one where there may be one more. Throws the signal's reason while it waits. */
  run(job: Job): Promise<JobEnd>;
  close(): Promise<void>;
}

export interface WorkerPoolOptions {
  readonly maxWorkers: number;
  /** How long a worker is kept that has nothing to do. */
  readonly idleMs: number;
  locate(): Promise<ModuleFiles>;
}

interface Resting {
  readonly worker: WarmWorker;
  readonly timer: NodeJS.Timeout;
}

export function createWorkerPool({ maxWorkers, idleMs, locate }: WorkerPoolOptions): WorkerPool {
  const resting: Resting[] = [];
  const working = new Set<WarmWorker>();
  const waiting: (() => void)[] = [];
  let places = maxWorkers;
  let module: Promise<WasmModule | undefined> | undefined;

  const takePlace = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (places > 0) {
      places -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      const index = waiting.indexOf(resolve);
      if (index !== -1) waiting.splice(index, 1);
      reject(signal.reason as Error);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  };
  const leavePlace = (): void => {
    const next = waiting.shift();
    if (next === undefined) places += 1;
    else next();
  };
  const takeWorker = async (): Promise<WarmWorker> => {
    for (let rested = resting.pop(); rested !== undefined; rested = resting.pop()) {
      clearTimeout(rested.timer);
      if (rested.worker.isAlive()) return rested.worker;
    }
    const files = await locate();
    const compiled = await module;
    const worker = startWarmWorker({ files, module: compiled });
    if (compiled === undefined) module = worker.compiled;
    return worker;
  };
  const rest = (worker: WarmWorker): void => {
    if (!worker.isAlive()) return;
    const timer = setTimeout(() => {
      resting.splice(
        resting.findIndex((each) => each.worker === worker),
        1,
      );
      void worker.stop();
    }, idleMs);
    resting.push({ worker, timer: timer.unref() });
  };

  return {
    run: async (job) => {
      await takePlace(job.signal);
      try {
        const worker = await takeWorker();
        working.add(worker);
        try {
          return await worker.render(job);
        } finally {
          working.delete(worker);
          rest(worker);
        }
      } finally {
        leavePlace();
      }
    },
    close: async () => {
      for (const { timer } of resting) clearTimeout(timer);
      const workers = [...working, ...resting.splice(0).map(({ worker }) => worker)];
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
