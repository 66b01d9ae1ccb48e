import { expect, test } from 'vitest';
import { parseRepositoryUrl } from '../../../src/git/repository-url.ts';

// Everything is there that any of them could need: what stops them is the URL.
const access = { privateKey: 'key', knownHosts: 'h ssh-ed25519 AAAA', username: 'u', password: 'p' };

const refused: readonly (readonly [string, string])[] = [
  // Options for git and ssh
  ['--upload-pack=touch x', 'dash'],
  ['-oProxyCommand=touch x', 'dash'],
  ['-uhttps://h/x', 'dash'],
  ['ssh://-oProxyCommand=x/y', 'host'],
  ['ssh://git@-oProxyCommand=x/y', 'host'],
  ['ssh://-oProxyCommand=x@h/y', 'user name'],
  ['git@-evil:x', 'host'],
  ['-evil@h:x', 'dash'],
  ['git@h:-x', 'dash'],
  ['git@h:--upload-pack=x', 'dash'],
  ['https://-h/x', 'host'],
  ['ssh://git@h', 'no path'],
  ['ssh://git@h/', 'no path'],
  ['git@h:', 'no path'],
  // Remote helpers and other protocols
  ['ext::sh -c "touch x"', 'remote helpers'],
  ['ext::ssh%20-oProxyCommand=x', 'remote helpers'],
  ['fd::17', 'remote helpers'],
  ['transport::address', 'remote helpers'],
  ['::x', 'remote helpers'],
  ['git://github.com/acme/fleet', 'over git is not supported'],
  ['ftp://h/x', 'over ftp is not supported'],
  ['git+ssh://h/x', 'over git+ssh is not supported'],
  ['javascript://h/%0aalert(1)', 'over javascript is not supported'],
  ['javascript:alert(1)', 'neither a URL nor'],
  ['data:text/plain,x', 'neither a URL nor'],
  [String.raw`C:\repository`, 'neither a URL nor'],
  ['host:path', 'neither a URL nor'],
  ['user:password@host:path', 'neither a URL nor'],
  ['git@[::1]:x', 'neither a URL nor'],
  // Lines and characters that are not seen
  ['https://h/x\n--upload-pack=y', 'cannot be seen'],
  ['https://h/x\r\nAuthorization: x', 'cannot be seen'],
  ['https://h/x\0y', 'cannot be seen'],
  ['ht\ttps://h/x', 'cannot be seen'],
  ['git@h:x\ny', 'cannot be seen'],
  ['https://h/\u202Egro.live', 'cannot be seen'],
  ['https://h\u200B.example/x', 'cannot be seen'],
  ['https://h/x%0ay', 'encoded line break'],
  ['https://h/x%0d%0aHost:%20evil', 'encoded line break'],
  ['https://h/x%00', 'encoded line break'],
  ['https://u%0a:p@h/x', 'encoded line break'],
  ['ssh://git@h/x%0atouch%20y', 'encoded line break'],
  ['https://h/a b', 'a space'],
  // Paths that lead elsewhere
  ['https://h/a/../b', '. or ..'],
  ['https://h/%2e%2e/b', '. or ..'],
  ['https://h/.%2E/b', '. or ..'],
  ['ssh://git@h/a/../../b', '. or ..'],
  ['git@h:../b', '. or ..'],
  ['file:///a/../b', '. or ..'],
  [String.raw`https://h\@evil/x`, 'backslash'],
  [String.raw`https://h/a\..\b`, 'backslash'],
  ['https://h/a%5c..%5cb', 'backslash'],
  [String.raw`git@h:a\b`, 'backslash'],
  ['https://h/a%2fb', 'encoded slash'],
  ['https://h/%252e%252e/b', 'percent sign'],
  ['https://h/100%', 'percent sign'],
  // Hosts that are not what they seem
  ['https://', 'cannot be read'],
  ['https:///x', 'no host'],
  ['https://u:p@/x', 'cannot be read'],
  ['https://a@b@h/x', 'more than one @'],
  ['https://good.example@evil.example@h/x', 'more than one @'],
  ['https://g%69thub.com/x', 'host'],
  ['https://ｇithub.com/x', 'host'],
  ['https://gіthub.com/x', 'host'],
  ['https://good.example。evil.example/x', 'host'],
  ['https://2130706433/x', 'host'],
  ['https://0x7f.1/x', 'host'],
  ['https://127.1/x', 'host'],
  ['https://h..example/x', 'host'],
  ['https://h;x/y', 'host'],
  ['https://$(touch x)/y', 'a space'],
  ['https://h:99999/x', 'cannot be read'],
  ['ssh://git@h:0x16/x', 'cannot be read'],
  ['ssh://git@h;touch/x', 'host'],
  ['ssh://git:password@h/x', 'a password in an ssh:// URL'],
  ['ssh://g$it@h/x', 'user name'],
  ['file://host/x', 'no host'],
  ['file://u@localhost/x', 'no host'],
  // What Git does not know
  ['https://h/x?service=git-receive-pack', 'query'],
  ['https://h/x?token=secret', 'query'],
  ['https://h/x#main', 'fragment'],
  ['', 'empty'],
  [`https://h/${'x'.repeat(3000)}`, 'longer'],
];

test.each(refused)('%j is refused: %s', (url, message) => {
  expect(() => parseRepositoryUrl(url, access)).toThrow(expect.objectContaining({ code: 'RepositoryInvalid', message: expect.stringContaining(message) as string }) as Error);
});

test('no refusal repeats what may be a password', () => {
  const canary = 'canary4711';
  const hostile = [`https://u:${canary}@`, `https://u:${canary}@h/x?y`, `https://u:${canary}@h@g/x`, `https://u:${canary}@h/%0a`, `https://h/x?token=${canary}`, `ssh://u:${canary}@h/x`, `ftp://u:${canary}@h/x`, `u:${canary}@h:x`, `${canary}::x`, `-${canary}`, `https://u:${canary}@-h/x`, `https://u:${canary}%@h/x`];
  const stacks = hostile.map((url) => {
    try {
      return `taken: ${parseRepositoryUrl(url, access).url}`;
    } catch (error) {
      return (error as Error).stack ?? '';
    }
  });
  expect(stacks.filter((text) => text.includes(canary) || !text.startsWith('SetpointError'))).toEqual([]);
});
