import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalSource } from '../../../src/cli/local-source.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function folderOf(...files: readonly string[]): Promise<string> {
  const { path, remove } = await tempFolder();
  onTestFinished(remove);
  for (const file of files) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), 'x');
  }
  return path;
}

test('a folder is seen with the whole work tree around it, and nothing above', async () => {
  const top = await folderOf('repo/.git/config', 'repo/apps/web/a.yaml', 'repo/base/b.yaml', 'outside.yaml');
  const { tree, path, name } = await openLocalSource(join(top, 'repo/apps/web'), undefined);
  expect([path, name]).toEqual(['apps/web', 'web']);
  expect(await tree.typeOf('base/b.yaml')).toBe('file');
  await expect(tree.read('../outside.yaml')).rejects.toMatchObject({ code: 'PathInvalid' });
});

test('without a work tree the folder is all there is', async () => {
  const top = await folderOf('apps/web/a.yaml', 'apps/b.yaml');
  const { tree, path, name } = await openLocalSource(join(top, 'apps/web/'), undefined);
  expect([path, name]).toEqual(['', 'web']);
  expect((await tree.list('')).map((entry) => entry.name)).toEqual(['a.yaml']);
});

test('a root says where the source ends', async () => {
  const top = await folderOf('apps/web/a.yaml', 'base/b.yaml');
  const { tree, path } = await openLocalSource(join(top, 'apps/web'), top);
  expect(path).toBe('apps/web');
  expect(await tree.typeOf('base/b.yaml')).toBe('file');
});

test.each<[string, string, string, string]>([
  ['a folder that is not there', 'nope', '', 'PathNotFound'],
  ['a root that is not there', 'apps/web', 'nope', 'PathNotFound'],
  ['a root elsewhere', 'apps/web', 'base', 'Usage'],
  ['a root whose name is only the start', 'apps-2', 'apps', 'Usage'],
])('%s is refused', async (_name, given, root, code) => {
  const top = await folderOf('apps/web/a.yaml', 'apps-2/a.yaml', 'base/b.yaml');
  await expect(openLocalSource(join(top, given), root === '' ? undefined : join(top, root))).rejects.toMatchObject({ code });
});

test('what is neither a file nor a folder is refused', async () => {
  await expect(openLocalSource('/dev/null', undefined)).rejects.toMatchObject({ code: 'PathInvalid', message: '/dev/null is neither a file nor a folder: check -f' });
});

test('a link is where it leads', async () => {
  const top = await folderOf('repo/.git/HEAD', 'repo/web/a.yaml');
  await symlink(join(top, 'repo/web'), join(top, 'short'));
  const { path, name } = await openLocalSource(join(top, 'short'), undefined);
  expect([path, name]).toEqual(['web', 'web']);
});

test('origins are told from the folder that was named', async () => {
  const top = await folderOf('repo/.git/HEAD', 'repo/apps/web/a.yaml');
  const { withOrigins } = await openLocalSource(join(top, 'repo/apps/web'), undefined);
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } };
  const origins = ['apps/web/a.yaml#1', 'apps/web/t/b.yaml#2', 'base/c.yaml#1', 'apps/web#3', 'apps/web/odd#name.yaml#1'];
  const renamed = withOrigins({ documents: origins.map((origin) => ({ origin, object })), findings: [{ severity: 'error', origin: 'apps/web/mod', message: 'm' }] });
  expect(renamed.documents.map(({ origin }) => origin)).toEqual(['a.yaml#1', 't/b.yaml#2', '../../base/c.yaml#1', '.#3', 'odd#name.yaml#1']);
  expect(renamed.findings).toEqual([{ severity: 'error', origin: 'mod', message: 'm' }]);
});

test('origins of one file are the file as it was named, whatever is in its name', async () => {
  const top = await folderOf('web/a$&.yaml');
  const given = join(top, 'web/a$&.yaml');
  const { path, withOrigins } = await openLocalSource(given, undefined);
  expect(path).toBe('a$&.yaml');
  const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' } };
  expect(withOrigins({ documents: [{ origin: 'a$&.yaml#2', object }], findings: [] }).documents).toEqual([{ origin: `${given}#2`, object }]);
});
