import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { printDocuments } from '../../../src/cli/print-documents.ts';
import type { SourceDocument } from '../../../src/model/index.ts';

const documents: readonly SourceDocument[] = [
  { origin: 'web/a.yaml#1', object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'shop' }, stringData: { password: 'on: yes', lines: 'a\n---\nb\n' } } },
  { origin: 'web/b.yaml#2', object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { big: 9_007_199_254_740_993n } } },
];
const findings = [{ severity: 'warning' as const, origin: 'web/c.yaml', message: 'odd' }];

function printed(format: 'yaml' | 'json' | 'name', given = documents): string {
  let text = '';
  printDocuments({ documents: given, findings }, format, (part) => void (text += part));
  return text;
}

test('YAML has the origin of each document on top, and reads back as the same objects', () => {
  const text = printed('yaml');
  expect(text.match(/^# Source: .*$/gm)).toEqual(['# Source: web/a.yaml#1', '# Source: web/b.yaml#2']);
  expect(parseAllDocuments(text, { intAsBigInt: true, version: '1.1' }).map((document) => document.toJS() as unknown)).toEqual(documents.map(({ object }) => object));
  expect(text.startsWith('---\n')).toBe(true);
  expect(text.endsWith('\n')).toBe(true);
});

test('JSON has documents with their origins, and the findings, with integers exact', () => {
  const text = printed('json');
  expect(text).toContain('9007199254740993');
  expect(JSON.parse(text)).toMatchObject({ documents: [{ origin: 'web/a.yaml#1', object: { kind: 'Secret' } }, { origin: 'web/b.yaml#2' }], findings });
});

test('names have a line each, with the origin', () => {
  expect(printed('name').split('\n')).toEqual([expect.stringMatching(/Secret.*db.*  web\/a\.yaml#1$/), expect.stringMatching(/Deployment.*web  web\/b\.yaml#2$/), '']);
});

const oddOrigin = 'a\nkind: Evil\u001b[2J.yaml#1';

test.each(['yaml', 'name'] as const)('an origin in %s cannot make a line or move the cursor', (format) => {
  const text = printed(format, documents.slice(1).map((document) => ({ ...document, origin: oddOrigin })));
  expect(text).not.toContain('\u001b');
  expect(text).not.toMatch(/^kind: Evil/m);
});

test('yaml under an odd origin is still the document', () => {
  const text = printed('yaml', documents.slice(1).map((document) => ({ ...document, origin: oddOrigin })));
  expect(parse(text, { version: '1.1' })).toMatchObject({ kind: 'Deployment' });
});

test('no documents are an empty text, and an empty list', () => {
  expect(printed('yaml', [])).toBe('');
  expect(printed('name', [])).toBe('');
  expect(JSON.parse(printed('json', []))).toEqual({ documents: [], findings });
});
