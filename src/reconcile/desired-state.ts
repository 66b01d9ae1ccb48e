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
}

/** Git and a renderer as one source of documents. A commit never changes, so what was last rendered is not rendered again. */
export function createDesiredState({ source, wants, render }: Parts): DesiredPort {
  let last: { readonly of: string; readonly rendered: Rendered } | undefined;
  return {
    pull: (revision, signal) => source.pull(revision, signal),
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
