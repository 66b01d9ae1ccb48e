// How a thread sleeps until the answer to its question is there: one shared 32-bit number, that of the last question answered.

export function awaitAnswer(signal: Int32Array<SharedArrayBuffer>, question: number): void {
  // A wake-up may be a late one, for the question before: only the number counts.
  for (let last = Atomics.load(signal, 0); last !== question; last = Atomics.load(signal, 0)) Atomics.wait(signal, 0, last);
}

export function tellAnswered(signal: Int32Array<SharedArrayBuffer>, question: number): void {
  Atomics.store(signal, 0, question);
  Atomics.notify(signal, 0);
}
