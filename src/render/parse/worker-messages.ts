/** Files to read, one behind the other in one block that moves to the worker. */
export interface Batch {
  readonly block: Uint8Array<ArrayBuffer>;
  readonly sizes: readonly number[];
}

/** What was read of the batch since the last message, from the file `first` on. */
export interface ReadFiles {
  readonly first: number;
  readonly files: readonly (ReadFile | FailedFile)[];
}

export interface ReadFile {
  readonly type: 'read';
  readonly text: string;
}

/** The reader threw: a defect of ours. Only the name of the error, because its message may hold a value. */
export interface FailedFile {
  readonly type: 'failed';
  readonly error: string;
}

/** Shared memory in which a worker says at which file of its batch it is, and since when by the monotonic clock: 0 for at none. */
export interface Progress {
  readonly at: Int32Array<SharedArrayBuffer>;
  readonly since: BigInt64Array<SharedArrayBuffer>;
}
