// Application documents, Argo CD's or ours, in → what is wanted of each, checked, and what has no effect, out; and the definition of the custom resource. Reads and watches local files where asked.
export { applicationCrd } from './crd/application-crd.ts';
export { declaredApplication, type DeclaredApplication } from './declared-application.ts';
export type { FileListing, ListedApplication, ParsedFile } from './files/list-applications.ts';
export { watchApplicationFiles, type ApplicationFiles, type ApplicationFilesOptions, type ApplicationListing } from './files/watch-application-files.ts';
export { readApplication, type ReadApplication } from './read-application.ts';
