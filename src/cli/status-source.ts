import type { ApplicationPause, SyncRequest } from '../model/index.ts';
import type { StatusItem } from './status-item.ts';

/** Which applications somebody asks about. */
export interface StatusQuestion {
  /** A name, or `namespace/name`. */
  readonly app?: string | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
  /** As kubectl writes label selectors. */
  readonly selector?: string | undefined;
}

/** Where statuses are read and wishes are left. */
export interface StatusSource extends AsyncDisposable {
  /** For people: which cluster, which folder. */
  readonly place: string;
  /** Throws where an application that was named is not there. */
  read(question: StatusQuestion, signal: AbortSignal): Promise<readonly StatusItem[]>;
  /** Exactly one, by its name. */
  find(question: StatusQuestion & { readonly app: string }, signal: AbortSignal): Promise<StatusItem>;
  /** Tells all of them, again and again, as they change or merely grow old; until the signal. */
  watch(question: StatusQuestion, tell: (items: readonly StatusItem[]) => void, signal: AbortSignal): Promise<void>;
  /** Asks the agent to look at everything of an application; it answers with this very text in its status. */
  askForLook(id: string, text: string, signal: AbortSignal): Promise<void>;
  /** Undefined ends the pause. */
  setPause(id: string, pause: ApplicationPause | undefined, signal: AbortSignal): Promise<void>;
  /** The agent answers in the status: with an operation that has this request in it, or with why there is none. */
  askForSync(id: string, request: SyncRequest, signal: AbortSignal): Promise<void>;
  /** Asks the agent to end an operation, by its id. */
  askForEnd(id: string, operation: string, signal: AbortSignal): Promise<void>;
}
