// Application statuses in → files in a state folder, or the statuses of Applications in a cluster, and back. Owns that folder; the cluster is injected.
export { createClusterStatus, type ApplicationStore } from './cluster-status.ts';
export { readControls, writeControl, type Control } from './controls.ts';
export { mergePatch } from './merge-patch.ts';
export { readApplicationStatus } from './read-application-status.ts';
export { createSilencesFile, type SilencesFile } from './silences-file.ts';
export { openStateFolder, readStateFolder, type Heartbeat, type StateFolder } from './state-folder.ts';
export { isVouchedFor, vouchingIn, vouchingText, type Vouching } from './vouching.ts';
export { watchControls } from './watch-controls.ts';
