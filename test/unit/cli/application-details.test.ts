import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { applicationDetails } from '../../../src/cli/format/application-details.ts';
import { resourceKey } from '../../../src/model/index.ts';
import { ago, changed, deployment, drifted, episode, item, now, synced } from './status-items.ts';

const colors = picocolors.createColors(false);
const details = (...parts: Parameters<typeof item>): string => applicationDetails(item(...parts), { colors, now });

test('has the verdict, the resources with fields, who and since when, open episodes and the last sync', () => {
  const secret = resourceKey({ group: '', kind: 'Secret', namespace: 'prod', name: 'keys' });
  const status = {
    ...drifted(changed(), changed({ key: secret, type: 'unknown', cause: undefined as never, by: undefined as never, fields: [], message: 'not allowed' })),
    notListed: 2,
    episodes: [episode(), episode({ id: 'drf_0', closedAt: ago(100) })],
    history: [{ id: 1, at: ago(7200), revision: '4e9c917aaaa', cause: 'git-ahead', applied: 3, held: 0, failed: 1 } as const],
  };
  expect(details(status).split('\n')).toEqual([
    'prod/checkout  OutOfSync (live-changed)  for 6m  main@4e9c917  alert  3 of 14 resources differ  checked 4s ago',
    '  source  https://git.example.com/acme/fleet  apps/checkout',
    '',
    '~ apps/Deployment prod/checkout  changed (live-changed) for 6m by kubectl-edit',
    '    spec.replicas',
    '? Secret prod/keys  unknown for 6m',
    '    not allowed',
    'and 2 more',
    '',
    '1 open episode',
    '  drf_1  live-changed for 6m  apps/Deployment prod/checkout by kubectl-edit',
    '',
    'last sync 2h ago: 3 applied, 1 failed at 4e9c917',
    '',
    'sync it: setpoint sync prod/checkout --dry-run, and then without',
    '',
  ]);
});

const operation = { id: 'op', type: 'manual', revision: '4e9c917aaaa', startedAt: ago(9), request: { id: 'r', by: 'ada' }, hooks: {}, state: 'running', message: 'apps/Deployment prod/checkout is Progressing', done: { applied: 2, pruned: 1, held: 0, failed: 0 } } as const;

test('has the sync under way, how well it is, and what is held with the words to say back', () => {
  const old = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'prod', name: 'old' });
  const text = details({
    ...{ ...synced, operation, health: { status: 'Progressing', message: '1 of 2' } },
    unhealthy: [{ key: changed().key, status: 'Progressing', message: '1 of 3 pods', since: ago(30) }],
    held: [{ key: old, code: 'PruneBudget', why: 'too many', confirm: 'prune-1' }, { key: changed().key, code: 'Contested', why: 'an HPA holds it' }],
    history: [{ id: 1, at: ago(7200), type: 'deploy', revision: '4e9c917aaaa', cause: 'git-ahead', applied: 3, pruned: 2, held: 0, failed: 0 }],
  });
  expect(text.split('\n').slice(2)).toEqual([
    '  health  Progressing: 1 of 2',
    '    apps/Deployment prod/checkout  Progressing for 30s: 1 of 3 pods',
    '  sync    manual by ada to 4e9c917, running: 2 applied, 1 pruned: apps/Deployment prod/checkout is Progressing',
    '',
    '2 held',
    '  ConfigMap prod/old  PruneBudget: too many',
    '      setpoint sync prod/checkout --prune --approve prune-1',
    '  apps/Deployment prod/checkout  Contested: an HPA holds it',
    '',
    'last sync (deploy) 2h ago: 3 applied, 2 pruned at 4e9c917',
    '',
    'end it: setpoint terminate prod/checkout',
    '',
  ]);
});

test.each([
  ['sync it: setpoint sync prod/checkout --dry-run, and then without', drifted(), {}],
  ['go on: setpoint resume prod/checkout', drifted(), { spec: { syncPolicy: { automated: {} } }, annotations: { 'setpoint.dev/pause': 'true' } }],
  ['end it: setpoint terminate prod/checkout', { ...drifted(), operation: { ...operation, state: 'failing' } }, {}],
] as const)('proposes to %s', (proposal, status, parts) => {
  expect(details(status, parts).split('\n').at(-2)).toBe(proposal);
});

test('has the reason where it is Unknown', () => {
  expect(details(synced, { beat: { type: 'absent' } }).split('\n').slice(0, 2)).toEqual([
    'prod/checkout  Unknown  main@4e9c917  alert',
    '  ✗ NotObserved: no agent has been seen; before that it was Synced',
  ]);
});

test('has the conditions that matter, the pause with its reason, and notes', () => {
  const condition = (type: string, status: 'True' | 'False', message: string) => ({ type, status, reason: 'R', message, lastTransitionTime: ago(9) }) as const;
  const text = details(
    { ...synced, generation: 1, conditions: [condition('Synced', 'True', 'no'), condition('Stalled', 'False', 'no'), condition('NotSupported', 'True', 'spec.project has no effect'), condition('SourceStale', 'True', '')] },
    { annotations: { 'setpoint.dev/pause': '2026-03-01T13:00:00Z', 'setpoint.dev/pause-reason': 'a\nfreeze' } },
  );
  expect(text.split('\n').slice(2, -1)).toEqual([
    '  paused  until 2026-03-01T13:00:00.000Z: a freeze',
    '  ! this is about an earlier version of its spec',
    '  ! NotSupported  spec.project has no effect',
    '  ! SourceStale  R',
  ]);
});

test('lets nothing steer the terminal', () => {
  const hostile = '\u001B[2J\u202E';
  const status = { ...drifted(changed({ by: hostile, message: hostile, fields: [hostile] })), episodes: [episode({ id: hostile, by: hostile })], operation: { ...operation, message: hostile, request: { id: 'r', by: hostile } }, held: [{ key: deployment, code: 'Denied', why: hostile, confirm: hostile }], health: { status: 'Degraded', message: hostile } } as const;
  expect(details(status, { annotations: { 'setpoint.dev/pause': 'true', 'setpoint.dev/pause-reason': hostile } })).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
});
