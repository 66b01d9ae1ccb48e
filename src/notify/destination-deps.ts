import type { Http } from './http.ts';
import type { SecretRead } from './secret.ts';
import type { FailedTemplate } from './template.ts';

/** What every destination works with. */
export interface DestinationDeps {
  readonly http: Http;
  readonly readSecret: (file: string, signal: AbortSignal) => Promise<SecretRead>;
  readonly now: () => Date;
  /** A template of somebody's own could not be used; the message went out with the built-in text. */
  readonly onTemplateFailed?: (failed: FailedTemplate & { readonly destination: string }) => void;
}
