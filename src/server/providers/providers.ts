import { azureDevOps } from './azure-devops.ts';
import { bitbucketServer } from './bitbucket-server.ts';
import { bitbucket } from './bitbucket.ts';
import { generic } from './generic.ts';
import { forgejo, gitea, gogs } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import type { Provider } from './provider.ts';

/** Every kind of sender there is. */
export const providers = {
  github,
  gitlab,
  gitea,
  forgejo,
  gogs,
  bitbucket,
  'bitbucket-server': bitbucketServer,
  'azure-devops': azureDevOps,
  generic,
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;
