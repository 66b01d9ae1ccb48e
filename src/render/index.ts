// Trees of files in → Kubernetes documents with their origin, and findings, out. Reads local files, keeps a cache on disk, runs threads and, where asked, helm and kustomize.
export { openContentCache, type ContentCache } from './content-cache.ts';
export { detectKind } from './detect-kind.ts';
export { findDuplicates } from './duplicates.ts';
export type { Rendered } from './documents.ts';
export { createBinaryEngine } from './engine/binaries/binary-engine.ts';
export type { Engine } from './engine/engine.ts';
export { rememberOutputs } from './engine/remember-outputs.ts';
export { createWasmEngine } from './engine/wasm/wasm-engine.ts';
export { openLocalTree } from './local-tree.ts';
export { createYamlReader } from './parse/yaml-reader.ts';
export { renderPlain } from './plain.ts';
export { rememberRenders } from './remember-renders.ts';
export { createRenderer, type Capabilities, type OpenSource, type Renderer } from './renderer.ts';
