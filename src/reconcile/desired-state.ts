import type { Finding, SourceFile } from '../model/index.ts';
import type { DesiredPort, Rendered } from './ports.ts';

interface Parts {
  readonly source: {
    pull(revision: string, signal: AbortSignal): Promise<string>;
    files(
      commit: string,
      path: string,
      wanted: (path: string) => boolean,
    ): Promise<{ readonly files: readonly SourceFile[]; readonly findings: readonly Finding[] }>;
  };
  readonly wants: (path: string) => boolean;
  readonly render: (files: readonly SourceFile[]) => Rendered;
  /** How long an answer of the repository stands: a change in the cluster is no reason to ask Git. */
  readonly freshMs: number;
  readonly now: () => Date;
}

/** Git and a renderer as one source of documents. A commit never changes, so what was last rendered is not rendered again. */
export function createDesiredState({ source, wants, render, freshMs, now }: Parts): DesiredPort {
  let last: { readonly of: string; readonly rendered: Rendered } | undefined;
  let pulled: { readonly revision: string; readonly commit: string; readonly at: number } | undefined;
  return {
    async pull(revision, signal) {
      const at = now().getTime();
      if (pulled?.revision === revision && at - pulled.at < freshMs && at >= pulled.at) return pulled.commit;
      pulled = undefined;
      const commit = await source.pull(revision, signal);
      pulled = { revision, commit, at };
      return commit;
    },
    async documents(commit, path) {
      const of = `${commit} ${path}`;
      if (last?.of === of) return last.rendered;
      const tree = await source.files(commit, path, wants);
      const { documents, findings } = render(tree.files);
      const rendered = { documents, findings: [...tree.findings, ...findings] };
      last = { of, rendered };
      return rendered;
    },
  };
}
