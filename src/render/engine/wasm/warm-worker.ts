import { MessageChannel, Worker } from 'node:worker_threads';
import { tellAnswered } from './answer-signal.ts';
import type { ModuleFiles } from './locate-module.ts';
import type { Question, RenderMessage, WorkerMessage, WorkerStart } from './messages.ts';
import type { TreeAnswers } from './tree-answers.ts';
import type { WasmModule } from './web-assembly.ts';

export interface Job {
  readonly request: string;
  readonly answers: TreeAnswers;
  readonly signal: AbortSignal;
  /** A worker has it now. */
  onStart(): void;
}

export type JobEnd =
  | { readonly type: 'rendered'; readonly result: string; readonly text: string }
  | { readonly type: 'died'; readonly why: string }
  | { readonly type: 'stopped' };

export interface WarmWorker {
  /** One at a time. After any end but `rendered` the worker is gone. */
  render(job: Job): Promise<JobEnd>;
  isAlive(): boolean;
  /** The module, to start another worker with; undefined where this one died before. */
  readonly compiled: Promise<WasmModule | undefined>;
  stop(): Promise<void>;
}

export interface WarmWorkerOptions {
  readonly files: ModuleFiles;
  readonly module: WasmModule | undefined;
}

// Bounds JavaScript's own heap: the strings that go in and out. The module's memory has its own maximum.
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** A thread with the module in it. It keeps the process alive only while it renders. */
export function startWarmWorker({ files, module }: WarmWorkerOptions): WarmWorker {
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const start: WorkerStart = { wasm: files.wasm, support: files.support, module, questions: port2, answered: answered.buffer };
  const worker = new Worker(new URL('engine-worker.ts', import.meta.url), {
    workerData: start,
    transferList: [port2],
    resourceLimits,
    env: {},
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  const compiled = Promise.withResolvers<WasmModule | undefined>();
  let alive = true;
  let job: Job | undefined;
  let end: ((outcome: JobEnd) => void) | undefined;

  const die = (why: string): void => {
    alive = false;
    compiled.resolve(undefined);
    end?.({ type: 'died', why });
    port1.close();
    void worker.terminate();
  };
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'ready') compiled.resolve(message.module);
    else if (message.type === 'rendered') end?.(message);
    else die(message.output);
  });
  worker.on('error', (error: unknown) => die(error instanceof Error ? error.message : String(error)));
  worker.on('exit', () => die('the thread ended'));
  const reply = async (question: Question): Promise<void> => {
    const answer = await job?.answers.answer(question);
    if (!alive) return;
    port1.postMessage(answer, answer?.flatMap((each) => (typeof each === 'string' ? [] : [each.buffer])) ?? []);
    tellAnswered(answered, question.number);
  };
  port1.on('message', (question: Question) => void reply(question));
  const rest = (): void => {
    worker.unref();
    port1.unref();
  };
  rest();

  return {
    isAlive: () => alive,
    compiled: compiled.promise,
    render: async (next) => {
      worker.ref();
      port1.ref();
      const stop = Promise.withResolvers<JobEnd>();
      const onAbort = (): void => end?.({ type: 'stopped' });
      try {
        job = next;
        end = stop.resolve;
        next.onStart();
        next.signal.addEventListener('abort', onAbort, { once: true });
        if (next.signal.aborted) onAbort();
        else if (alive) worker.postMessage({ request: next.request } satisfies RenderMessage, []);
        else die('the thread ended');
        const outcome = await stop.promise;
        if (outcome.type === 'stopped') {
          alive = false;
          port1.close();
          await worker.terminate();
        }
        return outcome;
      } finally {
        next.signal.removeEventListener('abort', onAbort);
        job = undefined;
        end = undefined;
        rest();
      }
    },
    stop: async () => {
      alive = false;
      port1.close();
      await worker.terminate();
    },
  };
}
