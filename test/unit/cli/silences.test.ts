import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { refuseUnknown } from '../../../src/cli/silences.ts';
import { shownSilences, silencesReport, silencesTable } from '../../../src/cli/silences-table.ts';
import type { Silence } from '../../../src/model/index.ts';
import { alert, alerted } from './alerted-items.ts';
import { ago, now } from './status-items.ts';

const colors = picocolors.createColors(false);
const silence: Silence = { id: 'sil-1', match: { kinds: ['Deployment'] }, from: ago(10), until: ago(-3600), author: 'ann', reason: 'load\ntest' };
const muted = alerted([alert(), alert({ id: 'drf_2' }), alert({ id: 'drf_3', resolvedAt: ago(1) })], { mute: { until: ago(-60), author: 'bob', reason: 'incident' } });
const free = alerted([alert()], { name: 'api' });

test('both sorts are listed, the first to end first, with what each mutes now', () => {
  const shown = shownSilences([muted, free], new Map([['setpoint', [silence, { ...silence, id: 'over', until: ago(0) }, { ...silence, id: 'later', from: ago(-60) }]]]), now);
  expect(silencesTable(shown, { colors })).toBe(
    [
      'ID             UNTIL                 MUTES  BY   WHAT             REASON',
      'mute/shop/web  2026-03-01T12:01:00Z  2      bob  app=shop/web     incident',
      'sil-1          2026-03-01T13:00:00Z  3      ann  kind=Deployment  load test',
      'later          2026-03-01T13:00:00Z  0      ann  kind=Deployment  load test',
      '',
    ].join('\n'),
  );
  expect(silencesReport(shown, 'context c')).toMatchObject({ kind: 'SilencesReport', items: [{ type: 'mute', muted: 2 }, { type: 'silence', id: 'sil-1', muted: 3, reason: 'load\ntest' }, { id: 'later', muted: 0 }] });
});

test('a silence of another agent mutes nothing here', () => {
  expect(shownSilences([free], new Map([['elsewhere', [silence]]]), now)).toMatchObject([{ muted: 0 }]);
});

test('one that is not there is refused, with those that there are', () => {
  expect(() => refuseUnknown('sil-1', [silence], now)).not.toThrow();
  expect(() => refuseUnknown('sil-2', [silence, { ...silence, id: 'over', until: ago(1) }], now)).toThrow(/^there is no silence sil-2: there are sil-1$/);
  expect(() => refuseUnknown('sil-2', [], now)).toThrow('there is no silence sil-2: there is none');
});
