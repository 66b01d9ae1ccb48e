import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseRedisUrl, type RedisAddress } from '../../../src/queue/redis-address.ts';

type Parsed = Omit<RedisAddress, 'hideSecrets'>;

const plain: Parsed = {
  layout: { type: 'single' },
  nodes: [{ host: 'cache', port: 6379 }],
  login: {},
  database: 0,
  tls: undefined,
  shown: 'cache:6379',
};
const sentinel: Parsed = {
  ...plain,
  layout: { type: 'sentinel', master: 'my-master', login: {} },
  nodes: [
    { host: 'one', port: 26_379 },
    { host: 'two', port: 7000 },
  ],
  shown: 'one:26379, two:7000',
};
const cluster: Parsed = {
  ...plain,
  layout: { type: 'cluster' },
  nodes: [
    { host: 'one', port: 7000 },
    { host: 'two', port: 6379 },
  ],
  shown: 'one:7000, two:6379',
};
const sentinelUrl = 'redis+sentinel://one,two:7000/my-master';

function parse(url: string, env?: Record<string, string>): Parsed {
  const { hideSecrets: _hideSecrets, ...parsed } = parseRedisUrl(url, env);
  return parsed;
}

describe('one server', () => {
  test.each<[string, Partial<Parsed>]>([
    ['redis://cache', {}],
    ['REDIS://cache', {}],
    ['redis://cache/', {}],
    ['redis://cache:7000/', { nodes: [{ host: 'cache', port: 7000 }], shown: 'cache:7000' }],
    ['redis://cache/3', { database: 3 }],
    ['rediss://cache', { tls: {} }],
    ['redis://:s%40cret@cache', { login: { password: 's@cret' } }],
    ['redis://:s@cret@cache', { login: { password: 's@cret' } }],
    ['redis://:a:b@cache', { login: { password: 'a:b' } }],
    ['redis://me@cache', { login: { username: 'me' } }],
    ['redis://me:secret@cache', { login: { username: 'me', password: 'secret' } }],
    ['redis://[::1]:7000', { nodes: [{ host: '::1', port: 7000 }], shown: '[::1]:7000' }],
    ['redis://my_cache', { nodes: [{ host: 'my_cache', port: 6379 }], shown: 'my_cache:6379' }],
  ])('%s is understood', (url, expected) => {
    expect(parse(url)).toEqual({ ...plain, ...expected });
  });
});

describe('TLS', () => {
  test.each<[string, Parsed['tls']]>([
    ['rediss://cache?ca=/etc/ca.pem', { ca: '/etc/ca.pem' }],
    ['rediss://cache/?cert=a%26b&key=c%20d', { cert: 'a&b', key: 'c d' }],
    ['rediss://cache?servername=redis.example.com', { serverName: 'redis.example.com' }],
    ['rediss+cluster://cache?ca=a+b', { ca: 'a+b' }],
    ['rediss+sentinel://cache/master?ca=a', { ca: 'a' }],
  ])('%s is understood', (url, tls) => {
    expect(parse(url)).toMatchObject({ tls });
    expect(Object.keys(parse(url).tls ?? {})).toEqual(Object.keys(tls ?? {}));
  });

  test('files and the server’s name may come from the environment, and the URL goes first', () => {
    const env = {
      SETPOINT_REDIS_CA: 'env-ca',
      SETPOINT_REDIS_CERT: 'env-cert',
      SETPOINT_REDIS_KEY: 'env-key',
      SETPOINT_REDIS_SERVER_NAME: 'env-name',
    };
    expect(parse('rediss://cache', env).tls).toEqual({ ca: 'env-ca', cert: 'env-cert', key: 'env-key', serverName: 'env-name' });
    expect(parse('rediss://cache?ca=url-ca', env).tls).toMatchObject({ ca: 'url-ca', cert: 'env-cert' });
  });
});

describe('Sentinels', () => {
  test.each<[string, Partial<Parsed>]>([
    [sentinelUrl, {}],
    [`${sentinelUrl}/4`, { database: 4 }],
    ['redis+sentinel://me:pw@one,two:7000/my-master', { login: { username: 'me', password: 'pw' } }],
    ['rediss+sentinel://one,two:7000/my-master', { tls: {} }],
    [
      `${sentinelUrl}?sentinelUsername=watch&sentinelPassword=a%26b`,
      { layout: { type: 'sentinel', master: 'my-master', login: { username: 'watch', password: 'a&b' } } },
    ],
  ])('%s is understood', (url, expected) => {
    expect(parse(url)).toEqual({ ...sentinel, ...expected });
  });

  test('their login may come from the environment', () => {
    const env = { SETPOINT_REDIS_SENTINEL_USERNAME: 'watch', SETPOINT_REDIS_SENTINEL_PASSWORD: 'pw' };
    const layout = { type: 'sentinel', master: 'my-master', login: { username: 'watch', password: 'pw' } };
    expect(parse(sentinelUrl, env)).toEqual({ ...sentinel, layout });
  });
});

describe('a cluster', () => {
  test.each<[string, Partial<Parsed>]>([
    ['redis+cluster://one:7000,two', {}],
    ['redis+cluster://one:7000,two/0', {}],
    ['rediss+cluster://me:pw@one:7000,two/', { tls: {}, login: { username: 'me', password: 'pw' } }],
    ['redis+cluster://one:7000', { nodes: [{ host: 'one', port: 7000 }], shown: 'one:7000' }],
  ])('%s is understood', (url, expected) => {
    expect(parse(url)).toEqual({ ...cluster, ...expected });
  });
});

test('a login may come from the environment, and the URL’s goes first', () => {
  const env = { SETPOINT_REDIS_USERNAME: 'me', SETPOINT_REDIS_PASSWORD: 'a%b' };
  expect(parse('redis://cache', env).login).toEqual({ username: 'me', password: 'a%b' });
  expect(parse('redis://you:other@cache', env).login).toEqual({ username: 'you', password: 'other' });
});

test.each([
  ['pw\n', 'pw'],
  ['pw\r\n', 'pw'],
  ['pw\n\n', 'pw\n'],
  [' pw ', ' pw '],
  ['p\nw', 'p\nw'],
])('of a login from the environment one line break at the end is no part: %j is %j', (given, password) => {
  expect(parse('redis://cache', { SETPOINT_REDIS_USERNAME: given, SETPOINT_REDIS_PASSWORD: given }).login).toEqual({ username: password, password });
  const layout = { type: 'sentinel', master: 'my-master', login: { username: password, password } };
  expect(parse(sentinelUrl, { SETPOINT_REDIS_SENTINEL_USERNAME: given, SETPOINT_REDIS_SENTINEL_PASSWORD: given })).toEqual({ ...sentinel, layout });
});

test('a login from the environment that is a line break is none', () => {
  expect(parse('redis://cache', { SETPOINT_REDIS_PASSWORD: '\n' }).login).toEqual({});
});

test.each([
  ['', 'is not a URL'],
  ['cache:6379', 'is not a URL'],
  ['redis://me:hunter2@cache\nredis://cache', 'is not a URL'],
  ['redis://me:hunter 2@cache', 'is not a URL'],
  ['http://me:hunter2@cache', 'has another scheme'],
  ['redis+cluster+sentinel://me:hunter2@cache', 'has another scheme'],
  ['redis://me:hunter2@cache:port', 'has a host or port that cannot be one'],
  ['redis://me:hunter2@cache:70000', 'has a host or port that cannot be one'],
  ['redis://me:hunter2@cache:0', 'has a host or port that cannot be one'],
  ['redis://me:hunter2/x@cache', 'has a host or port that cannot be one'],
  ['redis+cluster://me:hunter2@one,', 'has a host or port that cannot be one'],
  ['redis+cluster://me:hunter2@one,,two', 'has a host or port that cannot be one'],
  ['redis://', 'names no host'],
  ['redis:///0', 'names no host'],
  ['redis://me:hunter2@', 'names no host'],
  ['redis://me:hunter2@one,two', 'names several hosts'],
  ['redis://me:hunter2@cache/first', 'has a path that is not a database number'],
  ['redis://me:hunter2@cache/0/1', 'has a path that is not a database number'],
  ['redis+sentinel://me:hunter2@one', 'has a path that is not the name of a master'],
  ['redis+sentinel://me:hunter2@one/', 'has a path that is not the name of a master'],
  ['redis+sentinel://me:hunter2@one/master/first', 'has a path that is not the name of a master'],
  ['redis+sentinel://me:hunter2@one/ma%20ster', 'has a path that is not the name of a master'],
  ['redis+cluster://me:hunter2@one/1', 'has a path, and a cluster has but one database'],
  ['redis://me:hunter2@cache?hunter2=1', 'has a query with another name than ca'],
  ['redis://me:hunter2@cache?__proto__=1', 'has a query with another name than ca'],
  ['rediss://me:hunter2@cache?ca=hunter2&ca=b', 'gives ca twice'],
  ['rediss://me:hunter2@cache?cert=hunter2', 'has a client certificate without its key'],
  ['rediss://me:hunter2@cache?key=hunter2', 'has a client certificate without its key'],
  ['redis://me:hunter2@cache?ca=hunter2', 'has certificate settings and no TLS'],
  ['redis://me:hunter2@cache?sentinelPassword=hunter2', 'comes with a Sentinel’s login and has no Sentinel'],
  ['redis://me:hunter2@cache#x', 'has a fragment'],
  ['redis://me:hunter2%@cache', 'has a percent sign that is not written %25'],
  ['redis+sentinel://cache/m?sentinelPassword=hunter2%', 'has a percent sign that is not written %25'],
])('%j is refused without being repeated', (url, why) => {
  const attempt = (): unknown => parseRedisUrl(url);
  const message: unknown = expect.stringContaining(`The Redis URL ${why}`);
  expect(attempt).toThrow(expect.objectContaining({ code: 'Usage', message }));
  let thrown: unknown;
  try {
    attempt();
  } catch (error) {
    thrown = error;
  }
  expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain('hunter');
});

test.each([
  ['redis://cache', { SETPOINT_REDIS_CA: 'ca.pem' }, 'has certificate settings and no TLS'],
  ['rediss://cache', { SETPOINT_REDIS_KEY: 'key.pem' }, 'has a client certificate without its key'],
  ['redis+cluster://one', { SETPOINT_REDIS_SENTINEL_PASSWORD: 'pw' }, 'has no Sentinel'],
])('%s does not fit %j', (url, env, why) => {
  expect(() => parseRedisUrl(url, env)).toThrow(why);
});

test('passwords are taken out of texts that come from elsewhere', () => {
  const address = parseRedisUrl('redis+sentinel://me:hunter2@cache/m?sentinelPassword=hunter22');
  expect(address.hideSecrets('AUTH me hunter2 hunter2 hunter22 failed')).toBe('AUTH me *** *** *** failed');
  expect(parseRedisUrl('redis://cache').hideSecrets('left as it is')).toBe('left as it is');
});
