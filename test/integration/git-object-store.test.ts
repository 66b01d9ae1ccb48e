import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createObjectStore } from '../../src/git/objects/object-store.ts';
import { createRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const files = 400;

test('what is kept of many small objects holds on to little more than their content', async () => {
  await using folder = await tempFolder();
  const gitDir = join(folder.path, 'fleet.git');
  const repository = await createRepository({ name: 'fleet', url: `file://${gitDir}`, gitDir, workTree: join(folder.path, 'work') });
  await repository.commit(Object.fromEntries(Array.from({ length: files }, (_none, at) => [`app-${at}.yaml`, `name: app-${at}\n`])));
  await repository.git('repack', '-adq');
  const listing = await repository.git('ls-tree', '-r', '--format=%(objectname)', 'main');

  const store = createObjectStore([join(gitDir, 'objects')]);
  onTestFinished(() => store.close());
  const held = new Set<ArrayBufferLike>();
  for (const id of listing.trim().split('\n')) {
    const outcome = await store.read(id, 1000);
    expect(outcome).toMatchObject({ type: 'object', kind: 'blob' });
    if (outcome.type === 'object') held.add(outcome.content.buffer);
  }
  expect([...held].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(files * 100);
});
