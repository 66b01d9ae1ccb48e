/** What a retry can do about a failure: `later` may heal by itself, `changed` needs someone to change something. */
type Retry = 'later' | 'changed';

const retryByCode = {
  ApplicationInvalid: 'changed',
  ClusterUnreachable: 'later',
  ClusterUnauthorized: 'later',
  ClusterError: 'later',
  DestinationFailed: 'later',
  Forbidden: 'changed',
  Internal: 'later',
  InvalidManifest: 'changed',
  KindNotServed: 'changed',
  KubeconfigInvalid: 'changed',
  NotLeader: 'later',
  NotObserved: 'later',
  ObjectUnsettled: 'later',
  PathInvalid: 'changed',
  PathNotFound: 'changed',
  QueueUnavailable: 'later',
  RendererMissing: 'changed',
  RenderFailed: 'changed',
  RenderTimeout: 'later',
  RepositoryInvalid: 'changed',
  RepositoryNotFound: 'later',
  RepositoryUnauthorized: 'later',
  RepositoryUnreachable: 'later',
  RevisionNotFound: 'changed',
  SourceTooLarge: 'changed',
  StateInvalid: 'changed',
  Usage: 'changed',
} as const satisfies Record<string, Retry>;

export type ErrorCode = keyof typeof retryByCode;

/** Broken input or I/O, in one sentence that names the thing and what to do. Never holds a secret. */
export class SetpointError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'SetpointError';
    this.code = code;
  }
}

export function retryOf(code: ErrorCode): Retry {
  return retryByCode[code];
}

export function toSetpointError(error: unknown): SetpointError {
  if (error instanceof SetpointError) return error;
  return new SetpointError('Internal', error instanceof Error ? error.message : String(error), { cause: error });
}
