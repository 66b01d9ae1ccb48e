// The thread that talks to Git servers and indexes what they send: the only one that loads isomorphic-git.
import { parentPort } from 'node:worker_threads';
import { runJob, type JobSurroundings } from './remote/run-job.ts';
import type { FromWorker, ToWorker } from './remote/messages.ts';
import { createTransports } from './remote/transports.ts';

// Often enough for deadlines, seldom enough to cost nothing.
const progressMs = 100;
const running = new Map<number, AbortController>();
const transports = createTransports();
const port = parentPort;
if (port === null) throw new Error('git-worker.ts runs in a worker thread');
const send = (message: FromWorker): void => port.postMessage(message);

port.on('message', (message: ToWorker) => {
  const { id } = message;
  if (message.type === 'cancel') {
    running.get(id)?.abort();
    return;
  }
  const abort = new AbortController();
  running.set(id, abort);
  let told = performance.now();
  const onProgress = (): void => {
    if (performance.now() - told < progressMs) return;
    told = performance.now();
    send({ id, type: 'progress' });
  };
  void run(message, { transports, signal: abort.signal, onProgress });
});

async function run({ id, job }: Extract<ToWorker, { type: 'run' }>, surroundings: JobSurroundings): Promise<void> {
  const outcome = await runJob(job, surroundings);
  running.delete(id);
  send({ id, ...outcome });
}
