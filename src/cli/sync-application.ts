import { join } from 'node:path';
import { readApplication } from '../apps/index.ts';
import type { Cluster } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { joinIgnoreRules, parseIgnoreRules, type IgnoreRules } from '../diff/index.ts';
import { mainSource, SetpointError, type Application, type KubeObject } from '../model/index.ts';
import type { OpenSource, Rendered } from '../render/index.ts';
import { openSources } from '../sources.ts';

/** An Application as an agent would take it. Throws where it would be refused. */
export function wantedApplication(object: KubeObject, defaultNamespace: string): Application {
  const read = readApplication(object);
  if (read.type === 'application') return { ...read.spec, destination: { namespace: read.spec.destination.namespace ?? defaultNamespace } };
  const { namespace = '', name } = object.metadata;
  throw new SetpointError('ApplicationInvalid', `the Application ${namespace}/${name} is refused${read.type === 'invalid' ? `: ${read.messages.join('; ')}` : ''}`);
}

/** At another commit than its reference names. */
export function atRevision(application: Application, revision: string | undefined): Application {
  if (revision === undefined) return application;
  const main = mainSource(application);
  return { ...application, sources: application.sources.map((source) => (source === main ? { ...source, revision } : source)) };
}

/** Its own rules, beside those that hold for all. */
export function ignoresOf({ id, ignoreRules }: Application, forAll: IgnoreRules | undefined): IgnoreRules | undefined {
  if (ignoreRules.length === 0) return forAll;
  const parsed = parseIgnoreRules([...ignoreRules]);
  if (parsed.type === 'refused') throw new SetpointError('ApplicationInvalid', `the ignoreDifferences of ${id} are refused: ${parsed.errors.join('; ')}`);
  return forAll === undefined ? parsed.rules : joinIgnoreRules(forAll, parsed.rules);
}

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly gitCredentials: string | undefined;
  readonly cluster: Pick<Cluster, 'discover'>;
  readonly warn: (text: string) => void;
}

/** What Git says of it now, with the credentials of who asks. */
export async function renderWanted(application: Application, { env, gitCredentials, cluster, warn }: Place, signal: AbortSignal): Promise<{ readonly commit: string; readonly commits: readonly string[]; readonly rendered: Rendered }> {
  const main = mainSource(application);
  await using sources = await openSources({
    // Whoever may write an Application names the repository: credentials are shown only to those that they say they are for.
    ...{ credentials: { env, folder: gitCredentials, repository: undefined }, renderer: 'wasm', folder: join(cacheFolder(env), 'git'), remembers: true },
    log: { warn: (message, fields) => warn(`${message}: ${Object.values(fields ?? {}).join(' ')}`) },
  });
  using opened = new DisposableStack();
  const open: OpenSource[] = [];
  const commits: string[] = [];
  for (const source of application.sources) {
    const { repository, revision, path, ref, options } = source;
    const snapshot = opened.use(await sources.repository(repository).pull(revision, signal));
    commits.push(snapshot.commit);
    open.push({ tree: snapshot.tree, path, ref, options });
  }
  const capabilities = async (): Promise<{ readonly kubeVersion: string; readonly apiVersions: readonly string[] }> => {
    const { apiVersions, kubeVersion } = await cluster.discover(signal);
    return { apiVersions, kubeVersion: await kubeVersion(signal) };
  };
  const rendered = await sources.renderer.render(open, { name: application.name, namespace: application.destination.namespace, capabilities }, signal);
  return { commit: commits[application.sources.indexOf(main)] ?? '', commits, rendered };
}
