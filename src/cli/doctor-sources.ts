import { join } from 'node:path';
import { toSetpointError, type ApplicationSpec } from '../model/index.ts';
import { createWasmEngine } from '../render/index.ts';
import { openSources } from '../sources.ts';
import { failure, failureOf, fine, isDenied, warning, type Check } from './doctor-check.ts';

interface SourcesOptions {
  readonly specs: readonly Pick<ApplicationSpec, 'id' | 'sources'>[];
  readonly env: NodeJS.ProcessEnv;
  readonly gitCredentials: string | undefined;
  readonly cacheFolder: string;
}

const atOnce = 4;
const answerMs = 20_000;

/** Whether every repository of the Applications tells its references, with the credentials at hand. Nothing is fetched. */
export async function checkRepositories({ specs, env, gitCredentials, cacheFolder }: SourcesOptions, signal: AbortSignal): Promise<readonly Check[]> {
  const wanted = new Map(specs.flatMap(({ sources }) => sources.map(({ repository, revision }) => [`${repository} ${revision}`, { repository, revision }])));
  const log = { warn: () => undefined };
  await using sources = await openSources({ credentials: { env, folder: gitCredentials, repository: undefined }, renderer: 'wasm', folder: join(cacheFolder, 'git'), remembers: false, log });
  const checks: Check[] = [];
  const rest = wanted.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const { repository, revision } of rest) {
        // A commit id is taken as it is, without a question to the server.
        const asked = /^[\da-f]{40}$/.test(revision) ? 'HEAD' : revision;
        const deadline = AbortSignal.timeout(answerMs);
        const check = await sources.repository(repository).resolve(asked, AbortSignal.any([signal, deadline])).then(
          (commit) => fine('git', `${repository}: ${asked} is ${commit.slice(0, 7)}`),
          (error: unknown) => (deadline.aborted ? failure('git', `${repository} did not answer within ${answerMs / 1000} s`) : explain(error, gitCredentials)),
        );
        checks.push(check);
      }
    }),
  );
  return checks.toSorted((a, b) => (a.text < b.text ? -1 : 1));
}

/** Without the agent's credentials, nothing is known about what the agent may see. */
function explain(error: unknown, gitCredentials: string | undefined): Check {
  if (!isDenied(error) || gitCredentials !== undefined) return failureOf('git', error);
  return { ...warning('git', toSetpointError(error).message, 'give the agent’s credentials with --git-credentials to try them'), isDenial: true };
}

/** Whether charts and kustomizations can be rendered. Plain manifests need nothing. */
export async function checkRenderEngine(env: NodeJS.ProcessEnv): Promise<Check> {
  const engine = createWasmEngine({ env });
  try {
    return fine('render', `Helm and Kustomize are here (engine ${(await engine.version()).slice(0, 12)})`);
  } catch (error) {
    return warning('render', toSetpointError(error).message);
  } finally {
    await engine.close();
  }
}
