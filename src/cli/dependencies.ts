import type { Output } from './output.ts';

/** What a command gets from its process. */
export interface CliDependencies {
  readonly process: NodeJS.Process;
  readonly output: Output;
  readonly finish: (code: number) => void;
}
