import { describe, expect, test } from 'vitest';
import type { Alerting } from '../../../src/config/index.ts';
import { configProblems } from '../../../src/config/config-problems.ts';
import { file, resolve } from './resolve.ts';

const two = 'destinations:\n- { name: team-slack, type: slack-webhook, urlFile: u }\n- { name: oncall, type: pagerduty, routingKeyFile: r }\n';
const url = 'http://127.0.0.1:9/c4nary?t=c4nary';

describe('destinations without rules', () => {
  test.each([['no alerts', ''], ['alerts without rules', 'alerts: { muteWindows: [] }'], ['an empty list of rules', 'alerts: { rules: [] }']])('are told of drift, blindness and fights: %s', (_name, alerts) => {
    const { config, warnings } = resolve({ files: [file(two + alerts)] });
    const all = { destinations: ['team-slack', 'oncall'] };
    expect(config.alerting.rules).toMatchObject([
      { ...all, name: 'drift', match: { cause: ['live-changed', 'both'] }, forMs: 300_000, severity: 'warning' },
      { ...all, name: 'blind', match: { status: ['Unknown'] }, forMs: 900_000, severity: 'critical' },
      { ...all, name: 'contested', match: { status: ['Contested'] }, forMs: 300_000, severity: 'critical' },
    ]);
    expect(warnings).toEqual([]);
  });

  test('show the rules that hold, as a default that is a configuration again', () => {
    const { shown, origins, config } = resolve({ files: [file(two)] });
    expect(origins.alerts).toEqual({ type: 'default' });
    expect(resolve({ files: [file(`${two}alerts: ${JSON.stringify(shown.alerts)}`)] }).config.alerting).toEqual(config.alerting);
  });
});

test.each([['nothing', ''], ['no destinations', 'destinations: []'], ['rules and nobody to tell', 'alerts: { rules: [{ name: a }] }']])('%s: nothing is told', (_name, text) => {
  expect(resolve({ files: [file(text)] }).config.alerting).toEqual<Alerting>({ rules: [], destinations: [], muteWindows: [], allowPrivate: [] });
});

test('rules in one file may name destinations in another', () => {
  const near = file('alerts: { rules: [{ name: a, destinations: [oncall] }, { name: b, destinations: [team-slack] }] }', '.setpoint.yaml');
  const { config, origins } = resolve({ files: [near, file(two)] });
  expect(config.alerting.rules.map(({ destinations }) => destinations)).toEqual([['oncall'], ['team-slack']]);
  expect(origins).toMatchObject({ alerts: { file: '.setpoint.yaml' }, destinations: { file: 'config.yaml' } });
});

describe('--notify-webhook', () => {
  test('may end with the line break of the Secret that it came from', () => {
    expect(resolve({ flags: { notifyWebhook: `${url}\n` } }).config.alerting).toEqual(resolve({ flags: { notifyWebhook: url } }).config.alerting);
  });

  test('is a destination that is told at once, at its host alone', () => {
    const { alerting } = resolve({ flags: { notifyWebhook: url } }).config;
    const own = { destinations: ['webhook'], groupWaitMs: 0, groupIntervalMs: 0, sendResolved: true };
    expect(alerting).toMatchObject({
      destinations: [{ name: 'webhook', type: 'webhook', url }],
      allowPrivate: ['127.0.0.1'],
      rules: [
        { ...own, name: 'webhook-drift', match: { cause: ['live-changed', 'git-ahead', 'both'] }, forMs: 0 },
        { ...own, name: 'webhook-blind', match: { status: ['Unknown'] }, forMs: 900_000, severity: 'critical' },
        { ...own, name: 'webhook-contested', match: { status: ['Contested'] }, forMs: 0, severity: 'critical' },
      ],
    });
  });

  test.each([
    ['https://Hooks.Example.com:8443/x', 'hooks.example.com'],
    ['http://[::1]:9/', '::1'],
  ])('%s allows %s', (notifyWebhook, host) => {
    const files = [file('alerts: { allowPrivate: [10.0.0.0/8] }')];
    expect(resolve({ flags: { notifyWebhook }, files }).config.alerting.allowPrivate).toEqual(['10.0.0.0/8', host]);
  });

  test('goes beside the destinations of a file, and rules without destinations are not for it', () => {
    const { destinations, rules } = resolve({ flags: { notifyWebhook: url }, files: [file(`${two}alerts: { rules: [{ name: mine }] }`)] }).config.alerting;
    expect(destinations.map(({ name }) => name)).toEqual(['team-slack', 'oncall', 'webhook']);
    expect(rules.map((rule) => [rule.name, ...rule.destinations])).toEqual([['mine', 'team-slack', 'oncall'], ['webhook-drift', 'webhook'], ['webhook-blind', 'webhook'], ['webhook-contested', 'webhook']]);
  });

  test('has no rules of its own where a rule names it', () => {
    const files = [file('alerts: { rules: [{ name: mine, for: 1m, destinations: [webhook] }, { name: webhook-drift, destinations: [webhook] }] }')];
    const { config, warnings } = resolve({ flags: { notifyWebhook: url }, files });
    expect(config.alerting.rules.map(({ name, forMs }) => [name, forMs])).toEqual([['mine', 60_000], ['webhook-drift', 300_000]]);
    expect(warnings).toEqual([]);
  });

  test('with a user or password is refused, and not repeated', () => {
    const act = (): unknown => resolve({ flags: { notifyWebhook: 'https://u:c4nary@h/x' } });
    expect(act).toThrow('--notify-webhook wants an http:// or https:// URL without user and password, got something else, not shown because it may be a secret');
    expect(act).not.toThrow('c4nary');
  });
});

describe('what does not go together is refused by its place', () => {
  test.each<[string, Parameters<typeof resolve>[0], string]>([
    ['a slip in the name of a destination', { files: [file(`${two}alerts:\n  rules:\n  - name: a\n    destinations: [oncall, team-slak]`)] }, 'config.yaml:7: alerts.rules[0].destinations[1] wants one of the destinations team-slack, oncall, got "team-slak": did you mean team-slack?'],
    ['a destination that is not there', { files: [file(`${two}alerts: { rules: [{ name: a, destinations: [email] }] }`)] }, 'alerts.rules[0].destinations[0] wants one of the destinations team-slack, oncall, got "email"'],
    ['a destination where there are none', { files: [file('alerts: { rules: [{ name: a, destinations: [oncall] }] }')] }, 'config.yaml:1: alerts.rules[0].destinations[0] wants the name of a destination, of which there are none, got "oncall"'],
    ['the webhook of a flag that is not given', { files: [file(`${two}alerts: { rules: [{ name: a, destinations: [webhook] }] }`)] }, 'wants one of the destinations team-slack, oncall, got "webhook"'],
    ['a destination of the name that the flag has', { flags: { notifyWebhook: url }, files: [file('destinations:\n- name: webhook\n  type: webhook\n  urlFile: u')] }, 'config.yaml:2: destinations[0].name wants a name that no other destination has, got "webhook", which is that of --notify-webhook'],
    ['a rule of a name that the flag has', { env: { SETPOINT_NOTIFY_WEBHOOK: url }, files: [file(`${two}alerts: { rules: [{ name: webhook-blind }] }`)] }, 'alerts.rules[0].name wants a name that no other rule has, got "webhook-blind", which is one of SETPOINT_NOTIFY_WEBHOOK'],
  ])('%s', (_name, said, message) => {
    expect(() => resolve(said)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }));
    expect(() => resolve(said)).not.toThrow('c4nary');
  });
});

test.each([
  ['a destination that no rule names', `${two}alerts: { rules: [{ name: a, destinations: [oncall] }] }`, ['config.yaml:2: destinations[0] has no effect: no rule names team-slack']],
  ['rules and nobody to tell', 'alerts: { rules: [{ name: a }] }', ['config.yaml:1: alerts has no effect: there are no destinations']],
  ['a rule for all', `${two}alerts: { rules: [{ name: a, destinations: [oncall] }, { name: b }] }`, []],
])('%s: %j warns %j', (_name, text, warnings) => {
  expect(resolve({ files: [file(text)] }).warnings).toEqual(warnings);
});

test.each([
  ['rules alone', 'alerts: { rules: [{ name: a, destinations: [elsewhere] }] }', []],
  ['the webhook of a flag', `${two}alerts: { rules: [{ name: a, destinations: [webhook, oncall] }] }`, []],
  ['a slip', `${two}alerts: { rules: [{ name: a, destinations: [oncal] }] }`, ['config.yaml:4: alerts.rules[0].destinations[0] wants one of the destinations team-slack, oncall, got "oncal": did you mean oncall?']],
])('a file by itself with %s', (_name, text, problems) => {
  expect(configProblems(file(text))).toEqual(problems);
});

test('it is frozen to the bottom', () => {
  const { alerting } = resolve({ flags: { notifyWebhook: url }, files: [file(two)] }).config;
  const parts = [alerting, alerting.rules[0]?.match, alerting.rules.at(-1)?.destinations, alerting.destinations[0], alerting.allowPrivate];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
  expect(parts).not.toContain(undefined);
});

test('alerts are shown as they were written, and destinations with their files and without what a webhook is opened by', () => {
  const alerts = { rules: [{ name: 'a', for: '90m', destinations: ['x', 'y', 'z'] }], allowPrivate: ['h'] };
  const text = `destinations:\n- { name: x, type: webhook, url: "https://h:1/c4nary/x", secretFile: s }\n- { name: y, type: webhook, url: "https://h/" }\n- { name: z, type: alertmanager, url: "http://am/prefix" }\nalerts: ${JSON.stringify(alerts)}`;
  const { shown } = resolve({ files: [file(text)] });
  expect(shown.alerts).toEqual(alerts);
  expect(shown.destinations).toEqual([
    { name: 'x', type: 'webhook', url: 'https://h:1/***', secretFiles: ['/etc/setpoint/s'] },
    { name: 'y', type: 'webhook', url: 'https://h' },
    { name: 'z', type: 'alertmanager', url: 'http://am/prefix' },
  ]);
  expect(configProblems(file(JSON.stringify(shown)))).toEqual([]);
});
