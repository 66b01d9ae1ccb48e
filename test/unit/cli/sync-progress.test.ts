import { expect, test } from 'vitest';
import { createSyncProgress } from '../../../src/cli/sync-progress.ts';
import type { AppStatus, Operation } from '../../../src/model/index.ts';
import { ago, changed, deployment, item, now, synced } from './status-items.ts';

const operation: Operation = { id: 'op', type: 'manual', revision: null, startedAt: ago(9), hooks: { 'PreSync batch/Job/prod/migrate': 'running' }, state: 'running' };
const rounds: readonly Partial<AppStatus>[] = [
  { ...synced, operation, resources: [changed({ type: 'missing' })], held: [{ key: deployment.replace('checkout', 'other') as typeof deployment, code: 'Contested', why: 'an HPA' }] },
  { ...synced, operation: { ...operation, hooks: { 'PreSync batch/Job/prod/migrate': 'succeeded' } }, unhealthy: [{ key: deployment, status: 'Progressing', message: '1 of 3', since: ago(1) }] },
  { ...synced, operation: { ...operation, state: 'succeeded', hooks: { 'PreSync batch/Job/prod/migrate': 'succeeded' }, done: { applied: 1, pruned: 0, held: 0, failed: 0 } } },
];

function shown(isTTY: boolean, statuses: readonly Partial<AppStatus>[], rows = 40): readonly string[] {
  const texts: string[] = [];
  const stream = { isTTY, columns: 80, rows, write: (text: string): boolean => texts.push(text) > 0 };
  const progress = createSyncProgress({ stream, now: () => now });
  for (const status of statuses) progress.show(item(status));
  return texts;
}

test('elsewhere than on a terminal each change is a line, and what has not changed none', () => {
  expect(shown(false, [rounds[0] ?? {}, ...rounds]).map((line) => line.slice(10))).toEqual([
    'prod/checkout  manual, running: nothing to change\n',
    'PreSync  batch/Job prod/migrate  hook  running\n',
    'Sync  apps/Deployment prod/checkout  create  due\n',
    'Sync  apps/Deployment prod/other  hold  Contested: an HPA\n',
    'Sync  apps/Deployment prod/other  hold  no longer held\n',
    'PreSync  batch/Job prod/migrate  hook  succeeded\n',
    'Sync  apps/Deployment prod/checkout  wait  Progressing: 1 of 3\n',
    'prod/checkout  manual, succeeded: 1 applied\n',
    'Sync  apps/Deployment prod/checkout  wait  healthy\n',
  ]);
});

test('on a terminal a table is written over itself, and no line is longer than it', () => {
  const [first = '', second = ''] = shown(true, rounds);
  expect(first.split('\n')[1]).toMatch(/^PHASE +RESOURCE +WHAT +STATE$/);
  expect(first.split('\n')).toHaveLength(6);
  expect(second.startsWith('\u001B[5A\u001B[J')).toBe(true);
  expect(Math.max(...first.split('\n').map((line) => line.length))).toBeLessThan(80);
});

test('on a low terminal the rest is counted', () => {
  const many = Array.from({ length: 9 }, (_none, at) => changed({ key: deployment.replace('checkout', `c${at}`) as typeof deployment }));
  expect(shown(true, [{ ...synced, resources: many }], 7)[0]).toMatch(/\nand 5 more\n$/);
});
