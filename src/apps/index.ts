// Application documents, Argo CD's or ours, in → what is wanted of each, checked, and what has no effect, out; and the definition of the custom resource. Reads and watches local files where asked.
export { applicationCrd } from './crd/application-crd.ts';
export { declaredApplication, type DeclaredApplication } from './declared-application.ts';
export { watchApplicationFiles, type ApplicationFilesOptions, type ApplicationListing } from './files/watch-application-files.ts';
export { readRefresh } from './read-annotations.ts';
export { readApplication } from './read-application.ts';
