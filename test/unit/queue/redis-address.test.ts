import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../../src/queue/redis-address.ts';

test.each([
  ['redis://cache', { host: 'cache', port: 6379, db: 0 }, 'cache:6379'],
  ['redis://cache:7000/', { host: 'cache', port: 7000, db: 0 }, 'cache:7000'],
  ['redis://cache:7000/3', { host: 'cache', port: 7000, db: 3 }, 'cache:7000'],
  ['rediss://cache', { host: 'cache', port: 6379, db: 0, tls: {} }, 'cache:6379'],
  ['redis://:s%40cret@cache', { host: 'cache', port: 6379, db: 0, password: 's@cret' }, 'cache:6379'],
  ['redis://me:secret@cache', { host: 'cache', port: 6379, db: 0, username: 'me', password: 'secret' }, 'cache:6379'],
  ['redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }, '[::1]:7000'],
])('%s is understood', (url, connect, shown) => {
  expect(parseRedisUrl(url)).toMatchObject({ connect, shown });
  expect(Object.keys(parseRedisUrl(url).connect).toSorted()).toEqual(Object.keys(connect).toSorted());
});

test.each([
  ['', 'is not a URL'],
  ['cache:6379', 'has another scheme'],
  ['http://me:hunter2@cache', 'has another scheme'],
  ['redis://me:hunter2@cache:port', 'is not a URL'],
  ['redis://me:hunter2@cache:70000', 'is not a URL'],
  ['redis://', 'names no host'],
  ['redis:///0', 'names no host'],
  ['redis://me:hunter2@cache/first', 'has a path that is not a database number'],
  ['redis://me:hunter2@cache/0/1', 'has a path that is not a database number'],
  ['redis://me:hunter2@cache?db=1', 'has a query or a fragment'],
  ['redis://me:hunter2@cache#x', 'has a query or a fragment'],
  ['redis://me:hunter2%@cache', 'has a user or password with a percent sign'],
])('%j is refused without being repeated', (url, why) => {
  const parse = (): unknown => parseRedisUrl(url);
  const message: unknown = expect.stringContaining(`The Redis URL ${why}`);
  expect(parse).toThrow(expect.objectContaining({ code: 'Usage', message }));
  let thrown: unknown;
  try {
    parse();
  } catch (error) {
    thrown = error;
  }
  expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain('hunter2');
});

test('a password is taken out of texts that come from elsewhere', () => {
  const address = parseRedisUrl('redis://me:hunter2@cache');
  expect(address.hideSecrets('AUTH me hunter2 hunter2 failed')).toBe('AUTH me *** *** failed');
  expect(parseRedisUrl('redis://cache').hideSecrets('left as it is')).toBe('left as it is');
});
