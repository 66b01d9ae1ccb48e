import type { Source } from './source.ts';

/** What an application does about a difference: tell, or make the cluster equal to Git. */
export type Mode = 'alert' | 'auto';

export interface Application {
  readonly name: string;
  readonly sources: readonly Source[];
  /** The namespace of documents that name none. */
  readonly namespace: string;
  readonly mode: Mode;
}

/** The source that stands for the application where there is room for one: the first that is rendered. */
export function mainSource({ sources }: Pick<Application, 'sources'>): Source {
  const main = sources.find(({ path }) => path !== undefined) ?? sources[0];
  if (main === undefined) throw new RangeError('an application has at least one source');
  return main;
}
