import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { tellAnswered } from '../../../../src/render/engine/wasm/answer-signal.ts';

const module = new URL('../../../../src/render/engine/wasm/answer-signal.ts', import.meta.url).href;

/** Waits for the answers to questions 1 and 2, and says so after each. */
const asker = `
  const { awaitAnswer } = await import(${JSON.stringify(module)});
  const { parentPort, workerData } = await import('node:worker_threads');
  parentPort.postMessage('asks');
  for (const question of [1, 2]) {
    awaitAnswer(workerData, question);
    parentPort.postMessage(question);
  }
`;

test('a thread that waits for an answer sleeps on when it is woken for the one before', async () => {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(asker)}`), { workerData: signal });
  const said: unknown[] = [];
  worker.on('message', (word) => said.push(word));
  const ended = once(worker, 'exit');
  await expect.poll(() => said).toEqual(['asks']);
  tellAnswered(signal, 1);
  await expect.poll(() => said).toEqual(['asks', 1]);

  // Only a thread that sleeps can be woken: one that is woken for the twentieth time has gone back to sleep nineteen times.
  let woken = 0;
  await expect.poll(() => (woken += Atomics.notify(signal, 0)), { interval: 5 }).toBeGreaterThanOrEqual(20);
  expect(said).toEqual(['asks', 1]);

  tellAnswered(signal, 2);
  await ended;
  expect(said).toEqual(['asks', 1, 2]);
});
