/** A chart or kustomization and a tree → the text that `helm template` or `kubectl kustomize` would print; runs a WebAssembly module in worker threads. */
export { createWasmEngine } from './wasm-engine.ts';
