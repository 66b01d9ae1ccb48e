import { mainSource, SetpointError, type Application, type Finding, type RenderOptions, type Source, type SourceDocument, type SourceTree } from '../model/index.ts';
import type { Capabilities, Desired, DesiredPort, Rendered } from './ports.ts';
import type { KnownReference, References } from './references.ts';

interface Snapshot extends Disposable {
  readonly commit: string;
  readonly tree: SourceTree;
}

interface Repository {
  pull(revision: string, signal: AbortSignal): Promise<Snapshot>;
}

interface OpenSource {
  readonly tree: SourceTree;
  readonly commit: string;
  readonly path: string | undefined;
  readonly ref: string | undefined;
  readonly options: RenderOptions;
}

type Render = (
  sources: readonly OpenSource[],
  context: { readonly id: string; readonly name: string; readonly namespace: string; readonly capabilities: (() => Promise<Capabilities>) | undefined },
  signal: AbortSignal,
) => Promise<{ readonly documents: readonly SourceDocument[]; readonly findings: readonly Finding[] }>;

interface Renderer {
  render: Render;
  /** Remembers nothing. */
  renderAnew: Render;
}

interface Parts {
  /** The one of each URL, shared by all applications. */
  readonly repository: (url: string) => Repository;
  readonly renderer: Renderer;
  /** Which commits count now. */
  readonly references: Pick<References, 'current'>;
}

/** Git and a renderer as one source of documents, for any number of applications. */
export function createDesiredState({ repository, renderer, references }: Parts): DesiredPort {
  // Most looks are about the cluster: while the same application is at the same commits, Git is not even opened.
  const known = new WeakMap<Application, { readonly commits: string; readonly rendered: Rendered }>();
  return {
    async at(application, lastSeen, signal): Promise<Desired> {
      const found: Found[] = [];
      const main = mainSource(application);
      for (const source of application.sources) {
        // Of several repositories only the main one's commit is on record.
        found.push({ source, ...(await references.current(source, source === main ? lastSeen : null, signal)) });
      }
      return {
        commit: found.find(({ source }) => source === main)?.commit ?? '',
        commits: found.map(({ commit }) => commit),
        trouble: found.find(({ trouble }) => trouble !== undefined)?.trouble,
        documents: (capabilities, asking) => remembered({ application, found, capabilities }, asking),
        documentsAnew: (capabilities, asking) => rendered(renderer.renderAnew, { application, found, capabilities }, asking),
      };
    },
  };

  async function remembered({ application, found, capabilities }: Job, signal: AbortSignal): Promise<Rendered> {
    const commits = found.map(({ commit }) => commit).join(' ');
    const present = known.get(application);
    if (present?.commits === commits) return present.rendered;
    let isAboutCluster = false;
    const asked = (): Promise<Capabilities> => {
      isAboutCluster = true;
      return capabilities();
    };
    const result = await rendered(renderer.render, { application, found, capabilities: asked }, signal);
    // A chart that looked at the cluster may say something else when that has changed.
    if (!isAboutCluster) known.set(application, { commits, rendered: result });
    return result;
  }

  async function rendered(render: Render, { application, found, capabilities }: Job, signal: AbortSignal): Promise<Rendered> {
    using opened = new DisposableStack();
    const sources: OpenSource[] = [];
    for (const { source, commit } of found) {
      const snapshot = opened.use(await repository(source.repository).pull(commit, signal));
      if (snapshot.commit !== commit) throw new SetpointError('RepositoryInvalid', `${source.repository} was asked for ${commit}, and gave ${snapshot.commit}`);
      sources.push({ tree: snapshot.tree, commit, path: source.path, ref: source.ref, options: source.options });
    }
    const { id, name, destination } = application;
    return render(sources, { id, name, namespace: destination.namespace, capabilities }, signal);
  }
}

interface Found extends KnownReference {
  readonly source: Source;
}

interface Job {
  readonly application: Application;
  readonly found: readonly Found[];
  readonly capabilities: () => Promise<Capabilities>;
}
