// A repository and a revision in → a commit and its files out. Talks to Git servers, from a thread of its own, or reads a local repository.
export { accessFromEnv } from './credentials.ts';
export { findCredentials, isFor, readCredentials } from './credentials-folder.ts';
export type { GitObserver, GitRepository } from './git-repository.ts';
export { openRepository, type OpenOptions } from './open-repository.ts';
export { parseRepositoryUrl, type Repository } from './repository-url.ts';
export { createGitWorker } from './worker-client.ts';
