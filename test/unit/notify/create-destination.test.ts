import { expect, onTestFinished, test } from 'vitest';
import type { DestinationConfig } from '../../../src/model/index.ts';
import { createDestination, createHttp, readSecret } from '../../../src/notify/index.ts';
import { exampleNotification } from '../../support/example-notification.ts';

const name = 'somewhere';
const configs: readonly DestinationConfig[] = [
  { type: 'slack', name, tokenFile: '/nowhere/token', channel: '#alerts' },
  { type: 'slack-webhook', name, urlFile: '/nowhere/url' },
  { type: 'webhook', name, urlFile: '/nowhere/url' },
  { type: 'alertmanager', name, url: 'https://alertmanager.example.com', auth: { type: 'bearer', tokenFile: '/nowhere/token' } },
  { type: 'pagerduty', name, routingKeyFile: '/nowhere/key' },
  { type: 'teams', name, urlFile: '/nowhere/url' },
  { type: 'discord', name, urlFile: '/nowhere/url' },
  { type: 'commit-status', name, provider: 'github', apiUrl: 'https://git.example.com', tokenFile: '/nowhere/token' },
  { type: 'email', name, host: 'mail.example.com', port: 587, tls: 'starttls', user: 'setpoint', passwordFile: '/nowhere/password', from: 'setpoint@example.com', to: ['team@example.com'] },
];

test.each(configs)('a destination of type $type has its name, and sends nothing without its secret', async (config) => {
  const http = createHttp();
  onTestFinished(() => http.close());
  const destination = createDestination(config, { http, readSecret, now: () => new Date(0), setTimer: () => () => undefined });
  expect(destination.name).toBe(name);
  expect(await destination.send(exampleNotification(), new AbortController().signal)).toEqual({ type: 'retry', why: expect.stringMatching(/^the secret in \/nowhere\/\w+ cannot be read: there is no such file or folder$/) });
  await destination.close();
});

test.each([
  ['what its service takes', undefined, 1_000],
  ['what is configured', { perSecond: 4 }, 250],
])('a destination is asked no more often than %s', async (_what, rateLimit, everyMs) => {
  const http = createHttp();
  onTestFinished(() => http.close());
  const delays: number[] = [];
  const setTimer = (_callback: () => void, delayMs: number): (() => void) => {
    delays.push(delayMs);
    return () => undefined;
  };
  const destination = createDestination({ type: 'slack-webhook', name, urlFile: '/nowhere/url', ...(rateLimit && { rateLimit }) }, { http, readSecret, now: () => new Date(0), setTimer });
  await destination.send(exampleNotification(), new AbortController().signal);
  expect(delays).toEqual([everyMs]);
});
