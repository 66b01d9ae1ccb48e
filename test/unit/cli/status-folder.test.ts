import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolderSource } from '../../../src/cli/status-folder.ts';
import type { StatusItem } from '../../../src/cli/status-item.ts';
import type { StatusSource } from '../../../src/cli/status-source.ts';
import { openStateFolder, readControls } from '../../../src/status/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { ago, drifted, now, synced } from './status-items.ts';

const signal = new AbortController().signal;

interface Scene extends AsyncDisposable {
  readonly folder: string;
  readonly source: StatusSource;
  readonly warnings: readonly string[];
}

async function scene(...ids: readonly string[]): Promise<Scene> {
  const folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  for (const id of ids) await state.update(id, (status) => ({ ...status, ...synced }));
  await state.beat({ aliveAt: ago(5), intervalMs: 60_000, applications: ids });
  const warnings: string[] = [];
  return { folder: folder.path, warnings, source: createFolderSource({ folder: folder.path, now: () => now, warn: (text) => void warnings.push(text) }), [Symbol.asyncDispose]: folder.remove };
}

const idsOf = (items: readonly StatusItem[]): readonly string[] => items.map(({ id }) => id);

describe('reading', () => {
  test.each([
    ['all', {}, ['blog', 'shop/api', 'shop/web', 'team/web']],
    ['those of a namespace', { namespace: 'shop' }, ['shop/api', 'shop/web']],
    ['all, whatever the namespace', { namespace: 'shop', allNamespaces: true }, ['blog', 'shop/api', 'shop/web', 'team/web']],
    ['one by its name', { app: 'api' }, ['shop/api']],
    ['one by its whole name', { app: 'team/web' }, ['team/web']],
    ['two that share a name', { app: 'web' }, ['shop/web', 'team/web']],
    ['one of them by its namespace', { app: 'web', namespace: 'team' }, ['team/web']],
  ])('%s', async (_name, question, ids) => {
    await using at = await scene('blog', 'shop/api', 'shop/web', 'team/web');
    expect(idsOf(await at.source.read(question, signal))).toEqual(ids);
  });

  test('a name that is a whole id means that application', async () => {
    await using at = await scene('web', 'shop/web');
    expect(idsOf(await at.source.read({ app: 'web' }, signal))).toEqual(['web']);
  });

  test('one that is not there is an error, and one of several is to be named', async () => {
    await using at = await scene('shop/web', 'team/web');
    await expect(at.source.read({ app: 'nope' }, signal)).rejects.toThrow(/there is no application nope in /);
    await expect(at.source.find({ app: 'web' }, signal)).rejects.toThrow('web may be any of shop/web, team/web: name one of them');
    expect((await at.source.find({ app: 'shop/web' }, signal)).id).toBe('shop/web');
  });

  test('labels are not kept there', async () => {
    await using at = await scene('web');
    await expect(at.source.read({ selector: 'a=b' }, signal)).rejects.toMatchObject({ code: 'Usage' });
  });

  test('a folder where no agent ever was is an error, not an empty list', async () => {
    await using folder = await tempFolder();
    const source = createFolderSource({ folder: join(folder.path, 'x'), now: () => now, warn: () => undefined });
    await expect(source.read({}, signal)).rejects.toThrow(/no agent has kept anything in .*check --state/);
  });
});

test('what is watched is told again as it changes, and a file that cannot be read for a while is said once', async () => {
  await using at = await scene('web');
  const told: (readonly StatusItem[])[] = [];
  const stop = new AbortController();
  const watching = at.source.watch({}, (items) => void told.push(items), stop.signal);
  await waitFor(() => told.length > 0, { what: 'the first telling' });
  const state = await openStateFolder(at.folder);
  await state.update('web', (status) => ({ ...status, ...drifted() }));
  await waitFor(() => told.at(-1)?.[0]?.verdict.status === 'OutOfSync', { what: 'the change' });
  await mkdir(join(at.folder, 'apps'), { recursive: true });
  await writeFile(join(at.folder, 'apps', 'bad.json'), '{');
  await waitFor(() => at.warnings.length > 0, { what: 'the warning' });
  stop.abort();
  await watching;
  expect(at.warnings).toEqual([expect.stringContaining('bad.json is not JSON')]);
});

test('a name that is not there has its neighbour named', async () => {
  await using at = await scene('shop/web', 'cart');
  await expect(at.source.read({ app: 'wbe' }, signal)).rejects.toThrow('did you mean web?');
  await expect(at.source.read({ app: 'shop/wbe' }, signal)).rejects.toThrow('did you mean shop/web?');
});

test('a sync is asked for, and ended, where the agent finds it', async () => {
  await using at = await scene('shop/web');
  await at.source.askForSync('shop/web', { id: 'r', by: 'ada', prune: true }, signal);
  await at.source.askForEnd('shop/web', 'op', signal);
  expect((await readControls(at.folder)).get('shop/web')).toEqual({ refresh: undefined, pause: undefined, sync: { id: 'r', by: 'ada', prune: true }, terminate: 'op' });
});

test('wishes are left where the agent finds them', async () => {
  await using at = await scene('shop/web');
  await at.source.askForLook('shop/web', 'now', signal);
  await at.source.setPause('shop/web', { until: '2026-03-02T00:00:00.000Z', reason: 'freeze' }, signal);
  expect((await readControls(at.folder)).get('shop/web')).toEqual({ refresh: 'now', pause: { until: '2026-03-02T00:00:00.000Z', reason: 'freeze' } });
  expect((await at.source.find({ app: 'web' }, signal)).pause).toEqual({ until: '2026-03-02T00:00:00.000Z', reason: 'freeze' });
  await at.source.setPause('shop/web', undefined, signal);
  expect((await readControls(at.folder)).get('shop/web')).toEqual({ refresh: 'now', pause: undefined });
});
