// Application statuses in → files in a state folder, and back. Owns that folder.
export { openStateFolder, type StateFolder } from './state-folder.ts';
