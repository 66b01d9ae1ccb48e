import { expect, test } from 'vitest';
import { hintConcerns, type Hint } from '../../../src/server/index.ts';

const repository = 'git@github.com:Acme/Fleet.git';
const hint = (references: Hint['references']): Hint => ({ receiver: 'fleet', repositories: ['git.example.com/acme/fleet', 'github.com/acme/fleet'], references });

test.each<[Hint['references'], string, boolean]>([
  [['refs/heads/main'], 'main', true],
  [['refs/heads/main'], 'refs/heads/main', true],
  [['refs/heads/main'], 'refs/tags/main', false],
  [['refs/tags/main'], 'main', true],
  [['refs/heads/main'], 'live', false],
  [['refs/heads/live', 'refs/heads/main'], 'main', true],
  [['refs/heads/feature/main'], 'main', false],
  [['refs/heads/main'], 'HEAD', true],
  [['refs/tags/v1'], 'HEAD', false],
  [['refs/heads/main'], 'b7d2e9f04c6a81533e9d0f2a7c4b6e8d1a5f3c97', false],
  ['any', 'main', true],
  ['any', 'HEAD', true],
])('that %j moved concerns who follows %s: %s', (references, revision, concerned) => {
  expect(hintConcerns(hint(references), { repository, revision })).toBe(concerned);
});

test.each(['https://github.com/acme/other', 'https://github.com/acme', 'https://.*/.*', '', '/github.com/acme/fleet'])('it does not concern who follows %s', (other) => {
  expect(hintConcerns(hint('any'), { repository: other, revision: 'main' })).toBe(false);
});
