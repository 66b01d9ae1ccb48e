import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { checkRevision } from '../../../src/git/revision.ts';
import { seededRandom } from '../../support/seeded-random.ts';

test.each([
  ['main', ['refs/heads/main', 'refs/tags/main']],
  ['v1.2.3', ['refs/heads/v1.2.3', 'refs/tags/v1.2.3']],
  ['feature/a-b_c', ['refs/heads/feature/a-b_c', 'refs/tags/feature/a-b_c']],
  ['HEAD', ['HEAD']],
  ['refs/heads/main', ['refs/heads/main']],
  ['refs/pull/1/head', ['refs/pull/1/head']],
  ['20240101', ['refs/heads/20240101', 'refs/tags/20240101']],
  ['deadbeef', ['refs/heads/deadbeef', 'refs/tags/deadbeef']],
  ['größe', ['refs/heads/größe', 'refs/tags/größe']],
])('%s is a name', (text, names) => {
  expect(checkRevision(text)).toEqual({ type: 'reference', names });
});

test('a whole commit id is one, in capitals too', () => {
  expect(checkRevision('A1'.repeat(20))).toEqual({ type: 'commit', oid: 'a1'.repeat(20) });
});

const refused: readonly (readonly [string, string])[] = [
  ['', 'empty'],
  ['--upload-pack=touch x', 'dash'],
  ['-x', 'dash'],
  ['@{-1}', '@{'],
  ['main@{yesterday}', '@{'],
  ['@{upstream}', '@{'],
  ['main^{/x}', 'searches'],
  ['main^', 'parents'],
  ['main~1', 'parents'],
  ['^main', 'parents'],
  [':path', 'colon'],
  ['main:path', 'colon'],
  [':/text', 'colon'],
  ['+main:other', 'colon'],
  ['a..b', 'ranges'],
  ['a...b', 'ranges'],
  ['refs/../x', 'starts with a dot'],
  ['refs/heads/..', 'starts with a dot'],
  ['.hidden', 'starts with a dot'],
  ['a/.b', 'starts with a dot'],
  ['main.lock', '.lock'],
  ['a.lock/b', '.lock'],
  ['a b', 'a space'],
  ['a\nb', 'cannot be seen'],
  ['a\0b', 'cannot be seen'],
  ['a\tb', 'cannot be seen'],
  ['a\u007Fb', 'cannot be seen'],
  ['a\u202Eb', 'cannot be seen'],
  ['*', 'patterns'],
  ['v1.*', 'patterns'],
  ['a?', 'patterns'],
  ['a[b]', 'patterns'],
  [String.raw`a\b`, 'backslash'],
  ['/a', 'slash too many'],
  ['a//b', 'slash too many'],
  ['a/', 'slash too many'],
  ['a.', 'ends with a dot'],
  ['@', 'write HEAD'],
  ['a1'.repeat(32), 'SHA-256'],
  ['a1b2c3d', 'all 40 digits'],
  ['a1'.repeat(20).slice(1), 'all 40 digits'],
  ['x'.repeat(600), 'longer'],
  ['a\uD800', 'not text'],
];

test.each(refused)('%j is refused: %s', (text, message) => {
  expect(() => checkRevision(text)).toThrow(expect.objectContaining({ code: 'RevisionNotFound', message: expect.stringContaining(message) as string }) as Error);
});

test('no refusal has a line break, whatever the revision had', () => {
  const messages = refused.map(([text]) => messageOf(text));
  expect(messages.filter((message) => message === undefined || /[\p{Cc}\p{Cf}]/u.test(message))).toEqual([]);
});

test('what git check-ref-format takes as a branch is taken, and nothing else', () => {
  const random = seededRandom(5);
  const pieces = ['a', 'b1', '.', '..', '/', '@', '{', '@{', '~', '^', ':', '?', '*', '[', '\\', ' ', '-', '.lock', '\t', '\u007F', 'ü', 'HEAD', '!', '$', '"', "'"];
  const made = Array.from({ length: 250 }, () => Array.from({ length: 1 + random.below(4) }, () => pieces[random.below(pieces.length)]).join(''));
  const otherwise = [...new Set([...made, ...pieces])].filter((text) => {
    const byGit = spawnSync('git', ['check-ref-format', '--branch', text]).status === 0;
    // No branch may be called HEAD, but every server has one; @ is short for it, and a branch called so would never be meant.
    const expected = (byGit && text !== '@') || text === 'HEAD';
    return (messageOf(text) === undefined) !== expected;
  });
  expect(otherwise).toEqual([]);
});

/** Why it is refused; undefined where it is taken. */
function messageOf(text: string): string | undefined {
  try {
    checkRevision(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
