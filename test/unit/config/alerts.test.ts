import { describe, expect, test } from 'vitest';
import { causeNames, stateNames } from '../../../src/config/alert-match-schema.ts';
import type { AlertedState, AlertRule, Cause, MuteWindow } from '../../../src/model/index.ts';
import { file, resolve } from './resolve.ts';

const destinations = 'destinations: [{ name: team, type: slack-webhook, urlFile: u }, { name: oncall, type: pagerduty, routingKeyFile: r }]\n';

function rulesOf(rules: string): readonly AlertRule[] {
  return resolve({ files: [file(`${destinations}alerts: { rules: [${rules}] }`)] }).config.alerting.rules;
}

const usual: AlertRule = {
  name: 'a',
  match: {},
  forMs: 300_000,
  severity: 'warning',
  groupBy: ['cluster', 'namespace', 'app'],
  groupWaitMs: 30_000,
  groupIntervalMs: 300_000,
  repeatIntervalMs: 86_400_000,
  sendResolved: true,
  sendHealed: false,
  destinations: ['team', 'oncall'],
};

test('a rule needs no more than a name, and is for all destinations', () => {
  expect(rulesOf('{ name: a }')).toEqual([usual]);
});

test.each<[string, Partial<AlertRule>]>([
  ['for: 0s', { forMs: 0 }],
  ['for: 744h', { forMs: 31 * 86_400_000 }],
  ['severity: critical', { severity: 'critical' }],
  ['groupBy: []', { groupBy: [] }],
  ['groupBy: [app]', { groupBy: ['app'] }],
  ['groupWait: 0s', { groupWaitMs: 0 }],
  ['groupInterval: 1h', { groupIntervalMs: 3_600_000 }],
  ['repeatInterval: 744h', { repeatIntervalMs: 31 * 86_400_000 }],
  ['sendResolved: false', { sendResolved: false }],
  ['sendHealed: true', { sendHealed: true }],
  ['destinations: [oncall]', { destinations: ['oncall'] }],
  ['match: { cause: [git-ahead], kinds: [Deployment, apps/*, /ConfigMap, "*"] }', { match: { cause: ['git-ahead'], kinds: ['Deployment', 'apps/*', '/ConfigMap', '*'] } }],
  ['match: { status: [Degraded, SyncFailed], applications: ["shop-*", prod/web], namespaces: [prod-?] }', { match: { status: ['Degraded', 'SyncFailed'], applications: ['shop-*', 'prod/web'], namespaces: ['prod-?'] } }],
  ['match: { labels: { example.com/tier: "3" }, fields: [spec.replicas] }', { match: { labels: { 'example.com/tier': '3' }, fields: ['spec.replicas'] } }],
])('a rule with %s', (written, expected) => {
  expect(rulesOf(`{ name: a, ${written} }`)).toEqual([{ ...usual, ...expected }]);
});

test.each<[string, Omit<MuteWindow, 'name'>]>([
  ['cron: "0 18 * * 5", duration: 60h, timezone: Europe/Berlin, match: { labels: { tier: "3" } }', { cron: '0 18 * * 5', durationMs: 216_000_000, timezone: 'Europe/Berlin', match: { labels: { tier: '3' } } }],
  ['cron: " 30 2 * * MON-FRI ", duration: 1m', { cron: '30 2 * * MON-FRI', durationMs: 60_000, timezone: 'UTC', match: {} }],
  ['cron: "0 0 29 2 *", duration: 744h, timezone: Etc/UTC', { cron: '0 0 29 2 *', durationMs: 31 * 86_400_000, timezone: 'Etc/UTC', match: {} }],
])('a mute window with %s', (written, expected) => {
  expect(resolve({ files: [file(`alerts: { muteWindows: [{ name: w, ${written} }] }`)] }).config.alerting.muteWindows).toEqual([{ name: 'w', ...expected }]);
});

test('private places are hosts, addresses and ranges', () => {
  const places = ['alertmanager.monitoring.svc', 'localhost', 'my_host', '10.0.0.7', '::1', '10.0.0.0/8', 'fd00::/8'];
  expect(resolve({ files: [file(`alerts: { allowPrivate: ${JSON.stringify(places)} }`)] }).config.alerting.allowPrivate).toEqual(places);
});

describe('a rule, a mute window or a place is refused with', () => {
  const rule = (written: string): string => `alerts:\n  rules:\n    - name: a\n      ${written}\n`;
  const window = (written: string): string => `alerts:\n  muteWindows:\n    - { name: a, ${written} }\n`;
  const time = 'such as 30s, 5m or 1h30m';
  test.each([
    ['alerts: [a]', 'config.yaml:1: alerts wants a mapping of some of rules, muteWindows, allowPrivate, got a list'],
    ['alerts: { rule: [] }', 'config.yaml:1: alerts.rule is not known: did you mean rules?'],
    ['alerts: { rules: drift }', 'alerts.rules wants a list of rules, got "drift"'],
    ['alerts: { rules: [drift] }', 'alerts.rules[0] wants a rule: a mapping with a name, got "drift"'],
    ['alerts: { rules: [{ for: 5m }] }', 'alerts.rules[0].name wants 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first, got nothing'],
    ['alerts: { rules: [{ name: a b }] }', 'alerts.rules[0].name wants 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first, got "a b"'],
    ['alerts: { rules: [{ name: constructor }] }', 'and no word of JavaScript, got "constructor"'],
    ['alerts: { rules: [{ name: a },\n { name: a }] }', 'config.yaml:2: alerts.rules[1].name wants a name that no other rule has, got "a"'],
    [rule('fro: 5m'), 'config.yaml:4: alerts.rules[0].fro is not known: did you mean for?'],
    [rule('group-by: [app]'), 'config.yaml:4: alerts.rules[0].group-by is not known: did you mean groupBy?'],
    [rule('destination: [team]'), 'alerts.rules[0].destination is not known: did you mean destinations?'],
    [rule('for: soon'), `config.yaml:4: alerts.rules[0].for wants a duration from 0s to 744h, ${time}, got "soon"`],
    [rule('for: 0'), `alerts.rules[0].for wants a duration from 0s to 744h, ${time}, got the number 0`],
    [rule('for: 31d'), 'alerts.rules[0].for wants a duration from 0s to 744h'],
    [rule('for: 745h'), 'alerts.rules[0].for wants a duration from 0s to 744h'],
    [rule('groupWait: 25h'), 'alerts.rules[0].groupWait wants a duration from 0s to 24h'],
    [rule('groupInterval: 0s'), `alerts.rules[0].groupInterval wants a duration from 1s to 744h, ${time}, got "0s"`],
    [rule('repeatInterval: 0s'), `alerts.rules[0].repeatInterval wants a duration from 1s to 744h, ${time}, got "0s"`],
    [rule('severity: loud'), 'alerts.rules[0].severity wants one of info, warning, critical, got "loud"'],
    [rule('groupBy: app'), 'alerts.rules[0].groupBy wants a list of cluster, namespace, app, got "app"'],
    [rule('groupBy: [kind]'), 'alerts.rules[0].groupBy[0] wants one of cluster, namespace, app, got "kind"'],
    [rule('sendResolved: maybe'), 'alerts.rules[0].sendResolved wants true or false, got "maybe"'],
    [rule('destinations: []'), 'alerts.rules[0].destinations wants a list of at least one destination, or no list for all of them, got an empty list'],
    [rule('match: drift'), 'alerts.rules[0].match wants a mapping of some of cause, status, applications, namespaces, kinds, labels, fields, got "drift"'],
    [rule('match: { kind: [Pod] }'), 'config.yaml:4: alerts.rules[0].match.kind is not known: did you mean kinds?'],
    [rule('match: { cause: live-changed }'), 'alerts.rules[0].match.cause wants a list of at least one cause, got "live-changed"'],
    [rule('match: { cause: [] }'), 'alerts.rules[0].match.cause wants a list of at least one cause, got an empty list'],
    [rule('match: { cause: [drift] }'), 'alerts.rules[0].match.cause[0] wants one of live-changed, git-ahead, both, got "drift"'],
    [rule('match: { status: [] }'), 'match.status wants a list of at least one status, got an empty list'],
    [rule('match: { status: [OutOfSync] }'), 'match.status[0] wants one of Unknown, Contested, SyncFailed, SyncSucceeded, Degraded, got "OutOfSync"'],
    [rule('match: { applications: [] }'), 'match.applications wants a list of at least one application, got an empty list'],
    [rule('match: { applications: [a b] }'), 'match.applications[0] wants the name of an application, with * and ? for what may vary, got "a b"'],
    [rule('match: { namespaces: [] }'), 'match.namespaces wants a list of at least one namespace, got an empty list'],
    [rule('match: { namespaces: [Prod] }'), 'match.namespaces[0] wants the name of a namespace, with * and ? for what may vary, got "Prod"'],
    [rule('match: { kinds: [] }'), 'match.kinds wants a list of at least one kind, got an empty list'],
    [rule('match: { kinds: [a/b/C] }'), 'match.kinds[0] wants a kind, such as Deployment or apps/Deployment, with * for what may vary, got "a/b/C"'],
    [rule('match: { fields: [] }'), 'match.fields wants a list of at least one field, got an empty list'],
    [rule('match: { status: [Degraded], fields: [spec.replicas] }'), 'alerts.rules[0].match wants either status or fields, got both'],
    [rule('match: { labels: {} }'), 'match.labels wants a mapping of at least one label, got an empty one'],
    [rule('match: { labels: [a] }'), 'match.labels wants a mapping of at least one label, got a list'],
    [rule('match: { labels: { tier: 3 } }'), 'match.labels.tier wants the value of a label as a text: in quotes where it looks like a number, true or false, got the number 3'],
    ['alerts: { muteWindows: [weekend] }', 'alerts.muteWindows[0] wants a mute window: a mapping with name, cron and duration, got "weekend"'],
    ['alerts: { muteWindows: [{ name: a, cron: 0 1 * * *, duration: 1h }, { name: a, cron: 0 2 * * *, duration: 1h }] }', 'alerts.muteWindows[1].name wants a name that no other mute window has, got "a"'],
    [window('cron: 0 18 * * 5, duration: 1h, timeZone: UTC'), 'alerts.muteWindows[0].timeZone is not known: did you mean timezone?'],
    [window('cron: 0 18 * * 5, duration: 1h, match: { label: { a: b } }'), 'alerts.muteWindows[0].match.label is not known: did you mean labels?'],
    [window('cron: 0 18 * * 5'), `alerts.muteWindows[0].duration wants a duration from 1m to 744h, ${time}, got nothing`],
    [window('cron: 0 18 * * 5, duration: 0s'), `alerts.muteWindows[0].duration wants a duration from 1m to 744h, ${time}, got "0s"`],
    [window('duration: 1h'), 'alerts.muteWindows[0].cron wants five fields of cron for a time that comes: minute, hour, day of the month, month, day of the week, got nothing'],
    [window('cron: 61 * * * *, duration: 1h'), 'cron wants five fields of cron for a time that comes: minute, hour, day of the month, month, day of the week, got "61 * * * *"'],
    [window('cron: 0 0 18 * * 5, duration: 1h'), 'cron wants five fields of cron'],
    [window('cron: "@daily", duration: 1h'), 'cron wants five fields of cron'],
    [window('cron: "2027-01-01T00:00:00", duration: 1h'), 'cron wants five fields of cron'],
    [window('cron: 0 0 31 2 *, duration: 1h'), 'cron wants five fields of cron for a time that comes'],
    [window('cron: 0 18 * * 5, duration: 1h, timezone: Europe/Berln'), 'alerts.muteWindows[0].timezone wants a time zone, such as Europe/Berlin, got "Europe/Berln": did you mean Europe/Berlin?'],
    [window('cron: 0 18 * * 5, duration: 1h, timezone: Mars'), 'alerts.muteWindows[0].timezone wants a time zone, such as Europe/Berlin, got "Mars"'],
    [window('cron: 0 18 * * 5, duration: 1h, timezone: "+02:00"'), 'timezone wants a time zone, such as Europe/Berlin, got "+02:00"'],
    [window('cron: 0 18 * * 5, duration: 1h, timezone: ""'), 'timezone wants a time zone, such as Europe/Berlin, got nothing'],
    ['alerts: { allowPrivate: 10.0.0.1 }', 'alerts.allowPrivate wants a list of hosts and addresses, got "10.0.0.1"'],
    ...['http://h', 'h:80', '10.0.0.0/33', '::/129', 'h/8', '10.0.0.0/8/8', '127.1', '0x7f000001', '2130706433', '*', '-h', ''].map((place) => [
      `alerts: { allowPrivate: [a, "${place}"] }`,
      `alerts.allowPrivate[1] wants a host, an address or a range such as 10.1.0.0/16, got ${place === '' ? 'nothing' : `"${place}"`}`,
    ]),
  ])('%j', (written, message) => {
    expect(() => resolve({ files: [file(`${written}\n${destinations}`)] })).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }));
  });
});

test('causes and states are those of the model', () => {
  const causes: Readonly<Record<Cause, true>> = { 'live-changed': true, 'git-ahead': true, both: true };
  const states: Readonly<Record<AlertedState, true>> = { Unknown: true, Contested: true, SyncFailed: true, SyncSucceeded: true, Degraded: true };
  expect(causeNames).toEqual(Object.keys(causes));
  expect(stateNames).toEqual(Object.keys(states));
});

test('no variable stands for them', () => {
  expect(resolve({ env: { SETPOINT_ALERTS: '{}', SETPOINT_DESTINATIONS: '[]' } }).config.alerting).toEqual(resolve().config.alerting);
});
