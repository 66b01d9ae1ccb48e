import type { Application } from '../model/index.ts';
import type { References } from '../reconcile/index.ts';

/** What somebody asks for by hand is about what Git says then, and not about what it said at the last poll. */
export interface AskGitFirst {
  /** Done when Git was asked, where somebody asks for something new in this application. Undefined where nobody waits for that. */
  before(application: Application): Promise<unknown> | undefined;
  forget(id: string): void;
}

/** Git has yet to be asked of those that are known already: what they ask for is not new. */
export function createAskGitFirst(known: readonly Application[], { ask }: Pick<References, 'ask'>): AskGitFirst {
  const refreshes = new Map(known.map(({ id, refresh }) => [id, refresh]));
  const requests = new Map(known.map(({ id, sync }) => [id, sync?.id]));
  const asking = new Map<string, Promise<unknown>>();
  return {
    before({ id, refresh, sync, sources }) {
      const isRefreshed = refreshes.has(id) && refreshes.get(id) !== refresh;
      // One that names a commit does not ask what a branch stands for.
      const isRequested = sync !== undefined && sync.revision === undefined && requests.get(id) !== sync.id;
      refreshes.set(id, refresh);
      requests.set(id, sync?.id);
      if (isRefreshed || isRequested) {
        const present = asking.get(id);
        const asked = Promise.all([present, ...sources.map((source) => ask(source))]).finally(() => asking.get(id) === asked && asking.delete(id));
        asking.set(id, asked);
      }
      // Whatever else is changed meanwhile comes with the same request in it.
      return asking.get(id);
    },
    forget(id) {
      refreshes.delete(id);
      requests.delete(id);
    },
  };
}
