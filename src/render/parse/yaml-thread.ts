import { Worker } from 'node:worker_threads';
import type { Batch, FailedFile, Progress, ReadFile, ReadFiles } from './worker-messages.ts';

export interface ThreadLimits {
  /** For one file. */
  readonly deadlineMs: number;
  /** JavaScript's own heap; what the thread takes beside it is about the size of the batch. */
  readonly heapMb: number;
}

export interface Run {
  /** By position in the batch; holes where the thread ended before. */
  readonly files: readonly (ReadFile | FailedFile | undefined)[];
  readonly end: End | undefined;
}

/** Why the thread is no more, and the file it was at, if at any. */
export interface End {
  readonly reason: 'slow' | 'memory' | 'broken';
  readonly at: number | undefined;
  readonly cause?: unknown;
}

/** One worker. It keeps the process alive only while it reads. */
export interface YamlThread {
  /** One batch at a time. After a run that has an end, none. */
  run(contents: readonly Uint8Array[]): Promise<Run>;
  stop(): Promise<void>;
}

// V8 aborts the whole process when a thread goes over its own limit in one leap, as for a long array. So we watch, end the thread
// ourselves, and leave it more room than it can fill between two looks.
const lookMs = 50;
const roomMb = 1536;

export function createYamlThread({ deadlineMs, heapMb }: ThreadLimits): YamlThread {
  const progress: Progress = { at: new Int32Array(new SharedArrayBuffer(4)), since: new BigInt64Array(new SharedArrayBuffer(8)) };
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    workerData: progress,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb + roomMb },
  });
  let end: End | undefined;
  const position = (): number | undefined => (Atomics.load(progress.since, 0) === 0n ? undefined : Atomics.load(progress.at, 0));
  worker.on('error', (cause: NodeJS.ErrnoException) => {
    end ??= { reason: cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'broken', at: position(), cause };
  });
  worker.on('exit', () => (end ??= { reason: 'broken', at: position() }));
  worker.unref();

  const endFor = (reason: End['reason']): void => {
    if (end !== undefined) return;
    end = { reason, at: position() };
    void worker.terminate();
  };
  let weighing = false;
  const look = (): void => {
    if (msSince(Atomics.load(progress.since, 0)) >= deadlineMs) endFor('slow');
    if (!weighing) void weigh();
  };
  const weigh = async (): Promise<void> => {
    weighing = true;
    // Rejects when the worker is gone.
    const heap = await worker.getHeapStatistics().catch(() => undefined);
    weighing = false;
    if (heap !== undefined && heap.used_heap_size > heapMb * 1e6) endFor('memory');
  };

  return {
    run: (contents) =>
      new Promise((resolve) => {
        const files: (ReadFile | FailedFile | undefined)[] = contents.map(() => undefined);
        let left = contents.length;
        const timer = setInterval(look, lookMs);
        const finish = (): void => {
          clearInterval(timer);
          worker.off('message', take).off('exit', finish);
          worker.unref();
          resolve({ files, end });
        };
        const take = ({ first, files: some }: ReadFiles): void => {
          files.splice(first, some.length, ...some);
          left -= some.length;
          if (left === 0) finish();
        };
        Atomics.store(progress.since, 0, 0n);
        worker.ref();
        worker.on('message', take).on('exit', finish);
        const batch = pack(contents);
        worker.postMessage(batch, [batch.block.buffer]);
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}

function msSince(since: bigint): number {
  return since === 0n ? 0 : Number(process.hrtime.bigint() - since) / 1e6;
}

/** Copied: the contents may be parts of a pack that others read, and are needed again when the thread ends. */
function pack(contents: readonly Uint8Array[]): Batch {
  const sizes = contents.map(({ length }) => length);
  const block = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let offset = 0;
  for (const content of contents) {
    block.set(content, offset);
    offset += content.length;
  }
  return { block, sizes };
}
