import { Errors } from 'isomorphic-git';
import { SetpointError } from '../model/index.ts';

interface Place {
  /** Without credentials. */
  readonly url: string;
}

/** Says in one sentence what is wrong with a repository. The texts of servers are not passed on: they may echo credentials. */
export function gitError(cause: unknown, { url }: Place): SetpointError {
  if (cause instanceof SetpointError) return cause;
  const { code } = (cause ?? {}) as { code?: unknown };
  const options = { cause: bareCause(cause) };
  if (code === Errors.HttpError.code) {
    const { data } = cause as { data?: { statusCode?: number } };
    return statusError({ url, status: data?.statusCode ?? 0 });
  }
  if (code === Errors.UserCanceledError.code) return statusError({ url, status: 401 });
  if (code === Errors.NotFoundError.code) {
    return new SetpointError('RevisionNotFound', `${url} does not have the commit that was asked for: check --revision`, options);
  }
  if (notGit.has(code)) return new SetpointError('RepositoryInvalid', `${url} does not answer as a Git repository: check the URL`, options);
  if (isOfGit(cause)) return new SetpointError('RepositoryInvalid', `what ${url} sent cannot be used (${String(code)})`, options);
  const { syscall, path } = cause as NodeJS.ErrnoException;
  if (syscall !== undefined && path !== undefined) {
    return new SetpointError('Internal', `what ${url} sent cannot be stored: ${diskReasons[String(code)] ?? String(code)}`, options);
  }
  return networkError({ url, cause });
}

// The last one also stands for packets that could not be read.
const notGit = new Set<unknown>([Errors.SmartHttpError.code, Errors.ParseError.code, Errors.EmptyServerResponseError.code]);

const diskReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'the cache folder may not be written to',
  EPERM: 'the cache folder may not be written to',
  EMFILE: 'too many files are open',
};

function isOfGit(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'isIsomorphicGitError' in cause;
}

interface Answer extends Place {
  readonly status: number;
  readonly retryAfter?: string;
  /** No credentials were sent. */
  readonly isAnonymous?: boolean;
}

/** For an answer that is not a success. */
export function statusError({ url, status, retryAfter, isAnonymous = false }: Answer): SetpointError {
  // 203: the page on which people would sign in.
  if (status === 401 || status === 203) {
    const what = isAnonymous ? 'wants credentials: give' : 'does not accept these credentials: check';
    return new SetpointError('RepositoryUnauthorized', `${url} ${what} SETPOINT_GIT_USERNAME and SETPOINT_GIT_PASSWORD, or the credentials folder`);
  }
  if (status === 403) {
    return new SetpointError('RepositoryUnauthorized', `${url} does not let these credentials read (403): give them the right to read this repository`);
  }
  if (status === 404 || status === 410) {
    return new SetpointError('RepositoryNotFound', `no repository at ${url}, or these credentials may not see it: check --repo`);
  }
  if (status === 407) return new SetpointError('RepositoryUnreachable', `${url} is behind a proxy that wants other credentials (407): check HTTPS_PROXY`);
  if (status === 429) {
    return new SetpointError('RepositoryUnreachable', `${url} is asked too often (429)${waitOf(retryAfter)}`);
  }
  if (status >= 300 && status < 400) {
    return new SetpointError('RepositoryInvalid', `${url} has moved (the server answered ${status}): give its new URL`);
  }
  if (status >= 500) return new SetpointError('RepositoryUnreachable', `${url} has trouble of its own: it answered ${status}${waitOf(retryAfter)}`);
  if (status >= 400) return new SetpointError('RepositoryInvalid', `${url} refused the request: it answered ${status}`);
  return new SetpointError('RepositoryUnreachable', `${url} answered ${status}`);
}

function waitOf(retryAfter: string | undefined): string {
  if (retryAfter === undefined) return '';
  if (/^\d{1,6}$/.test(retryAfter)) return `: it wants to be left alone for ${retryAfter} s`;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? '' : `: it wants to be left alone until ${new Date(until).toISOString()}`;
}

const untrusted = 'its certificate is not signed by an authority that we trust: give the authority as ca.crt in the credentials';
const cut = 'the connection was cut';
const late = 'no answer in time';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: is it running, and is the port right?',
  ECONNRESET: cut,
  EPIPE: cut,
  ECONNABORTED: cut,
  UND_ERR_SOCKET: cut,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cut,
  HPE_INVALID_CONSTANT: 'it does not speak HTTP: is the port right?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is the port right, or should the URL start with http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: is the port right, or should the URL start with http://?',
  EPROTO: 'TLS could not be agreed on',
  ENOTFOUND: 'its host name is not known: check the URL, or the DNS from here',
  EAI_AGAIN: 'its host name could not be looked up just now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: late,
  UND_ERR_CONNECT_TIMEOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: 'it stopped sending in the middle of its answer',
  UND_ERR_PRX_TLS: 'the certificate of the proxy is for another host name',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it on the server',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: compare the clocks',
  CERT_REVOKED: 'its certificate has been revoked: replace it on the server',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name: check the host of the URL',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a client certificate: give tls.crt and tls.key in the credentials',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'it refused the TLS handshake: it may want a client certificate (tls.crt and tls.key in the credentials)',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not trust our client certificate: check tls.crt in the credentials',
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: 'it does not take our client certificate: check tls.crt in the credentials',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'our client certificate has expired: renew tls.crt in the credentials',
};

interface Failure extends Place {
  readonly cause: unknown;
  /** What the connection went through, without credentials. */
  readonly proxy?: string;
}

/** For what kept us from an answer. */
export function networkError({ url, cause, proxy }: Failure): SetpointError {
  const { code, name, message } = cause as Partial<NodeJS.ErrnoException>;
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  const [, proxyStatus] = /^Proxy response \((\d+)\)/.exec(message ?? '') ?? [];
  const reason =
    proxyStatus === undefined
      ? (reasons[code ?? ''] ?? (name === 'TimeoutError' ? late : (code ?? 'the connection failed')))
      : proxyStatus === '407'
        ? 'the proxy wants other credentials (407): check HTTPS_PROXY'
        : `the proxy refused the connection (${proxyStatus})`;
  return new SetpointError('RepositoryUnreachable', `${url} cannot be reached${through}: ${reason}`, { cause: bareCause(cause) });
}

/**
 * A cause that may be printed. Errors of libraries carry answers, certificates and sockets with them, and in those what a
 * server has echoed; only those of the operating system and of TLS say nothing but what happened.
 */
export function bareCause(cause: unknown): Error {
  if (!(cause instanceof Error)) return new Error('unknown');
  const { code, syscall, name } = cause as NodeJS.ErrnoException;
  const bare = new Error(syscall === undefined ? (code ?? 'no more is known') : cause.message);
  bare.name = name;
  return bare;
}
