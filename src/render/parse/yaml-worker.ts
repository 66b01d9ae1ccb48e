// A thread that reads files, batch after batch, and says which file it is at: whoever waits may end it in the midst of one.
import { parentPort, workerData } from 'node:worker_threads';
import { parseFile } from './parse-file.ts';
import type { Batch, FailedFile, Progress, ReadFile, ReadFiles } from './worker-messages.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the body of a thread');
const { at, since } = workerData as Progress;
// Results are sent around a big file, which may be the end of this thread, and not for each small one.
const bigBytes = 64 * 1024;

port.on('message', ({ block, sizes }: Batch) => {
  let [first, offset]: [number, number] = [0, 0];
  let files: (ReadFile | FailedFile)[] = [];
  const send = (): void => {
    if (files.length > 0) port.postMessage({ first, files } satisfies ReadFiles, []);
    [first, files] = [first + files.length, []];
  };
  for (const [position, size] of sizes.entries()) {
    if (size > bigBytes) send();
    Atomics.store(at, 0, position);
    Atomics.store(since, 0, process.hrtime.bigint());
    files.push(parseFile(block.subarray(offset, offset + size)));
    offset += size;
    if (size > bigBytes) send();
  }
  Atomics.store(since, 0, 0n);
  send();
});
