import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const check = join(import.meta.dirname, '..', 'support', 'check-imports.ts');

async function checkHouse(files: Readonly<Record<string, string>>): Promise<{ code: number | null; said: string }> {
  await using folder = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await writeFile(join(folder.path, path), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [check, folder.path], { encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

const house = {
  'src/model/index.ts': 'export const word = 1;\n',
  'src/diff/index.ts': "import { word } from '../model/index.ts';\nexport const diff = word;\n",
  'src/git/index.ts': "import { word } from '../model/index.ts';\nexport const git = word;\n",
  'src/cluster/index.ts': 'export const cluster = 1;\n',
};

test('a house in order passes, and says how many modules it saw', async () => {
  expect(await checkHouse(house)).toEqual({ code: 0, said: expect.stringMatching(/^imports: 4 modules of src hold \d+ rules\n$/) as string });
});

test.each([
  ['the model imports from the core', { 'src/model/index.ts': "export { diff } from '../diff/index.ts';\n", 'src/diff/index.ts': 'export const diff = 1;\n' }, 'model-imports-only-itself'],
  ['the core imports an adapter', { 'src/diff/index.ts': "export { git } from '../git/index.ts';\n" }, 'diff-imports-only-model'],
  ['adapters import each other', { 'src/cluster/index.ts': "export { git } from '../git/index.ts';\n" }, 'cluster-imports-only-model-telemetry'],
  ['a folder is entered by a side door', { 'src/model/word.ts': 'export const word = 1;\n', 'src/git/index.ts': "export { word } from '../model/word.ts';\n" }, 'folders-are-entered-through-their-index'],
  ['the core reads files', { 'src/diff/index.ts': "export { readFileSync } from 'node:fs';\n" }, 'the-core-is-pure'],
  ['a type is imported where it must not be', { 'src/git/index.ts': 'export type Git = 1;\n', 'src/diff/index.ts': "import type { Git } from '../git/index.ts';\nexport type Diff = Git;\n" }, 'diff-imports-only-model'],
  ['an adapter starts a process', { 'src/cluster/index.ts': "export { spawn } from 'node:child_process';\n" }, 'subprocesses-only-in-git-and-render'],
])('it fails when %s', async (_name, change, rule) => {
  const { code, said } = await checkHouse({ ...house, ...change });
  expect(said).toContain(rule);
  expect(code).toBe(1);
});
