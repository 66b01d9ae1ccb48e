// Files of a source in → Kubernetes documents with their origin, and findings, out. Reads local files; otherwise pure.
export { readLocalFiles } from './local-files.ts';
export { isManifestPath, renderPlain, type Rendered } from './plain.ts';
