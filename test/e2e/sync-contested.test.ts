import { describe, expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const healing = { syncPolicy: { automated: {} }, drift: { mode: 'Heal' } };
const timeout = 180_000;

const web = (more: object = {}): string =>
  `${JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] } }, ...more },
  })}\n`;

describe('somebody else writes', () => {
  test('an autoscaler has replicas: there is no fight, and it is named once', { timeout }, async () => {
    await using at = await syncScene(cluster, { 'web.yaml': web(), 'a.yaml': configMap('a') });
    await at.application(healing);
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    for (const replicas of [2, 3]) {
      const path = `/apis/apps/v1/namespaces/${at.namespace}/deployments/web/scale`;
      await writeAs(cluster, 'kube-controller-manager', { path, patch: { spec: { replicas } } });
      await at.look();
      await at.viewWhen('a look', ({ observedRefresh }) => observedRefresh === `look-${replicas - 1}`);
    }
    const { history = [] } = await at.view();
    expect(history).toHaveLength(1);
    expect((await at.object('deployments', 'web'))?.spec?.replicas).toBe(3);
    expect(await at.written()).toEqual(['patch configmaps/a', 'patch deployments/web']);
    const { held = [], sync } = await at.view();
    expect([sync?.status, ...held.map(({ name, code }) => `${name} ${code}`)]).toEqual(['OutOfSync', 'web Contested']);
    expect(held[0]?.why).toContain('kube-controller-manager');
  });

  test('two that flip one field: after three corrections it is left, and both are named', { timeout }, async () => {
    await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
    await at.application(healing);
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    for (let flip = 1; flip <= 3; flip += 1) {
      await at.edit('a', `flip-${flip}`);
      await waitFor(async () => (await at.live('a')) === 'on', { what: `correction ${flip}`, deadlineMs });
      await at.viewWhen('the correction on record', ({ history = [], sync }) => history.filter(({ type }) => type === 'heal').length === flip && sync?.status === 'Synced');
    }
    await at.edit('a', 'flip-4');
    const hold = await at.heldFor('Fighting');
    expect(hold).toMatchObject({ kind: 'ConfigMap', name: 'a' });
    await at.edit('a', 'flip-5');
    await at.edit('b', 'by hand');
    await waitFor(async () => (await at.live('b')) === 'on', { what: 'the heal of the other', deadlineMs });
    expect(await at.live('a')).toBe('flip-5');
    expect((await at.written()).filter((line) => line.endsWith('/a'))).toHaveLength(4);
    expect(hold.why).toMatch(/kubectl-edit/);
    expect(hold.why).toMatch(/setpoint/);
  });

  test('one that flips a field back at once, each time: after three corrections it is left', { timeout }, async () => {
    await using at = await syncScene(cluster, { 'a.yaml': configMap('a') });
    await at.application(healing);
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    let flips = 0;
    const hold = await waitFor(
      async () => {
        if ((await at.live('a')) === 'on') await at.edit('a', `flip-${(flips += 1)}`);
        return ((await at.view()).held ?? []).find(({ code }) => code === 'Fighting');
      },
      { what: 'the breaker', deadlineMs },
    );
    expect(hold.why).toMatch(/kubectl-edit/);
    await at.look();
    await at.viewWhen('a look', ({ observedRefresh }) => observedRefresh === 'look-1');
    expect(await at.written()).toHaveLength(4);
    expect(flips).toBe(4);
  });

  test('one that flips many at once: each is left after three corrections, and the next agent knows it', { timeout }, async () => {
    const names = Array.from({ length: 12 }, (_, index) => `part-${index}`);
    await using at = await syncScene(cluster, Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name)])));
    await at.application(healing);
    const agent = await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    const isHealed = async (): Promise<boolean> => (await Promise.all(names.map((name) => at.live(name)))).every((value) => value === 'on');
    for (let flip = 1; flip <= 3; flip += 1) {
      for (const name of names) await at.edit(name, `flip-${flip}`);
      await waitFor(isHealed, { what: `correction ${flip}`, deadlineMs });
      await at.until('shop', 'Synced', deadlineMs);
    }
    await agent[Symbol.asyncDispose]();
    for (const name of names) await at.edit(name, 'flip-4');
    await at.start();
    await at.viewWhen('all of them to be left', ({ held = [] }) => held.filter(({ code }) => code === 'Fighting').length === names.length);
    expect(new Set(await Promise.all(names.map((name) => at.live(name))))).toEqual(new Set(['flip-4']));
  });

  test('three fields of one object, each changed once, are no fight', { timeout }, async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { mode: 'on', x: '1', y: '1', z: '1' } };
    await using at = await syncScene(cluster, { 'a.yaml': JSON.stringify(object) });
    await at.application(healing);
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    for (const field of ['x', 'y', 'z', 'mode']) {
      await writeAs(cluster, 'kubectl-edit', { path: `/api/v1/namespaces/${at.namespace}/configmaps/a`, patch: { data: { [field]: 'by hand' } } });
      await waitFor(async () => (await at.object('configmaps', 'a'))?.data?.[field] === object.data[field as 'x'], { what: `${field} to be put back`, deadlineMs });
    }
    expect((await at.written()).filter((line) => line === 'patch configmaps/a')).toHaveLength(5);
  });
});
