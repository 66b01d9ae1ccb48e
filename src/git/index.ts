// A repository and a revision in → a commit and its files out. Talks to one Git server over HTTP, or reads a local repository.
export { createGitSource, type GitSource } from './git-source.ts';
export { parseRepositoryUrl, type Repository } from './repository-url.ts';
