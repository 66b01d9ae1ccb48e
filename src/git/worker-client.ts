import { Worker } from 'node:worker_threads';
import { SetpointError } from '../model/index.ts';
import type { Failure, Fetched, FetchJob, FromWorker, Job, ListJob, Reference, ToWorker } from './remote/messages.ts';

export interface Deadlines {
  /** Without a single byte or step. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly deadlines: Deadlines;
}

/** The thread in which all repositories talk to their servers: started when there is work, replaced when it dies. */
export interface GitWorker {
  list(job: Omit<ListJob, 'type'>, options: RunOptions): Promise<Reference>;
  fetch(job: Omit<FetchJob, 'type'>, options: RunOptions): Promise<Fetched>;
  close(): Promise<void>;
}

/** More came than the job allows. */
export class TooMuchError extends Error {
  constructor() {
    super('more bytes came than allowed');
    this.name = 'TooMuchError';
  }
}

interface Running {
  readonly job: Job;
  readonly resolve: (result: Reference | Fetched) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: () => void;
  /** How often a thread died under it. */
  deaths: number;
  /** Why it must end, once it must. */
  ending: Error | undefined;
}

// It is there all the time and mostly idle: room for garbage would be room for nothing.
const youngMb = 8;

// How long a thread that is busy gets to hear that it is to stop.
const graceMs = 2000;

export function createGitWorker(entry: URL = new URL('git-worker.ts', import.meta.url)): GitWorker {
  const running = new Map<number, Running>();
  let thread: Worker | undefined;
  let jobs = 0;

  function start(): Worker {
    const started = new Worker(entry, { name: 'git', resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
    started.on('message', (message: FromWorker) => hear(message));
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (thread === started) lose();
    });
    return started;
  }

  /** What the dead thread was doing is begun again by a new one, but not for ever: it may be what kills it. */
  function lose(): void {
    thread = undefined;
    for (const [id, work] of running) {
      work.deaths += 1;
      if (work.ending !== undefined) settle(id, () => work.reject(work.ending ?? new Error('ended')));
      else if (work.deaths > 1) {
        settle(id, () => work.reject(new SetpointError('RepositoryInvalid', `${work.job.repository.url} cannot be fetched: the thread that does it died twice, perhaps for want of memory`)));
      } else post({ id, type: 'run', job: work.job });
    }
  }

  function post(message: ToWorker): void {
    thread ??= start();
    thread.ref();
    thread.postMessage(message, []);
  }

  function settle(id: number, how: () => void): void {
    running.delete(id);
    if (running.size === 0) thread?.unref();
    how();
  }

  function hear(message: FromWorker): void {
    const work = running.get(message.id);
    if (work === undefined) return;
    if (message.type === 'progress') work.onProgress();
    else if (message.type === 'done') settle(message.id, () => work.resolve(message.result));
    else settle(message.id, () => work.reject(errorOf(message.failure, work)));
  }

  function run(job: Job, { signal, deadlines }: RunOptions): Promise<Reference | Fetched> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const id = (jobs += 1);
    const late = (): void => end(new SetpointError('RepositoryUnreachable', `${job.repository.url} cannot be reached: no answer in time`));
    const total = setTimeout(late, deadlines.totalMs);
    const idle = setTimeout(late, deadlines.idleMs);
    let grace: NodeJS.Timeout | undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Reference | Fetched>();
    const work: Running = { job, resolve, reject, onProgress: () => idle.refresh(), deaths: 0, ending: undefined };

    function end(why: Error): void {
      if (!running.has(id) || work.ending !== undefined) return;
      work.ending = why;
      post({ id, type: 'cancel' });
      grace = setTimeout(() => void thread?.terminate(), graceMs);
    }

    const onAbort = (): void => end(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    running.set(id, work);
    post({ id, type: 'run', job });
    return promise.finally(() => {
      for (const timer of [total, idle, grace]) clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  }

  return {
    list: (job, options) => run({ ...job, type: 'list' }, options) as Promise<Reference>,
    fetch: (job, options) => run({ ...job, type: 'fetch' }, options) as Promise<Fetched>,
    async close() {
      for (const work of running.values()) work.ending ??= new Error('the Git worker is closed');
      await thread?.terminate();
    },
  };
}

function errorOf(failure: Failure, { ending }: Running): Error {
  if (failure.type === 'error') return ending ?? new SetpointError(failure.code, failure.message);
  if (failure.type === 'cancelled') return ending ?? new Error('cancelled');
  return new TooMuchError();
}
