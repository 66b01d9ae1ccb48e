export interface Progress {
  readonly show: (done: number, total: number) => void;
  clear(): void;
}

/** One line that is written over, on a terminal only. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  let shown = false;
  return {
    show(done, total) {
      if (!stream.isTTY) return;
      shown = true;
      stream.write(`\r\u001B[Kcomparing ${done}/${total}`);
    },
    clear() {
      if (shown) stream.write('\r\u001B[K');
      shown = false;
    },
  };
}
