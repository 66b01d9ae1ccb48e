// Documents + live objects + predictions in → manifests, Diffs and a verdict out. Pure.
export { agreedStateOf } from './agreed-state.ts';
export { identify, type KindLookup } from './identify.ts';
export { compareObjects } from './compare-objects.ts';
export { hashWith } from './content-hash.ts';
export { isSecret } from './mask.ts';
export { judge, type ComparedResource } from './judge.ts';
export { prove } from './prove.ts';
export { predictSecret } from './predict-secret.ts';
