import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { happenings, historyReport, historyTable } from '../../../src/cli/format/application-history.ts';
import { ago, deployment, episode, now } from './status-items.ts';

const sync = { id: 4, at: ago(88), startedAt: ago(100), type: 'manual', pruned: 3, revision: '4e9c917aaaa', cause: 'git-ahead', applied: 2, held: 1, failed: 0 } as const;
const episodes = [
  episode({ id: 'open', openedAt: ago(60) }),
  episode({ id: 'tried', openedAt: ago(90), correctedAt: ago(80) }),
  episode({ id: 'rest', key: '*', openedAt: ago(700), closedAt: ago(600), fields: ['3 more resources'], by: undefined as never }),
  episode({ id: 'deploy', cause: 'git-ahead', openedAt: ago(120), closedAt: ago(99), correctedAt: ago(100), by: undefined as never, fields: ['spec.a', 'spec.b'] }),
];
const all = happenings({ episodes, history: [sync] });

test('drift, deploys and syncs come newest first, with how long each lasted and how it ended', () => {
  expect(historyTable(all, { colors: picocolors.createColors(false), now }).split('\n')).toEqual([
    'SINCE                 UNTIL                 LASTED  WHAT    CAUSE         RESOURCE                                BY            END              FIELDS',
    '2026-03-01T11:59:00Z  -                     60s     drift   live-changed  apps/Deployment prod/checkout           kubectl-edit  open             spec.replicas',
    '2026-03-01T11:58:20Z  2026-03-01T11:58:32Z  12s     sync    git-ahead     2 applied, 3 pruned, 1 held at 4e9c917  manual        sync 4',
    '2026-03-01T11:58:30Z  -                     90s     drift   live-changed  apps/Deployment prod/checkout           kubectl-edit  open after sync  spec.replicas',
    '2026-03-01T11:58:00Z  2026-03-01T11:58:21Z  21s     deploy  git-ahead     apps/Deployment prod/checkout           -             corrected        spec.a, spec.b',
    '2026-03-01T11:48:20Z  2026-03-01T11:50:00Z  100s    drift   live-changed  resources that are not listed           -             gone by itself   3 more resources',
    '',
  ]);
});

test('the document has the same in the same order', () => {
  const report = historyReport('prod/checkout', all);
  expect(report).toMatchObject({ apiVersion: 'setpoint.dev/v1', kind: 'HistoryReport', application: 'prod/checkout' });
  expect(report['items']).toMatchObject([
    { type: 'drift', id: 'open', resource: deployment, since: ago(60), until: null, by: 'kubectl-edit', correctedAt: null },
    { type: 'sync', operationType: 'manual', id: 4, startedAt: ago(100), at: ago(88), applied: 2, pruned: 3, held: 1, failed: 0 },
    { type: 'drift', id: 'tried', correctedAt: ago(80) },
    { type: 'deploy', id: 'deploy', until: ago(99), by: null, fields: ['spec.a', 'spec.b'] },
    { type: 'drift', id: 'rest', resource: '*' },
  ]);
});

test('a sync of an earlier release, of which only the end is on record, stands where it ended', () => {
  const { startedAt: _, ...ended } = sync;
  const [, line] = historyTable(happenings({ episodes: [], history: [ended] }), { colors: picocolors.createColors(false), now }).split('\n');
  expect(line).toMatch(/^2026-03-01T11:58:32Z {2}2026-03-01T11:58:32Z {2}- +sync /);
});

test('a sync stands above what it was begun for, and below what came after it', () => {
  const deploy = episode({ id: 'deploy', openedAt: '2026-03-01T11:58:20.200Z', closedAt: '2026-03-01T11:58:20.500Z', cause: 'git-ahead' });
  const drift = episode({ id: 'drift', openedAt: '2026-03-01T11:58:20.700Z' });
  const found = happenings({ episodes: [drift, deploy], history: [{ ...sync, startedAt: '2026-03-01T11:58:20.100Z', at: '2026-03-01T11:58:20.500Z' }] });
  expect(found.map(({ type }) => type)).toEqual(['drift', 'sync', 'deploy']);
});
