import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { replayWishes } from '../../../src/cli/alerts-dead-letters.ts';
import { choiceOf, type AlertsChoice } from '../../../src/cli/alerts-list.ts';
import { shownAlerts } from '../../../src/cli/alerts-muted.ts';
import type { AlertedItem } from '../../../src/cli/alerts-source.ts';
import { alertsReport, alertsTable } from '../../../src/cli/alerts-table.ts';
import { destinationOf, destinationsTable, testNotification } from '../../../src/cli/alerts-test.ts';
import type { DestinationConfig, Silence } from '../../../src/model/index.ts';
import { alert, alerted, dead, told, waiting } from './alerted-items.ts';
import { ago, now } from './status-items.ts';

const colors = picocolors.createColors(false);
const silence: Silence = { id: 'sil-1', match: { namespaces: ['prod'] }, from: ago(10), until: ago(-3600), author: 'ann', reason: 'test' };
const mute = { until: ago(-1800), author: 'bob', reason: 'incident' };
const table = (item: AlertedItem, silences: readonly Silence[] = [], wide = false): string =>
  alertsTable(shownAlerts([item], new Map([['setpoint', silences]]), now), { colors, now, wide, headers: false });

describe('the table', () => {
  test.each<[string, AlertedItem, readonly Silence[], string]>([
    ['what fires and was told', alerted([alert({ deliveries: { team: told } })]), [], 'shop/web  drift  warning  firing  6m  team: told at 2026-03-01T11:59:10Z\n'],
    ['what nobody was told yet', alerted([alert({ severity: 'critical' })]), [], 'shop/web  drift  critical  firing  6m  -\n'],
    ['a try to come', alerted([alert({ deliveries: { team: waiting } })]), [], 'shop/web  drift  warning  firing  6m  team: waiting for try 2 at 2026-03-01T12:00:30Z (it answered 503)\n'],
    ['a dead letter', alerted([alert({ deliveries: { team: told, oncall: dead } })]), [], 'shop/web  drift  warning  firing  6m  oncall: dead evt_3: it answered 404; team: told at 2026-03-01T11:59:10Z\n'],
    ['what is over', alerted([alert({ resolvedAt: ago(30) })]), [silence], 'shop/web  drift  warning  resolved at 2026-03-01T11:59:30Z  6m  -\n'],
    ['what is silenced', alerted([alert()]), [silence], 'shop/web  drift  warning  muted until 2026-03-01T13:00:00Z by ann  6m  -\n'],
    ['a muted application', alerted([alert()], { mute }), [], 'shop/web  drift  warning  muted until 2026-03-01T12:30:00Z by bob  6m  -\n'],
    ['a mute that is over', alerted([alert()], { mute: { ...mute, until: ago(1) } }), [], 'shop/web  drift  warning  firing  6m  -\n'],
    ['a silence of something else', alerted([alert()]), [{ ...silence, match: { kinds: ['ConfigMap'] } }], 'shop/web  drift  warning  firing  6m  -\n'],
    ['a silence of another rule', alerted([alert()]), [{ ...silence, match: { rules: ['blind'] } }], 'shop/web  drift  warning  firing  6m  -\n'],
  ])('tells of %s', (_name, item, silences, line) => {
    expect(table(item, silences)).toBe(line);
  });

  test('is about the silences of the own agent only, and a mute is of no other application of that name', () => {
    const elsewhere = { ...alerted([alert()]), keeper: 'other' };
    expect(table(elsewhere, [silence])).toContain('firing');
    const namesake = alerted([alert()], { id: 'team/web', namespace: 'team' });
    const shown = shownAlerts([alerted([alert()], { mute }), namesake], new Map(), now);
    expect(shown.map((one) => one.mute?.until)).toEqual([mute.until, undefined]);
  });

  test('has more in it where it is wide, and nothing that steers a terminal', () => {
    const hostile = '\u001b[31m\nx';
    const item = alerted([alert({ rule: hostile, about: 'Unknown', deliveries: { [hostile]: { ...dead, dead: { notification: hostile, transition: 1, at: ago(1), error: hostile } } } })], { mute: { ...mute, author: hostile } });
    const text = table(item, [], true);
    expect(text).toContain('drf_1  Unknown  1');
    expect(text.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  test('is a document for scripts', () => {
    const shown = shownAlerts([alerted([alert({ deliveries: { team: dead } })], { mute })], new Map(), now);
    expect(alertsReport(shown, 'context c')).toMatchObject({
      ...{ apiVersion: 'setpoint.dev/v1', kind: 'AlertsReport', place: 'context c' },
      items: [{ application: 'shop/web', state: 'muted', id: 'drf_1', mute: { type: 'silence', author: 'bob' }, deliveries: { team: { dead: { notification: 'evt_3' } } } }],
    });
  });
});

test.each<[AlertsChoice, string]>([
  [{}, 'firing waiting dead'],
  [{ firing: true }, 'firing'],
  [{ dead: true }, 'dead'],
  [{ all: true }, 'firing over waiting dead'],
])('%j chooses %s', (choice, ids) => {
  const resolvedAt = ago(5);
  const alerts = [alert({ id: 'firing' }), alert({ id: 'over', resolvedAt, deliveries: { a: told } }), alert({ id: 'waiting', resolvedAt, deliveries: { a: waiting } }), alert({ id: 'dead', resolvedAt, deliveries: { a: dead } })];
  expect(alerts.filter(choiceOf(choice)).map(({ id }) => id).join(' ')).toBe(ids);
});

describe('sending again', () => {
  const at = now.toISOString();
  const other = { ...dead, dead: { notification: 'evt_4', transition: 2, at: ago(10), error: 'x' } };

  test('is asked of every application that the notification tells of', () => {
    const items = [alerted([alert({ deliveries: { team: dead } })]), alerted([alert({ id: 'drf_2', deliveries: { team: dead, oncall: other } })], { name: 'api' }), alerted([alert()], { name: 'db' })];
    expect(replayWishes(items, 'evt_3', now)).toEqual([
      { application: 'shop/web', text: `evt_3@${at}`, letters: [{ notification: 'evt_3', destination: 'team' }] },
      { application: 'shop/api', text: `evt_3@${at}`, letters: [{ notification: 'evt_3', destination: 'team' }] },
    ]);
    expect(replayWishes(items, 'drf_2', now)).toMatchObject([{ application: 'shop/api', text: `evt_3@${at},evt_4@${at}` }]);
  });

  test.each<[string, string, string | undefined, string]>([
    ['nobody has looked at it', `evt_4@${ago(5)}`, undefined, `evt_4@${ago(5)},evt_3@${at}`],
    ['it was answered', `evt_4@${ago(5)}`, `evt_4@${ago(5)}`, `evt_3@${at}`],
    ['it died again since', `evt_4@${ago(20)}`, undefined, `evt_3@${at}`],
    ['it is no dead letter any more', `evt_9@${ago(5)}`, undefined, `evt_3@${at}`],
  ])('with an earlier wish, where %s', (_name, before, answeredReplay, text) => {
    const item = alerted([alert({ deliveries: { team: dead, oncall: other } })], { replay: { id: before, notifications: [] }, ...(answeredReplay !== undefined && { answeredReplay }) });
    expect(replayWishes([item], 'evt_3', now)).toMatchObject([{ text }]);
  });

  test.each<[string, readonly AlertedItem[], string]>([
    ['evt_9', [alerted([alert({ deliveries: { team: dead } })])], 'there is no dead letter evt_9; there are evt_3 (shop/web to team)'],
    ['drf_1', [alerted([alert({ deliveries: { team: told } })])], 'drf_1 of shop/web has no dead letter (team: told at 2026-03-01T11:59:10Z); there are no dead letters here: -A looks in all namespaces'],
    ['evt_2', [alerted([alert({ deliveries: { team: waiting } })])], 'evt_2 of shop/web is no dead letter, but on its way (team: waiting for try 2'],
    ['', [], 'there is no dead letter without a name'],
    ['x', Array.from({ length: 12 }, (_none, number) => alerted([alert({ deliveries: { team: dead } })], { name: `a${number}` })), ' and 2 more'],
  ])('of %j is refused where it is not dead', (id, items, message) => {
    expect(() => replayWishes(items, id, now)).toThrow(message);
  });
});

describe('destinations', () => {
  const destinations: readonly DestinationConfig[] = [{ name: 'team', type: 'webhook', url: 'https://hooks.example.com/canary-in-the-path' }, { name: 'oncall', type: 'pagerduty', routingKeyFile: '/secrets/key' }];

  test('are listed by name, without where they are', () => {
    const rule = { name: 'drift', match: {}, forMs: 0, severity: 'warning', groupBy: [], groupWaitMs: 0, groupIntervalMs: 0, repeatIntervalMs: 0, sendResolved: true, sendHealed: false, destinations: ['team'] } as const;
    expect(destinationsTable({ destinations, rules: [rule] })).toBe('NAME    TYPE       RULES\nteam    webhook    drift\noncall  pagerduty  -\n');
    expect(destinationsTable({ destinations: [], rules: [] })).toContain('no destinations are configured');
  });

  test('are found by name, and one that is not there is told with the one that was meant', () => {
    expect(destinationOf({ destinations }, 'team')).toBe(destinations[0]);
    expect(() => destinationOf({ destinations }, 'taem')).toThrow('there is no destination taem: did you mean team?');
    expect(() => destinationOf({ destinations }, 'something-else')).toThrow('there are team, oncall');
    expect(() => destinationOf({ destinations: [] }, 'team')).toThrow('the configuration has none');
  });

  test('get a test that is another one each time', () => {
    expect(testNotification(now, '1')).toMatchObject({ type: 'test', at: now.toISOString(), subjects: [{ resources: [] }] });
    expect(testNotification(now, '1').id).not.toBe(testNotification(now, '2').id);
  });
});
