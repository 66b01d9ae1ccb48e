import { describe, expect, test } from 'vitest';
import { parseRepositoryUrl } from '../../../src/git/index.ts';

describe('credentials', () => {
  test('are taken out of the URL', () => {
    expect(parseRepositoryUrl('https://me:p%40ss@git.example.com/fleet', undefined)).toEqual({
      type: 'http',
      url: 'https://git.example.com/fleet',
      credentials: { username: 'me', password: 'p@ss' },
    });
  });

  test('from the environment win', () => {
    const credentials = { username: 'u', password: 'p' };
    expect(parseRepositoryUrl('https://me:x@git.example.com/fleet', credentials)).toMatchObject({ credentials });
  });
});

test.each([
  ['git@github.com:acme/fleet.git', 'over SSH is not supported yet'],
  ['ssh://git@github.com/acme/fleet', 'over SSH is not supported yet'],
  ['git://github.com/acme/fleet', 'over git is not supported'],
  ['https://', 'cannot be read'],
  ['./no-such-folder', 'no Git repository at'],
  ['file:///no/such/folder', 'no Git repository at'],
])('%s is refused: %s', (url, message) => {
  expect(() => parseRepositoryUrl(url, undefined)).toThrow(message);
});
