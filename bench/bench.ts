/** What a benchmark is given. Results go to stdout, progress to stderr. */
export interface BenchOptions {
  /** A short run on few objects: whether it works, not how fast. */
  readonly quick: boolean;
  readonly verbose: boolean;
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
  readonly print: (result: string) => void;
}

/** One measured value. It is only worth something beside the others of its run. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  /** What it was measured on. */
  readonly conditions: string;
  readonly target?: Target;
}

export interface Target {
  readonly wanted: string;
  /** Undefined where the run was too short to tell. */
  readonly met: boolean | undefined;
}

export interface BenchResult {
  readonly figures: readonly Figure[];
  /** What was run on, beside the machine. */
  readonly against: string;
  /** What must not be, whatever the figures. */
  readonly failures: readonly string[];
}

export interface Bench {
  readonly summary: string;
  run(options: BenchOptions): Promise<BenchResult>;
}
