import { describe, expect, test } from 'vitest';
import { checkedLookup, checkUrl } from '../../../src/notify/checked-url.ts';
import { createEgressGuard } from '../../../src/notify/egress-guard.ts';

const guard = createEgressGuard([]);

test.each(['https://hooks.example.com/a/b?c=d', 'http://93.184.216.34:8080/', 'https://[2606:2800:220:1::1]/x'])('%s may be sent to', (url) => {
  expect(checkUrl(url, guard)).toMatchObject({ type: 'allowed' });
});

describe('a URL is refused', () => {
  test.each([
    ['that is none', 'hooks.example.com/secret-path', 'is none'],
    ['of another scheme', 'file:///etc/secret-path', 'https:// or http://'],
    ['with a user', 'https://secret-path@hooks.example.com/', 'holds a user'],
    ['with a password', 'https://:secret-path@hooks.example.com/', 'holds a user'],
    ['to this host', 'http://127.0.0.1/secret-path', '127.0.0.1 is a private address'],
    ['to this host in IPv6', 'http://[::1]:8080/secret-path', '::1 is a private address'],
    ['to a mapped address', 'http://[::ffff:169.254.169.254]/secret-path', 'link-local'],
    ['in decimal', 'http://2130706433/secret-path', 'write it as 127.0.0.1'],
    ['in hexadecimal', 'http://0x7f.0x0.0x0.0x1/secret-path', 'write it as 127.0.0.1'],
    ['in octal', 'http://0177.0.0.01/secret-path', 'write it as 127.0.0.1'],
    ['shortened', 'http://127.1/secret-path', 'write it as 127.0.0.1'],
    ['in wide digits', 'http://１２７.0.0.1/secret-path', 'write it as 127.0.0.1'],
    ['with a dot at its end', 'http://127.0.0.1./secret-path', 'write it as 127.0.0.1'],
    ['in decimal, of a public address', 'http://1572395042/secret-path', 'write it as 93.184.216.34'],
  ])('%s', (_what, url, why) => {
    const checked = checkUrl(url, guard);
    expect(checked).toMatchObject({ type: 'refused', why: expect.stringContaining(why) });
    expect(JSON.stringify(checked)).not.toContain('secret-path');
  });
});

describe('a name', () => {
  const lookup = (addresses: readonly string[], all: boolean): Promise<unknown> => {
    const resolve = (): Promise<{ address: string; family: number }[]> => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
    const { promise, resolve: settle } = Promise.withResolvers<unknown>();
    checkedLookup(guard, resolve)('hooks.example.com', { all }, (error, found) => settle(error?.message ?? found));
    return promise;
  };

  test('leads to the addresses that were checked, and to no other', async () => {
    expect(await lookup(['10.0.0.1', '93.184.216.34', '127.0.0.1'], true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await lookup(['10.0.0.1', '93.184.216.34'], false)).toBe('93.184.216.34');
  });

  test.each([
    ['only to private ones', ['10.0.0.1', '127.0.0.1'], '10.0.0.1 is a private address, and alerts.allowPrivate does not name it'],
    ['nowhere', [], 'it has no address, and alerts.allowPrivate does not name it'],
  ])('that leads %s is not connected to', async (_where, addresses, why) => {
    expect(await lookup(addresses, true)).toBe(why);
  });
});
