import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/read-application.ts';
import { renderPlain } from '../../../src/render/index.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'applications.md'), 'utf8');
const inPage = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = ''], at) => [`docs/applications.md, block ${at + 1}`, text] as const);
const inFiles = globSync('examples/applications/*.yaml', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

test('there are examples to read', () => {
  expect([...inPage, ...inFiles].length).toBeGreaterThan(4);
});

test.each([...inPage, ...inFiles])('%s is an Application that needs no warning', (name, text) => {
  const { documents, findings } = renderPlain([{ path: name, content: Buffer.from(text) }]);
  expect(findings).toEqual([]);
  expect(documents.map(({ object }) => readApplication(object))).toMatchObject([{ type: 'application', spec: { warnings: [] } }]);
});
