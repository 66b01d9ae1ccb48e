import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('whoever looks for the code of a hold finds what to do', () => {
  const [, union = ''] = /export type HoldCode =([^;]+);/.exec(read('src/model/plan.ts')) ?? [];
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(15);
  const page = read('docs/troubleshooting.md');
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test('why each package is there is written down', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const packages = new Set(files.flatMap((file) => [...read(file).matchAll(/ from '((?:@[\w-]+\/)?[a-z][\w-]*)[\w/.-]*';/g)].flatMap(([, name]) => name ?? [])));
  expect(packages.size).toBeGreaterThan(10);
  const page = read('docs/dependencies.md');
  expect([...packages].filter((name) => name !== 'node' && !page.includes(name))).toEqual([]);
});
