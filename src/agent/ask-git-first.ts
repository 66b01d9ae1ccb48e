import type { Application } from '../model/index.ts';
import type { References } from '../reconcile/index.ts';

/** What somebody asks for by hand is about what Git says then, and not about what it said at the last poll. */
export interface AskGitFirst {
  /** Where somebody asks for something new in this application. Undefined where nobody waits for Git. */
  before(application: Application): Asked | undefined;
  forget(id: string): void;
}

interface Asked {
  /** Done when Git was asked. */
  readonly answer: Promise<unknown>;
  /** The application without what is asked for: a pause, another policy or a deletion does not wait. */
  readonly meanwhile: Application;
}

type Asking = Pick<Application, 'refresh' | 'sync'>;

/** Git has yet to be asked of those that are known already: what they ask for is not new. */
export function createAskGitFirst(known: readonly Application[], { ask }: Pick<References, 'ask'>): AskGitFirst {
  const latest = new Map(known.map(({ id, refresh, sync }): [string, Asking] => [id, { refresh, sync }]));
  /** What Git was asked for. */
  const heard = new Map(latest);
  const asking = new Map<string, Promise<unknown>>();
  return {
    before(application) {
      const { id, refresh, sync, sources } = application;
      const before = latest.get(id);
      const isRefreshed = before !== undefined && before.refresh !== refresh;
      // One that names a commit does not ask what a branch stands for.
      const isRequested = sync !== undefined && sync.revision === undefined && before?.sync?.id !== sync.id;
      latest.set(id, { refresh, sync });
      if (isRefreshed || isRequested) {
        const asked = Promise.all([asking.get(id), ...sources.map((source) => ask(source))]).finally(() => {
          const now = latest.get(id);
          if (asking.get(id) !== asked) return;
          asking.delete(id);
          if (now !== undefined) heard.set(id, now);
        });
        asking.set(id, asked);
      }
      // Whatever else is changed meanwhile comes with the same request in it.
      const answer = asking.get(id);
      if (answer === undefined) heard.set(id, { refresh, sync });
      const earlier = heard.get(id);
      // Another request is the end of one that nobody has begun with.
      const isSameRequest = earlier?.sync?.id === sync?.id;
      return answer && { answer, meanwhile: { ...application, refresh: earlier?.refresh, sync: isSameRequest ? sync : undefined } };
    },
    forget(id) {
      for (const asked of [latest, heard]) asked.delete(id);
    },
  };
}
