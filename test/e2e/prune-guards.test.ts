import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const pruning = { syncPolicy: { automated: { prune: true } } };
const timeout = 180_000;

test('with pruning off nothing is deleted; asked for once, or switched on, it is', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'c.yaml': configMap('c') });
  await at.application({ syncPolicy: { automated: {} } });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  await at.synced(await at.commit({ 'b.yaml': null, 'c.yaml': null }));
  const { confirm } = await at.heldFor('PruneDisabled');
  expect(confirm).toBeUndefined();
  await at.ask();
  expect(await at.deleted()).toEqual([]);
  expect(await at.live('b')).toBe('on');

  const asked = await at.ask({ prune: true, resources: [`/ConfigMap/${at.namespace}/b`] });
  expect(asked.operation).toMatchObject({ type: 'manual', state: 'succeeded', done: { applied: 0, pruned: 1 } });
  expect(await at.deleted()).toEqual(['delete configmaps/b']);
  await at.gone('b');

  await at.application(pruning);
  await at.gone('c');
  const { history = [] } = await at.viewWhen('the prune on record', ({ history: [entry] = [] }) => entry?.pruned === 1 && entry.type === 'deploy');
  expect(history[0]).toMatchObject({ applied: 0, pruned: 1, failed: 0 });
  expect(await at.deleted()).toEqual(['delete configmaps/b', 'delete configmaps/c']);
});

test('what Git no longer has goes when a second look at the commit finds it missing too', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
  await at.application(pruning);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  // Found by the next poll: nobody asks for a second look.
  const [before] = await Promise.all([at.heldFor('NotSettled').then(() => at.deleted()), at.repository.commit({ 'apps/shop/b.yaml': null })]);
  expect(before).toEqual([]);
  await at.gone('b');
  expect(await at.deleted()).toEqual(['delete configmaps/b']);
  const done = await at.viewWhen('nothing to be held', ({ held = [], operation }) => held.length === 0 && operation?.state === 'succeeded');
  expect(done.operation).toMatchObject({ type: 'deploy', done: { applied: 0, pruned: 1 } });
  expect(await at.live('a')).toBe('on');
});

test('a source that is empty, gone or half readable deletes nothing; when it is whole again, what it lacks goes', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'c.yaml': configMap('c') });
  await at.application(pruning);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);

  const none = { 'a.yaml': null, 'b.yaml': null, 'c.yaml': null };
  const empty = await at.commit({ ...none, 'none.yaml': '# nothing here\n' });
  await at.viewWhen('nothing to be found', ({ sync }) => sync?.revision === empty && sync.code === 'InvalidManifest');
  expect(await at.deleted()).toEqual([]);

  await at.synced(await at.commit({ 'none.yaml': configMap('hook', { annotations: { 'setpoint.dev/hook': 'PostSync' } }) }));
  await at.heldFor('EmptyRender');
  await at.ask({ prune: true });
  expect(await at.deleted()).toEqual([]);

  const gone = await at.commit({ 'none.yaml': null });
  await at.viewWhen('the path to be missed', ({ sync }) => sync?.revision === gone && sync.code === 'PathNotFound');
  await at.look();
  await at.viewWhen('another look', ({ observedRefresh }) => observedRefresh === 'look-4');
  expect(await at.deleted()).toEqual([]);

  const half = await at.commit({ 'a.yaml': configMap('a'), 'b.yaml': 'kind: [never closed\n' });
  await at.viewWhen('half of it to be read', ({ sync, held = [] }) => sync?.revision === half && held.some(({ code }) => code === 'HalfRead'));
  await at.ask({ prune: true });
  expect(await at.deleted()).toEqual([]);
  expect([await at.live('a'), await at.live('b'), await at.live('c')]).toEqual(['on', 'on', 'on']);

  await at.commit({ 'b.yaml': configMap('b') });
  await at.gone('c');
  expect(await at.deleted()).toEqual(['delete configmaps/c']);
});

test('a wrong branch that has few of the objects deletes none without the confirmation of exactly that list', { timeout }, async () => {
  const names = Array.from({ length: 9 }, (_, index) => `part-${index}`);
  await using at = await syncScene(cluster, Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name)])));
  const wrong = await at.repository.commitTo('wrong', Object.fromEntries(names.slice(3).map((name) => [`apps/shop/${name}.yaml`, null])));
  await at.application(pruning);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  await at.application({ ...pruning, source: { repoURL: at.repository.url, targetRevision: 'wrong', path: 'apps/shop' } });
  await at.synced(wrong);
  const { confirm = '', why } = await at.heldFor('PruneBudget');
  expect(why).toContain('6 objects would be deleted, and at most 5');
  await at.ask({ prune: true });
  await at.ask({ approve: ['prune-0123456789abcdef'] });
  expect(await at.deleted()).toEqual([]);

  // The list is another one: what was confirmed for the first is worth nothing.
  const wronger = await at.repository.commitTo('wrong', { 'apps/shop/part-2.yaml': null });
  await at.look();
  await at.synced(wronger);
  const { confirm: other = '' } = await at.viewWhen('the longer list', ({ held = [] }) => held.length === 7 && held.every(({ code }) => code === 'PruneBudget')).then(({ held: [hold] = [] }) => hold ?? { confirm: '' });
  expect(other).not.toBe(confirm);
  await at.ask({ approve: [confirm] });
  expect(await at.deleted()).toEqual([]);

  const done = await at.ask({ approve: [other] });
  expect(done.operation).toMatchObject({ state: 'succeeded', done: { pruned: 7, failed: 0 } });
  expect((await at.deleted()).toSorted()).toEqual(names.slice(2).map((name) => `delete configmaps/${name}`));
});
