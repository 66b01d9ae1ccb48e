import { describe, expect, test } from 'vitest';
import type { DestinationConfig } from '../../../src/model/index.ts';
import { file, resolve } from './resolve.ts';

function destinationsOf(written: string): readonly DestinationConfig[] {
  return resolve({ files: [file(`destinations: [${written}]`)] }).config.alerting.destinations;
}

test.each<[string, DestinationConfig]>([
  ['type: slack, tokenFile: t, channel: "#drift"', { name: 'a', type: 'slack', tokenFile: '/etc/setpoint/t', channel: '#drift' }],
  ['type: slack, tokenFile: /t, channel: C1, apiUrl: "http://127.0.0.1:9/api"', { name: 'a', type: 'slack', tokenFile: '/t', channel: 'C1', apiUrl: 'http://127.0.0.1:9/api' }],
  ['type: slack-webhook, urlFile: ../u', { name: 'a', type: 'slack-webhook', urlFile: '/etc/u' }],
  ['type: webhook, url: "https://h/x"', { name: 'a', type: 'webhook', url: 'https://h/x' }],
  ['type: webhook, urlFile: u, secretFile: s, source: "https://s/c"', { name: 'a', type: 'webhook', urlFile: '/etc/setpoint/u', secretFiles: ['/etc/setpoint/s'], source: 'https://s/c' }],
  ['type: webhook, urlFile: u, secretFiles: [s, /t]', { name: 'a', type: 'webhook', urlFile: '/etc/setpoint/u', secretFiles: ['/etc/setpoint/s', '/t'] }],
  ['type: alertmanager, url: "http://am:9093"', { name: 'a', type: 'alertmanager', url: 'http://am:9093' }],
  ['type: alertmanager, url: "http://am", auth: { type: basic, user: u, passwordFile: p }', { name: 'a', type: 'alertmanager', url: 'http://am', auth: { type: 'basic', user: 'u', passwordFile: '/etc/setpoint/p' } }],
  ['type: alertmanager, url: "http://am", auth: { type: bearer, tokenFile: t }', { name: 'a', type: 'alertmanager', url: 'http://am', auth: { type: 'bearer', tokenFile: '/etc/setpoint/t' } }],
  ['type: pagerduty, routingKeyFile: r', { name: 'a', type: 'pagerduty', routingKeyFile: '/etc/setpoint/r' }],
  ['type: teams, urlFile: u', { name: 'a', type: 'teams', urlFile: '/etc/setpoint/u' }],
  ['type: discord, urlFile: u', { name: 'a', type: 'discord', urlFile: '/etc/setpoint/u' }],
  ['type: commit-status, provider: gitea, apiUrl: "https://g/api/v1", tokenFile: t, context: c', { name: 'a', type: 'commit-status', provider: 'gitea', apiUrl: 'https://g/api/v1', tokenFile: '/etc/setpoint/t', context: 'c' }],
  ['type: email, host: mail, from: s@e.com, to: [a@e.com]', { name: 'a', type: 'email', host: 'mail', port: 587, tls: 'starttls', from: 's@e.com', to: ['a@e.com'] }],
  ['type: email, host: mail, tls: tls, user: u, passwordFile: p, from: "Setpoint <s@e.com>", to: [a@e.com]', { name: 'a', type: 'email', host: 'mail', port: 465, tls: 'tls', user: 'u', passwordFile: '/etc/setpoint/p', from: 'Setpoint <s@e.com>', to: ['a@e.com'] }],
  ['type: email, host: mail, tls: none, from: s@e.com, to: [a@e.com]', { name: 'a', type: 'email', host: 'mail', port: 25, tls: 'none', from: 's@e.com', to: ['a@e.com'] }],
  ['type: email, host: mail, tls: none, port: 2525, from: s@e.com, to: [a@e.com]', { name: 'a', type: 'email', host: 'mail', port: 2525, tls: 'none', from: 's@e.com', to: ['a@e.com'] }],
  ['type: teams, urlFile: u, rateLimit: { perSecond: 0.5 }, templates: { title: "{{ a }}" }', { name: 'a', type: 'teams', urlFile: '/etc/setpoint/u', rateLimit: { perSecond: 0.5 }, templates: { title: '{{ a }}' } }],
])('%s', (written, expected) => {
  expect(destinationsOf(`{ name: a, ${written} }`)).toEqual([expected]);
});

const hidden = 'got something else, not shown because it may be a secret';
const canary = 'c4nary';

describe('is refused, and what may be a secret is not repeated', () => {
  const one = (written: string): string => `destinations:\n- name: a\n  ${written}`;
  test.each([
    [`destinations: "https://hooks.slack.com/${canary}"`, `config.yaml:1: destinations wants a list of destinations, ${hidden}`],
    [`destinations: ["https://hooks.slack.com/${canary}"]`, `config.yaml:1: destinations[0] wants a destination: a mapping with name and type, ${hidden}`],
    [`destinations: [{ name: "https://h/${canary}", type: teams, urlFile: u }]`, `destinations[0].name wants 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first, ${hidden}`],
    ['destinations:\n- { name: a, type: teams, urlFile: u }\n- { name: a, type: discord, urlFile: u }', 'config.yaml:3: destinations[1].name wants a name that no other destination has, got "a"'],
    [one('urlFile: u'), 'destinations[0].type wants one of slack, slack-webhook, webhook, alertmanager, pagerduty, teams, discord, commit-status, email, got nothing'],
    [one('type: Slack'), 'config.yaml:3: destinations[0].type wants one of slack, slack-webhook, webhook, alertmanager, pagerduty, teams, discord, commit-status, email, got "Slack"'],
    [one(`type: slack\n  token: ${canary}`), 'config.yaml:4: destinations[0].token is not known: did you mean tokenFile?'],
    [one(`type: teams\n  url: https://h/${canary}`), 'config.yaml:4: destinations[0].url is not known: did you mean urlFile?'],
    [one(`type: pagerduty\n  routingKey: ${canary}`), 'destinations[0].routingKey is not known: did you mean routingKeyFile?'],
    [one(`type: webhook\n  secret: ${canary}`), 'destinations[0].secret is not known: did you mean secretFile?'],
    [one(`type: email\n  password: ${canary}`), 'destinations[0].password is not known: did you mean passwordFile?'],
    [one(`type: alertmanager\n  auth: { type: bearer, token: ${canary} }`), 'destinations[0].auth.token is not known: did you mean tokenFile?'],
    [one('type: slack\n  chanel: C1'), 'config.yaml:4: destinations[0].chanel is not known: did you mean channel?'],
    [one('type: discord\n  channel: C1'), 'config.yaml:4: destinations[0].channel is not known'],
    [one('type: discord\n  templates: { titel: x }'), 'destinations[0].templates.titel is not known: did you mean title?'],
    [one('type: slack\n  tokenFile: t\n  channel: #drift'), 'destinations[0].channel wants a channel, such as C0123456789 or "#drift" in quotes, got nothing'],
    ...[`xoxb-1-${canary}`, `https://hooks.slack.com/${canary}`, `whsec_${canary}`, `ghp_${canary}`, `github_pat_${canary}`, `glpat-${canary}`, `~/${canary}`].map((secret) => [
      one(`type: slack-webhook\n  urlFile: ${secret}`),
      `destinations[0].urlFile wants the path of a file that holds the secret, without ~, ${hidden}`,
    ]),
    [one('type: pagerduty\n  routingKeyFile: 0123456789abcdef0123456789ABCDEF'), `routingKeyFile wants the path of a file that holds the secret, without ~, ${hidden}`],
    [one('type: slack\n  channel: C1'), 'destinations[0].tokenFile wants the path of a file that holds the secret, without ~, got nothing'],
    [one('type: webhook'), 'config.yaml:2: destinations[0] wants either url or urlFile, got neither'],
    [one('type: webhook\n  url: https://h/x\n  urlFile: u'), 'destinations[0] wants either url or urlFile, got both'],
    [one('type: webhook\n  url: https://h/x\n  secretFile: s\n  secretFiles: [s]'), 'destinations[0] wants either secretFile or secretFiles, got both'],
    [one('type: webhook\n  url: https://h/x\n  secretFiles: []'), 'destinations[0].secretFiles wants a list of one or two files, got an empty list'],
    [one('type: webhook\n  url: https://h/x\n  secretFiles: [a, b, c]'), 'destinations[0].secretFiles wants one or two files, got a list'],
    ...[`https://u:${canary}@h/x`, `https://${canary}@h/x`, `https://h/x?token=${canary}`, `https://h/x#${canary}`, `ftp://h/${canary}`, `h/${canary}`].map((url) => [
      one(`type: webhook\n  url: ${url}`),
      `config.yaml:4: destinations[0].url wants an http:// or https:// URL without user, password, ? and #, ${hidden}`,
    ]),
    [one(`type: alertmanager\n  url: http://u:${canary}@h`), 'destinations[0].url wants an http:// or https:// URL without user'],
    [one(`type: slack\n  apiUrl: http://u:${canary}@h`), 'destinations[0].apiUrl wants an http:// or https:// URL without user'],
    [one('type: alertmanager\n  url: http://h\n  auth: { user: u }'), 'destinations[0].auth.type wants one of basic, bearer, got nothing'],
    [one(`type: alertmanager\n  url: http://h\n  auth: ${canary}`), `destinations[0].auth wants a mapping with the type basic or bearer, ${hidden}`],
    [one('type: commit-status\n  provider: svn'), 'destinations[0].provider wants one of github, gitlab, gitea, got "svn"'],
    [one('type: commit-status\n  provider: github\n  tokenFile: t'), 'destinations[0].apiUrl wants an http:// or https:// URL without user, password, ? and #, got nothing'],
    [one('type: teams\n  urlFile: u\n  rateLimit: { perSecond: 0 }'), 'destinations[0].rateLimit.perSecond wants a number from 0.01 to 100, got the number 0'],
    [one('type: email\n  host: mail\n  from: me\n  to: [a@e.com]'), 'destinations[0].from wants an address, such as drift@example.com'],
    [one(String.raw`type: email${'\n'}  host: mail${'\n'}  from: "s@e.com\r\nBcc: x@e.com"${'\n'}  to: [a@e.com]`), 'destinations[0].from wants an address'],
    [one('type: email\n  host: mail\n  from: s@e.com\n  to: []'), 'destinations[0].to wants a list of at least one address, got an empty list'],
    [one('type: email\n  host: mail\n  port: 65536\n  from: s@e.com\n  to: [a@e.com]'), 'destinations[0].port wants a whole number from 1 to 65535, got the number 65536'],
    [one('type: email\n  host: mail\n  user: u\n  from: s@e.com\n  to: [a@e.com]'), 'destinations[0] wants user and passwordFile, or neither, got user alone'],
    [one('type: email\n  host: mail\n  passwordFile: p\n  from: s@e.com\n  to: [a@e.com]'), 'destinations[0] wants user and passwordFile, or neither, got passwordFile alone'],
    [one('type: email\n  host: mail\n  tls: none\n  user: u\n  passwordFile: p\n  from: s@e.com\n  to: [a@e.com]'), 'config.yaml:5: destinations[0].tls wants starttls or tls where there is a password, got none'],
  ])('%j', (written, message) => {
    const act = (): unknown => resolve({ files: [file(written)] });
    expect(act).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }));
    expect(act).not.toThrow(canary);
  });
});
