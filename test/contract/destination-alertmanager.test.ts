import { expect, onTestFinished, test } from 'vitest';
import { createAlertmanager } from '../../src/notify/alertmanager.ts';
import type { PostableAlert } from '../../src/notify/alertmanager-alerts.ts';
import { createHttp } from '../../src/notify/http.ts';
import { startAlertSink, type SentRequest } from '../support/alert-sink.ts';
import { exampleNotification } from '../support/example-notification.ts';
import { destinationContract, type MakeDestination, type Service } from './destination-contract.ts';

const alertsIn = ({ json }: SentRequest): readonly PostableAlert[] => json as readonly PostableAlert[];

const alertmanager: Service = {
  accepted: { status: 200 },
  keyOf: (request) => alertsIn(request).map(({ labels, annotations }) => `${labels['alert_id']} ${annotations['notification']}`).join(),
  textsOf: (request) => alertsIn(request).flatMap(({ labels, annotations }) => [...Object.values(labels), ...Object.values(annotations)]),
  pings: [],
  maxBytes: 100_000,
  faultsOf: (request) => [...(request.path === '/am/api/v2/alerts' ? [] : [`posted to ${request.path}`]), ...alertsIn(request).flatMap(faults)],
};

/** What Alertmanager refuses a request for. */
function faults({ labels, annotations, startsAt, endsAt }: PostableAlert): readonly string[] {
  const names = [...Object.keys(labels), ...Object.keys(annotations)];
  return [
    ...names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)).map((name) => `${name} is no name of a label`),
    ...(labels['alertname'] === undefined ? ['no alertname'] : []),
    ...(Object.values(labels).includes('') ? ['a label is empty'] : []),
    ...(Date.parse(startsAt) <= Date.parse(endsAt) ? [] : [`from ${startsAt} to ${endsAt}`]),
  ];
}

const logins: readonly (readonly [string, MakeDestination])[] = [
  [
    'a password',
    async ({ url, deps, secret, file }) => createAlertmanager({ type: 'alertmanager', name: 'am', url: `${url}/am/`, auth: { type: 'basic', user: 'setpoint', passwordFile: await file(secret('password')) } }, deps),
  ],
  ['a token', async ({ url, deps, secret, file }) => createAlertmanager({ type: 'alertmanager', name: 'am', url: `${url}/am`, auth: { type: 'bearer', tokenFile: await file(secret('token')) } }, deps)],
];

for (const [login, make] of logins) destinationContract(`Alertmanager with ${login}`, make, alertmanager);

const pair = Buffer.from('setpoint:s3cret-word').toString('base64');

test.each([
  ['no login', undefined, undefined],
  ['a password', { type: 'basic', user: 'setpoint', passwordFile: 'password' }, `Basic ${pair}`],
  ['a token', { type: 'bearer', tokenFile: 'token' }, 'Bearer s3cret-word'],
] as const)('with %s the header is right, and not told where the answer quotes it', async (_login, auth, header) => {
  await using sink = await startAlertSink();
  const http = createHttp({ allowPrivate: ['127.0.0.1'] });
  onTestFinished(() => http.close());
  const deps = { http, readSecret: () => Promise.resolve({ type: 'read', value: 's3cret-word' } as const), now: () => new Date('2026-11-16T10:46:12Z') };
  const destination = createAlertmanager({ type: 'alertmanager', name: 'am', url: sink.url, ...(auth !== undefined && { auth }) }, deps);
  sink.answerWith({ status: 401, body: `${header}` });
  const outcome = await destination.send(exampleNotification(), new AbortController().signal);
  expect(sink.requests[0]?.headers.authorization).toBe(header);
  expect(outcome).toMatchObject({ type: 'refused', why: expect.stringContaining('answered 401') });
  expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`s3cret|${pair.slice(0, 12)}`));
});
