import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root });

test('there are documents to check', () => {
  expect(documents).toContain('README.md');
});

test.each(documents)('the relative links of %s lead somewhere', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, document, '..', link)))).toEqual([]);
});
