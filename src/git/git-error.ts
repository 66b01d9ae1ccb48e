import { Errors } from 'isomorphic-git';
import { SetpointError } from '../model/index.ts';
import type { Repository } from './repository-url.ts';

/** Says in one sentence what is wrong with a repository. The texts of servers are not passed on: they may echo credentials. */
export function gitError(cause: unknown, { url }: Repository): SetpointError {
  if (cause instanceof SetpointError) return cause;
  const { code, name, data } = cause as { code?: string; name?: string; data?: { statusCode?: number; response?: unknown } };
  if (code === Errors.HttpError.code) return httpError(data?.statusCode ?? 0, url, cause);
  if (code === Errors.UserCanceledError.code) return unauthorized(url, cause);
  if (code === Errors.NotFoundError.code) {
    return new SetpointError('RevisionNotFound', `${url} does not have the commit that was asked for: check --revision`, { cause });
  }
  if (code === Errors.SmartHttpError.code || code === Errors.ParseError.code) {
    return new SetpointError('RepositoryInvalid', `${url} does not answer as a Git repository: check the URL`, { cause });
  }
  const reason = name === 'TimeoutError' ? 'no answer in time' : (code ?? (cause as Error).message);
  return new SetpointError('RepositoryUnreachable', `${url} cannot be reached: ${reason}`, { cause });
}

function httpError(status: number, url: string, cause: unknown): SetpointError {
  if (status === 401 || status === 403) return unauthorized(url, cause);
  if (status === 404) {
    return new SetpointError('RepositoryNotFound', `no repository at ${url}, or these credentials may not see it: check --repo`, { cause });
  }
  if (status >= 300 && status < 400) {
    return new SetpointError('RepositoryInvalid', `${url} has moved (the server answered ${status}): give its new URL`, { cause });
  }
  return new SetpointError('RepositoryUnreachable', `${url} answered ${status}`, { cause });
}

function unauthorized(url: string, cause: unknown): SetpointError {
  const message = `${url} does not accept these credentials: set SETPOINT_GIT_USERNAME and SETPOINT_GIT_PASSWORD`;
  return new SetpointError('RepositoryUnauthorized', message, { cause });
}
