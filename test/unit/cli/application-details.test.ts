import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { applicationDetails } from '../../../src/cli/format/application-details.ts';
import { resourceKey } from '../../../src/model/index.ts';
import { ago, changed, drifted, episode, item, now, synced } from './status-items.ts';

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
  ]);
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
  const status = { ...drifted(changed({ by: hostile, message: hostile, fields: [hostile] })), episodes: [episode({ id: hostile, by: hostile })] };
  expect(details(status, { annotations: { 'setpoint.dev/pause': 'true', 'setpoint.dev/pause-reason': hostile } })).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
});
