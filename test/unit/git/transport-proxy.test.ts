import { describe, expect, test } from 'vitest';
import { accessFromEnv } from '../../../src/git/credentials.ts';
import { proxyFor } from '../../../src/git/transport/proxy-for.ts';

const through = (target: string, except: string): string | undefined => proxyFor(new URL(target), { https: 'http://s:1', http: 'http://p:2', except })?.url;

test('HTTPS and HTTP have proxies of their own', () => {
  expect(through('https://h/x', '')).toBe('http://s:1');
  expect(through('http://h/x', '')).toBe('http://p:2');
  expect(proxyFor(new URL('https://h/x'), { http: 'http://p:2' })).toBeUndefined();
  expect(proxyFor(new URL('https://h/x'))).toBeUndefined();
});

describe('NO_PROXY', () => {
  test.each([
    ['*', 'https://git.example.com/x', true],
    ['git.example.com', 'https://git.example.com/x', true],
    ['example.com', 'https://git.example.com/x', true],
    ['.example.com', 'https://git.example.com/x', true],
    ['*.example.com', 'https://git.example.com/x', true],
    ['EXAMPLE.com', 'https://git.example.com/x', true],
    ['example.com', 'https://notexample.com/x', false],
    ['ample.com', 'https://git.example.com/x', false],
    ['a.com, example.com ,b.com', 'https://git.example.com/x', true],
    ['a.com example.com', 'https://git.example.com/x', true],
    ['git.example.com:443', 'https://git.example.com/x', true],
    ['git.example.com:8443', 'https://git.example.com/x', false],
    ['git.example.com:8443', 'https://git.example.com:8443/x', true],
    ['git.example.com:80', 'http://git.example.com/x', true],
    ['10.0.0.1', 'https://10.0.0.1/x', true],
    ['10.0.0.1', 'https://10.0.0.10/x', false],
    ['10.0.0.0/8', 'https://10.1.2.3/x', true],
    ['10.0.0.0/8', 'https://11.1.2.3/x', false],
    ['0.0.1', 'https://10.0.0.1/x', false],
    ['::1', 'https://[::1]/x', true],
    ['[::1]:8443', 'https://[::1]:8443/x', true],
    ['fd00::/8', 'https://[fd12::1]/x', true],
    ['fd00::/8', 'https://10.0.0.1/x', false],
    ['10.0.0.0/x', 'https://10.0.0.1/x', false],
    ['10.0.0.0/99', 'https://10.0.0.1/x', false],
    [',, ,', 'https://git.example.com/x', false],
  ])('%j lets %s pass by: %s', (except, target, expected) => {
    expect(through(target, except) === undefined).toBe(expected);
  });
});

test('credentials are taken out of the URL of a proxy', () => {
  expect(proxyFor(new URL('https://h/x'), { https: 'http://me:p%40ss@proxy.example:3128/' })).toEqual({ url: 'http://proxy.example:3128', username: 'me', password: 'p@ss' });
  expect(proxyFor(new URL('https://h/x'), { https: 'proxy.example:3128' })).toEqual({ url: 'http://proxy.example:3128' });
});

test.each(['socks5://me:canary@h:1', 'ftp://canary@h', 'http://', 'http://me:canary@'])('%s is no proxy, and is not repeated', (https) => {
  expect(() => proxyFor(new URL('https://h/x'), { https })).toThrow(expect.objectContaining({ code: 'RepositoryInvalid', message: expect.not.stringContaining('canary') as string }) as Error);
});

test.each([
  ['nothing', {}, {}],
  ['a user and password', { SETPOINT_GIT_USERNAME: 'u', SETPOINT_GIT_PASSWORD: 'p' }, { username: 'u', password: 'p' }],
  ['a token', { SETPOINT_GIT_TOKEN: 't' }, { password: 't' }],
  ['a token and a password', { SETPOINT_GIT_TOKEN: 't', SETPOINT_GIT_PASSWORD: 'p' }, { password: 'p' }],
  ['empty ones', { SETPOINT_GIT_USERNAME: '', SETPOINT_GIT_PASSWORD: '', HTTPS_PROXY: '' }, {}],
  ['proxies', { HTTPS_PROXY: 'a', HTTP_PROXY: 'b', NO_PROXY: 'c' }, { proxy: { https: 'a', http: 'b', except: 'c' } }],
  ['proxies in small letters first', { HTTPS_PROXY: 'a', https_proxy: 'x' }, { proxy: { https: 'x' } }],
  ['one proxy for all', { ALL_PROXY: 'a', HTTP_PROXY: 'b' }, { proxy: { https: 'a', http: 'b' } }],
])('the environment gives %s', (_name, env, access) => {
  expect(accessFromEnv(env)).toEqual(access);
});
