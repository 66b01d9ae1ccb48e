import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'charts/**/*.md'], { cwd: root });

/** What is shown as code is no link, and no heading. */
function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8').replaceAll(/^```.*?^```/gms, '');
}

/** The anchors that GitHub gives to headings: the second of the same name gets a number. */
function anchorsOf(document: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of textOf(document).matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    const numbers = [anchor, ...Array.from({ length: anchors.size }, (_, index) => `${anchor}-${index + 1}`)];
    anchors.add(numbers.find((name) => !anchors.has(name)) ?? anchor);
  }
  return anchors;
}

interface Link {
  readonly link: string;
  /** From the root of the repository. */
  readonly target: string;
  readonly anchor: string | undefined;
}

function linksOf(document: string): readonly Link[] {
  const written = textOf(document).replaceAll(/`[^`\n]*`/g, '');
  return [...written.matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(([link, path = '', anchor]) => {
    const target = path === '' ? document : relative(root, join(root, document, '..', path));
    return { link, target, anchor };
  });
}

test('there are documents with links and anchors to check', () => {
  expect(documents).toContain('README.md');
  const links = documents.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(5);
});

test.each(documents)('the relative links of %s lead somewhere', (document) => {
  expect(linksOf(document).filter(({ target }) => !existsSync(join(root, target)) || target.startsWith('..'))).toEqual([]);
});

test.each(documents)('the anchors that %s names are headings', (document) => {
  const anchored = linksOf(document).filter(({ target, anchor }) => anchor !== undefined && target.endsWith('.md') && existsSync(join(root, target)));
  expect(anchored.filter(({ target, anchor = '' }) => !anchorsOf(target).has(anchor))).toEqual([]);
});
