import { expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const automated = { syncPolicy: { automated: {} } };

test('what another branch says is deployed under no other name, and a branch that is pushed later is found', async () => {
  await using at = await agentScene(cluster, ['a', 'b']);
  await at.declare('a');
  await at.declare('b', automated);
  at.agent();
  await at.until('a', 'OutOfSync git-ahead');
  const of = (name: string) => ({ source: { repoURL: at.repository.url, targetRevision: 'v2', path: `apps/${name}` }, ...automated });
  await at.declare('a', of('a'));
  expect((await at.until('a', 'Unknown')).sync).toMatchObject({ code: 'RevisionNotFound' });
  expect(await at.live('a')).toBeUndefined();

  const commit = await at.repository.commit({ 'apps/a/c.yaml': manifest('a', 'of v2') });
  await at.repository.git('branch', 'v2', commit);
  await waitFor(async () => (await at.live('a')) === 'of v2', { what: 'the branch to be found', deadlineMs: 40_000 });
  expect((await at.until('a', 'Synced')).sync).toMatchObject({ revision: commit, shortRevision: `v2@${commit.slice(0, 7)}`, comparedTo: { source: { repoURL: at.repository.url, targetRevision: 'v2' } } });
});

test('a file that cannot be read ends no drift of what it declares, and is no deploy once it is mended', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.repository.commit({ 'apps/a/other.yaml': manifest('other', 'on') });
  await at.declare('a', automated);
  at.agent();
  await at.until('a', 'Synced');
  await at.edit('a', 'by hand');
  const { episodes: [drift] = [] } = await at.until('a', 'OutOfSync live-changed');

  await at.repository.commit({ 'apps/a/c.yaml': `${manifest('a', 'on')}  - mode\n` });
  const blind = await at.until('a', 'Unknown', 40_000);
  expect(blind.sync).toMatchObject({ code: 'InvalidManifest' });
  expect(blind.episodes?.find(({ id }) => id === drift?.id)).not.toHaveProperty('closedAt');

  await at.repository.commit({ 'apps/a/c.yaml': manifest('a', 'on') });
  const seen = await at.until('a', 'OutOfSync live-changed', 40_000);
  expect(seen).toMatchObject({ driftedSince: drift?.openedAt });
  expect(seen.episodes?.filter(({ closedAt }) => closedAt === undefined)).toMatchObject([{ id: drift?.id, cause: 'live-changed' }]);
  expect(await at.live('a')).toBe('by hand');
});
