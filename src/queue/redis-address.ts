import { SetpointError } from '../model/index.ts';

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
}

/** Files in PEM. Without `ca` the usual authorities are trusted, with it no other. */
export interface RedisTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** What the certificate must name; where it is not given, the host that is connected to. */
  readonly serverName?: string;
}

type Layout =
  | { readonly type: 'single' }
  | { readonly type: 'sentinel'; readonly master: string; readonly login: RedisLogin }
  | { readonly type: 'cluster' };

export interface RedisAddress {
  readonly layout: Layout;
  /** The Sentinels, or some nodes of the cluster, or the one server. */
  readonly nodes: readonly RedisNode[];
  readonly login: RedisLogin;
  readonly database: number;
  readonly tls: RedisTls | undefined;
  /** Hosts and ports: all that a message may show. */
  readonly shown: string;
  /** The text without the passwords, should a server or a library have put them there. */
  hideSecrets(text: string): string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Passwords and files may come from the environment instead; what the URL says goes first. Messages never repeat the
 * URL: a mistyped one may hold the password anywhere.
 */
export function parseRedisUrl(text: string, env: Env = {}): RedisAddress {
  const parts = /^([a-z+]+):\/\/([^/?#\s]*)(\/[^?#\s]*)?(\?[^#\s]*)?(#.*)?$/i.exec(text);
  if (parts === null) throw usage('is not a URL');
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  const [, secure, kind] = /^redis(s?)(\+sentinel|\+cluster)?$/i.exec(scheme) ?? [];
  if (secure === undefined) throw usage('has another scheme');
  if (fragment !== '') throw usage('has a fragment');
  const at = authority.lastIndexOf('@');
  const asked = parseQuery(query);
  const type = kind === undefined ? 'single' : kind.toLowerCase() === '+sentinel' ? 'sentinel' : 'cluster';

  const tls = parseTls(asked, env);
  if (secure === '' && Object.keys(tls).length > 0) {
    throw usage('has certificate settings and no TLS: its scheme begins with redis and not rediss');
  }
  const login = parseLogin(authority.slice(0, Math.max(0, at)), env);
  const nodes = parseNodes(authority.slice(at + 1), type);
  const { layout, database } = parsePath(path, type, sentinelLogin(asked, env));
  const secrets = [login.password ?? '', layout.type === 'sentinel' ? (layout.login.password ?? '') : '']
    .filter((secret) => secret !== '')
    .toSorted((one, other) => other.length - one.length);
  return {
    layout,
    nodes,
    login,
    database,
    tls: secure === '' ? undefined : tls,
    shown: nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(', '),
    hideSecrets: (message) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), message),
  };
}

const queryNames = ['ca', 'cert', 'key', 'servername', 'sentinelUsername', 'sentinelPassword'] as const;
type Query = ReadonlyMap<string, string>;

function parseQuery(query: string): Query {
  const pairs = query.slice(1).split('&').filter((pair) => pair !== '');
  const asked = new Map<string, string>();
  for (const pair of pairs) {
    const [name = '', ...value] = pair.split('=');
    if (!queryNames.some((known) => known === name)) throw usage(`has a query with another name than ${queryNames.join(', ')}`);
    if (asked.has(name)) throw usage(`gives ${name} twice`);
    asked.set(name, decode(value.join('=')));
  }
  return asked;
}

function parseTls(asked: Query, env: Env): RedisTls {
  const ca = asked.get('ca') || env['SETPOINT_REDIS_CA'];
  const cert = asked.get('cert') || env['SETPOINT_REDIS_CERT'];
  const key = asked.get('key') || env['SETPOINT_REDIS_KEY'];
  const serverName = asked.get('servername') || env['SETPOINT_REDIS_SERVER_NAME'];
  if (Boolean(cert) !== Boolean(key)) throw usage('has a client certificate without its key, or a key without its certificate');
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(serverName && { serverName }) };
}

function parseLogin(text: string, env: Env): RedisLogin {
  const [user = '', ...rest] = text.split(':');
  return loginOf(decode(user) || fromEnv(env, 'SETPOINT_REDIS_USERNAME'), decode(rest.join(':')) || fromEnv(env, 'SETPOINT_REDIS_PASSWORD'));
}

function sentinelLogin(asked: Query, env: Env): RedisLogin | undefined {
  const login = loginOf(
    asked.get('sentinelUsername') || fromEnv(env, 'SETPOINT_REDIS_SENTINEL_USERNAME'),
    asked.get('sentinelPassword') || fromEnv(env, 'SETPOINT_REDIS_SENTINEL_PASSWORD'),
  );
  return Object.keys(login).length === 0 ? undefined : login;
}

/** Secrets that were made from a file end with a line break, which is no part of a login. */
function fromEnv(env: Env, name: string): string | undefined {
  return env[name]?.replace(/\r?\n$/, '');
}

function loginOf(username: string | undefined, password: string | undefined): RedisLogin {
  return { ...(username && { username }), ...(password && { password }) };
}

const hostForm = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;

function parseNodes(text: string, type: Layout['type']): RedisNode[] {
  if (text === '') throw usage('names no host');
  const hosts = text.split(',');
  if (type === 'single' && hosts.length > 1) throw usage('names several hosts, which only Sentinels and clusters have');
  return hosts.map((part) => {
    const [, v6, name, digits] = hostForm.exec(part) ?? [];
    const host = v6 ?? name;
    const port = digits === undefined ? (type === 'sentinel' ? 26_379 : 6_379) : Number(digits);
    if (host === undefined || port < 1 || port > 65_535) throw usage('has a host or port that cannot be one');
    return { host, port };
  });
}

function parsePath(path: string, type: Layout['type'], login: RedisLogin | undefined): { layout: Layout; database: number } {
  if (type !== 'sentinel' && login !== undefined) throw usage('comes with a Sentinel’s login and has no Sentinel');
  if (type === 'cluster') {
    if (!/^(\/0?)?$/.test(path)) throw usage('has a path, and a cluster has but one database');
    return { layout: { type }, database: 0 };
  }
  if (type === 'single') {
    const database = /^\/?(\d{0,5})$/.exec(path)?.[1];
    if (database === undefined) throw usage('has a path that is not a database number');
    return { layout: { type }, database: Number(database) };
  }
  const [, master, database = '0'] = /^\/([\w.-]{1,128})(?:\/(\d{1,5}))?$/.exec(path) ?? [];
  if (master === undefined) throw usage('has a path that is not the name of a master, with a database number at most');
  return { layout: { type, master, login: login ?? {} }, database: Number(database) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw usage('has a percent sign that is not written %25');
  }
}

const wanted = [
  'redis://[user:password@]host[:port][/database]',
  'redis+sentinel://[user:password@]host[:port],…/master[/database]',
  'redis+cluster://[user:password@]host[:port],…',
];

function usage(why: string): SetpointError {
  return new SetpointError('Usage', `The Redis URL ${why}; it has the form ${wanted.join(' or ')}, with rediss for TLS.`);
}
