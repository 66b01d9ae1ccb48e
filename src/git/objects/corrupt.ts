/** The bytes of a repository are not what they must be. Says which and how; whose repository it is says who catches it. */
export class CorruptError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CorruptError';
  }
}
