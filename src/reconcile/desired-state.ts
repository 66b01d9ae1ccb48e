import type { Application, Finding, RenderOptions, Source, SourceDocument, SourceTree } from '../model/index.ts';
import type { Capabilities, Desired, DesiredPort, Rendered } from './ports.ts';

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

interface Renderer {
  render(
    sources: readonly OpenSource[],
    context: { readonly name: string; readonly namespace: string; readonly capabilities: (() => Promise<Capabilities>) | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly documents: readonly SourceDocument[]; readonly findings: readonly Finding[] }>;
}

interface Parts {
  /** The one of each URL, shared by all applications. */
  readonly repository: (url: string) => Repository;
  readonly renderer: Renderer;
  /** How long an answer of a repository stands: a change in the cluster is no reason to ask Git. */
  readonly freshMs: number;
  readonly now: () => Date;
}

/** Git and a renderer as one source of documents, for any number of applications. */
export function createDesiredState({ repository, renderer, freshMs, now }: Parts): DesiredPort {
  const commitOf = createCommits({ freshMs, now });
  const find = ({ repository: url, revision }: Source, signal: AbortSignal): Promise<string> =>
    commitOf(`${url} ${revision}`, async () => {
      using pulled = await repository(url).pull(revision, signal);
      return pulled.commit;
    });
  return {
    async at(application, signal): Promise<Desired> {
      const found: Found[] = [];
      for (const source of application.sources) found.push({ source, commit: await find(source, signal) });
      return { commit: mainCommit(found), documents: (capabilities, asking) => render({ application, found, capabilities }, asking) };
    },
  };

  async function render({ application, found, capabilities }: Job, signal: AbortSignal): Promise<Rendered> {
    using opened = new DisposableStack();
    const sources: OpenSource[] = [];
    for (const { source, commit } of found) {
      const { tree } = opened.use(await repository(source.repository).pull(commit, signal));
      sources.push({ tree, commit, path: source.path, ref: source.ref, options: source.options });
    }
    const { name, namespace } = application;
    return renderer.render(sources, { name, namespace, capabilities }, signal);
  }
}

interface Found {
  readonly source: Source;
  readonly commit: string;
}

interface Job {
  readonly application: Application;
  readonly found: readonly Found[];
  readonly capabilities: () => Promise<Capabilities>;
}

interface Commits {
  readonly freshMs: number;
  readonly now: () => Date;
}

/** What each reference was found at, for as long as that stands. Whoever asks meanwhile shares the one answer. */
function createCommits({ freshMs, now }: Commits): (reference: string, ask: () => Promise<string>) => Promise<string> {
  const answers = new Map<string, { readonly at: number; readonly commit: Promise<string> }>();
  return async (reference, ask) => {
    const at = now().getTime();
    const known = answers.get(reference);
    if (known !== undefined && at - known.at < freshMs && at >= known.at) return known.commit;
    const answer = { at, commit: ask() };
    answers.set(reference, answer);
    try {
      return await answer.commit;
    } catch (error) {
      // An error is no answer: the next one asks anew.
      if (answers.get(reference) === answer) answers.delete(reference);
      throw error;
    }
  };
}

/** Where several repositories take part: that of the first source which is rendered. */
function mainCommit(found: readonly Found[]): string {
  const main = found.find(({ source }) => source.path !== undefined) ?? found[0];
  return main?.commit ?? '';
}
