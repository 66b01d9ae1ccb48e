// Documents + live objects + predictions in → manifests, Diffs and a verdict out. Pure.
export { agreedStateOf } from './agreed-state.ts';
export { compareObjects, missingObject, type Sides } from './compare-objects.ts';
export { hashWith, tagWith } from './content-hash.ts';
export { describeChange } from './describe-change.ts';
export { identify, type Identified, type KindLookup } from './identify.ts';
export { alsoIgnoring, joinIgnoreRules, neutralise, parseIgnoreRules, type IgnoreRules, type ObjectIgnores } from './ignore/index.ts';
export { guarded } from './json-patch.ts';
export { judge, type ComparedResource } from './judge.ts';
export { liveDigest } from './live-digest.ts';
export { isSecret, type Tag } from './mask.ts';
export { confirmedOrphans, mayComeBack, orphanCandidates, removalOf } from './orphans.ts';
export { overlay, differingOverlay } from './overlay.ts';
export { predictReturn } from './predict-return.ts';
export { predictSecret, secretObstacle } from './predict-secret.ts';
export { prove } from './prove.ts';
export { differInReplicas, isScaled, replicaRange, replicasPointer, type ReplicaRange } from './replica-range.ts';
export { rewrittenPaths, volatilePaths } from './volatile.ts';
