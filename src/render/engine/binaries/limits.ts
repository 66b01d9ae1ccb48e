export interface BinaryLimits {
  /** How long the child may run. */
  readonly deadlineMs: number;
  /** Between the request to end and the kill. */
  readonly graceMs: number;
  readonly outputBytes: number;
  /** Of the child's data segment. A Go program needs about 100 MiB for nothing. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
  /** What may be written for one render. */
  readonly files: number;
  readonly fileBytes: number;
}

export const defaultLimits: BinaryLimits = {
  deadlineMs: 90_000,
  graceMs: 5_000,
  outputBytes: 10 * 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
  cpuSeconds: 120,
  files: 20_000,
  fileBytes: 128 * 1024 * 1024,
};
