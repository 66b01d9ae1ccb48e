import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStateFolder, readStateFolder } from '../../../src/status/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('what was written is there after a restart', async () => {
  await using folder = await tempFolder();
  const first = await openStateFolder(folder.path);
  await first.update('web', (status) => ({ ...status, declared: 3 }));
  const second = await openStateFolder(folder.path);
  expect(await second.read('web')).toMatchObject({ name: 'web', declared: 3 });
  expect(second.salt).toBe(first.salt);
});

test('changes of one application follow one another, none is lost', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  await Promise.all(Array.from({ length: 20 }, () => state.update('web', (status) => ({ ...status, declared: status.declared + 1 }))));
  expect((await state.read('web')).declared).toBe(20);
});

test('a change that throws changes nothing and blocks nothing', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  const failing = state.update('web', () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await state.update('web', (status) => ({ ...status, declared: 1 }));
  expect((await state.read('web')).declared).toBe(1);
});

test.each([['{', 'is not JSON'], ['{}', 'not a status of format 2'], ['[]', 'not a status of format 2']])('a file that holds %j is named, not overwritten', async (text, message) => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  const file = join(folder.path, 'apps', 'web.json');
  await writeFile(file, text);
  await expect(state.update('web', (status) => ({ ...status, declared: 1 }))).rejects.toThrow(message);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('only its owner may read it, and no half file stays behind', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  await state.update('web', (status) => ({ ...status, declared: 1 }));
  expect(await readdir(join(folder.path, 'apps'))).toEqual(['web.json']);
  expect((await stat(join(folder.path, 'apps', 'web.json'))).mode & 0o077).toBe(0);
});

test('a status of the format before this one is understood, but for its episodes, which were of the application as a whole', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  const old = { formatVersion: 1, name: 'web', declared: 3, episodes: [{ id: 'e1', openedAt: 't', closedAt: null, cause: 'both', fingerprint: 'f', transitions: 1 }] };
  await writeFile(join(folder.path, 'apps', 'web.json'), JSON.stringify(old));
  expect(await state.read('web')).toMatchObject({ declared: 3, episodes: [], alerts: [], history: [] });
});

test('a look that found nothing new writes nothing', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  await state.update('web', (status) => ({ ...status, declared: 3, checkedAt: 't1' }));
  const file = join(folder.path, 'apps', 'web.json');
  const before = await readFile(file, 'utf8');
  expect(await state.update('web', (status) => ({ ...status, checkedAt: 't2' }))).toMatchObject({ checkedAt: 't2' });
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('others read what is recorded, and when the agent was last alive', async () => {
  await using folder = await tempFolder();
  expect(await readStateFolder(folder.path)).toBeUndefined();
  const state = await openStateFolder(folder.path);
  await state.update('ns/web', (status) => ({ ...status, declared: 3 }));
  await state.beat({ aliveAt: '2026-01-01T00:00:00Z', intervalMs: 60_000, applications: ['ns/web'] });
  expect(await readStateFolder(folder.path)).toMatchObject({ heartbeat: { aliveAt: '2026-01-01T00:00:00Z', intervalMs: 60_000 }, statuses: [{ name: 'ns/web', declared: 3 }] });
});
