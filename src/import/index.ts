// Documents of Argo CD in → Applications of ours, and what is otherwise about each, out. Pure.
export type { Difference } from './difference.ts';
export { importArgocd, type Imported } from './import-argocd.ts';
