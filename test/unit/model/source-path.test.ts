import { expect, test } from 'vitest';
import { checkSourcePath } from '../../../src/model/source-path.ts';

test.each([
  ['', ''],
  ['.', ''],
  ['./', ''],
  ['apps/web', 'apps/web'],
  ['./apps/web/', 'apps/web'],
  ['apps//web', 'apps/web'],
  ['apps/./web', 'apps/web'],
  ['a b/ü.yaml', 'a b/ü.yaml'],
  ['.github/x', '.github/x'],
  ['.gitignore', '.gitignore'],
  ['a/..b', 'a/..b'],
  ['a/b..', 'a/b..'],
  ['100%/x', '100%/x'],
  ['$(touch x)', '$(touch x)'],
  ['~/x', '~/x'],
])('%j is %j', (text, path) => {
  expect(checkSourcePath(text)).toBe(path);
});

test.each([
  ['..', 'upwards'],
  ['../x', 'upwards'],
  ['a/../../b', 'upwards'],
  ['a/../b', 'upwards'],
  ['a/..', 'upwards'],
  ['./..', 'upwards'],
  ['/', 'absolute'],
  ['/etc', 'absolute'],
  ['//host/share', 'absolute'],
  ['a\0b', 'cannot be seen'],
  ['a\nb', 'cannot be seen'],
  ['a\u200Fb', 'cannot be seen'],
  [String.raw`a\b`, 'backslash'],
  [String.raw`..\..\x`, 'backslash'],
  [String.raw`\\host\share`, 'backslash'],
  ['C:/x', 'drive'],
  ['file:///etc/passwd', 'URL'],
  ['https://h/x', 'URL'],
  ['--post-renderer=x', 'dash'],
  ['-f', 'dash'],
  ['%2e%2e/x', 'encoded'],
  ['..%2fx', 'encoded'],
  ['%2fetc', 'encoded'],
  ['a%00b', 'encoded'],
  ['%252e%252e/x', 'encoded'],
  ['a%5c..', 'encoded'],
  ['.git/config', "Git's own folder"],
  ['a/.git', "Git's own folder"],
  ['.GIT/config', "Git's own folder"],
  ['.git./config', "Git's own folder"],
  ['.git /config', "Git's own folder"],
  ['git~1/config', "Git's own folder"],
  ['.git::$INDEX_ALLOCATION/config', "Git's own folder"],
  ['x'.repeat(5000), 'longer'],
  ['a\uDC00', 'not text'],
])('%j is refused: %s', (text, message) => {
  expect(() => checkSourcePath(text)).toThrow(expect.objectContaining({ code: 'PathInvalid', message: expect.stringContaining(message) as string }) as Error);
});
