import type { MessagePort } from 'node:worker_threads';
import type { WasmModule } from './web-assembly.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly wasm: string;
  readonly support: string;
  /** Compiled by an earlier worker. */
  readonly module: WasmModule | undefined;
  readonly questions: MessagePort;
  /** One 32-bit number: of the question whose answer lies in `questions`. */
  readonly answered: SharedArrayBuffer;
}

/** To a worker: one render, as JSON that the module understands. */
export interface RenderMessage {
  readonly request: string;
}

/** The module's own account of a render, besides the text. */
export interface RenderResult {
  readonly origins?: readonly string[] | null;
  /** An error code, or `Tree` where the tree threw. */
  readonly code?: string;
  readonly message?: string;
}

export type WorkerMessage =
  | { readonly type: 'ready'; readonly module: WasmModule }
  | { readonly type: 'rendered'; readonly result: string; readonly text: string }
  /** The module ended by itself, which it never should; the end of what it wrote to standard error. */
  | { readonly type: 'ended'; readonly output: string };

/** The worker waits until it has the answer. One answer per path. */
export interface Question {
  /** They are counted from 1. */
  readonly number: number;
  readonly what: 'type' | 'list' | 'read';
  readonly paths: readonly string[];
}

/** Undefined where the tree threw. */
export type Answer = readonly string[] | readonly Uint8Array<ArrayBuffer>[] | undefined;
