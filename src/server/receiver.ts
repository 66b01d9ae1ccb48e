import type { ProviderName } from './providers/providers.ts';

/** One URL that one sender posts to. */
export interface Receiver {
  /** The last part of the URL: `/hooks/<id>`. */
  readonly id: string;
  readonly provider: ProviderName;
  /** One, or two while they are changed. Asked for with every delivery, because they may have changed. */
  readonly secrets: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Events about another repository are ignored. A generic sender may leave it out of its body. */
  readonly repository?: string;
  /** A branch, a tag or a full name. Events about others are ignored. A generic sender may leave it out of its body. */
  readonly reference?: string;
  /** Azure DevOps: the user name that goes with the secret as its password. Any, where there is none. */
  readonly user?: string;
  /** Azure DevOps: the header that carries the secret, in place of user name and password. */
  readonly header?: string;
}
