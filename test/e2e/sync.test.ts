import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { readApplicationStatus } from '../../src/status/index.ts';
import { runCli } from '../support/cli.ts';
import { startableImage } from '../support/startable-image.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const healing = { syncPolicy: { automated: {} }, drift: { mode: 'Heal' } };

const web = (replicas: number): string =>
  `${JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: startableImage }] } } },
  })}\n`;

test('an application is deployed, healed, and deployed again, with its record, its marks and its health', { timeout: 180_000 }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'web.yaml': web(1) });
  const first = await at.repository.git('rev-parse', 'refs/heads/main').then((text) => text.trim());
  await at.application(healing);
  await at.start();
  await at.synced(first);
  const deployed = await at.viewWhen('the pods to be there', ({ health }) => health?.status === 'Healthy');
  expect(deployed.operation).toMatchObject({ type: 'deploy', state: 'succeeded', revision: first, done: { applied: 3, pruned: 0, held: 0, failed: 0 } });
  expect(deployed.history).toMatchObject([{ type: 'deploy', revision: first, applied: 3, failed: 0 }]);
  expect(deployed.held).toEqual([]);
  const { inventory } = readApplicationStatus('shop', deployed as unknown as JsonObject);
  const key = (kind: string, name: string): string => `${kind}/${at.namespace}/${name}`;
  expect(Object.keys(inventory).toSorted()).toEqual([key('/ConfigMap', 'a'), key('/ConfigMap', 'b'), key('apps/Deployment', 'web')]);
  expect((await at.written()).toSorted()).toEqual(['patch configmaps/a', 'patch configmaps/b', 'patch deployments/web']);
  const marked = await at.object('configmaps', 'a');
  expect(inventory).toMatchObject({ [key('/ConfigMap', 'a')]: { uid: marked?.metadata.uid, version: 'v1' }, [key('apps/Deployment', 'web')]: { version: 'v1' } });
  expect(marked?.metadata.annotations).toEqual({ 'setpoint.dev/tracking-id': `${at.namespace}/shop:/ConfigMap/${at.namespace}/a` });

  await at.edit('a', 'by hand');
  await waitFor(async () => (await at.live('a')) === 'on', { what: 'the heal', deadlineMs });
  const healed = await at.viewWhen('the heal on record', ({ operation, sync }) => operation?.type === 'heal' && operation.state === 'succeeded' && sync?.status === 'Synced');
  expect(healed.history).toMatchObject([{ type: 'heal', revision: first, applied: 1 }, { type: 'deploy' }]);
  expect((await at.written()).slice(3)).toEqual(['patch configmaps/a']);
  expect((await at.object('configmaps', 'a'))?.metadata.uid).toBe(marked?.metadata.uid);

  const second = await at.commit({ 'a.yaml': configMap('a', { value: 'new' }), 'c.yaml': configMap('c') });
  const again = await at.synced(second);
  expect(await at.live('a')).toBe('new');
  expect(await at.live('c')).toBe('on');
  expect(again.history).toMatchObject([{ type: 'deploy', revision: second, applied: 2 }, { type: 'heal' }, { type: 'deploy' }]);
  expect((await at.written()).slice(4).toSorted()).toEqual(['patch configmaps/a', 'patch configmaps/c']);
});

test('the mark that an object carries is no difference: not for the agent, nor for setpoint diff', { timeout: 120_000 }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a', { annotations: { team: 'shop' } }), 'b.yaml': configMap('b') });
  await at.application(healing);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  const files = [join(at.folder, 'a.yaml'), join(at.folder, 'b.yaml')] as const;
  await writeFile(files[0], configMap('a', { annotations: { team: 'shop' } }));
  await writeFile(files[1], configMap('b'));
  const compare = (): ReturnType<typeof runCli> => runCli(['diff', '-f', files[0], '-f', files[1], '-n', at.namespace, '--kubeconfig', cluster.kubeconfig]);
  expect(await compare()).toMatchObject({ code: 0 });

  await cluster.kubectl(['annotate', 'configmap', 'a', 'b', '-n', at.namespace, 'setpoint.dev/tracking-id-']);
  await at.look();
  await at.viewWhen('the look', ({ observedRefresh }) => observedRefresh === 'look-1');
  expect(await at.view()).toMatchObject({ sync: { status: 'Synced' }, drift: '0/2' });
  expect(await compare()).toMatchObject({ code: 0 });
});

test('what is as Git says costs no request and no dry run, look after look', { timeout: 180_000 }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'web.yaml': web(0) });
  await at.application(healing);
  const agent = await at.start('--sweep', '1s', '--log-level', 'debug');
  await at.until('shop', 'Synced', deadlineMs);
  await at.viewWhen('its health', ({ health }) => health?.status === 'Healthy');
  const looks = (): number => agent.output.stderr.split('"message":"looked"').length - 1;
  const isOfShop = ({ verb, requestURI }: { verb: string; requestURI: string }): boolean => verb !== 'watch' && !requestURI.includes('/leases/') && (requestURI.includes(at.namespace) || requestURI.includes('dryRun'));
  const askedIn = async (count: number): Promise<readonly string[]> => {
    const [from, before] = [(await at.requests()).length, looks()];
    await waitFor(() => looks() >= before + count, { what: `${count} looks`, deadlineMs });
    return (await at.requests()).slice(from).filter(isOfShop).map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  };
  await waitFor(async () => (await askedIn(2)).length === 0, { what: 'quiet', deadlineMs });
  expect(await askedIn(6)).toEqual([]);
});
