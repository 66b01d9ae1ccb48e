import type { RedisOptions } from 'ioredis';
import { SetpointError } from '../model/index.ts';

export interface RedisAddress {
  readonly connect: Pick<RedisOptions, 'host' | 'port' | 'username' | 'password' | 'db' | 'tls'>;
  /** Host and port: all that a message may show. */
  readonly shown: string;
  /** The text without the password, should a server or a library have put it there. */
  hideSecrets(text: string): string;
}

const wanted = 'redis://[user:password@]host[:port][/database], or rediss:// for TLS';

/** Messages never repeat the URL: a mistyped one may hold the password anywhere. */
export function parseRedisUrl(text: string): RedisAddress {
  const url = URL.parse(text);
  if (url === null) throw usage('is not a URL');
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') throw usage('has another scheme');
  if (url.hostname === '') throw usage('names no host');
  if (url.search !== '' || url.hash !== '') throw usage('has a query or a fragment');
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (database === undefined) throw usage('has a path that is not a database number');

  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 6379 : Number(url.port);
  const username = decode(url.username);
  const password = decode(url.password);
  return {
    connect: {
      host,
      port,
      db: Number(database),
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    },
    shown: `${url.hostname}:${port}`,
    hideSecrets: (message) => (password === '' ? message : message.replaceAll(password, '***')),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw usage('has a user or password with a percent sign that is not written %25');
  }
}

function usage(why: string): SetpointError {
  return new SetpointError('Usage', `The Redis URL ${why}; it has the form ${wanted}.`);
}
