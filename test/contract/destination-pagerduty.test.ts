import { expect, onTestFinished, test } from 'vitest';
import { createHttp } from '../../src/notify/http.ts';
import { createPagerDuty } from '../../src/notify/pagerduty.ts';
import type { PagerDutyEvent } from '../../src/notify/pagerduty-events.ts';
import { startAlertSink, type SentRequest } from '../support/alert-sink.ts';
import { digestNotification, exampleNotification } from '../support/example-notification.ts';
import { destinationContract } from './destination-contract.ts';

const eventIn = ({ json }: SentRequest): PagerDutyEvent => json as PagerDutyEvent;

destinationContract(
  'PagerDuty',
  async ({ url, deps, secret, file }) => createPagerDuty({ type: 'pagerduty', name: 'oncall', routingKeyFile: await file(secret('routing key')), apiUrl: url }, deps),
  {
    accepted: { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"drf"}' },
    keyOf: (request) => eventIn(request).dedup_key,
    textsOf(request) {
      const event = eventIn(request);
      return event.event_action === 'resolve' ? [] : textsIn(event.payload);
    },
    pings: [],
    maxBytes: 100_000,
    faultsOf(request) {
      const event = eventIn(request);
      return [
        ...(request.path === '/v2/enqueue' ? [] : [`posted to ${request.path}`]),
        ...(event.dedup_key.length > 0 && event.dedup_key.length <= 255 ? [] : ['dedup_key']),
        ...(event.event_action === 'resolve' || (event.payload.summary.length > 0 && event.payload.summary.length <= 1024 && event.payload.source !== '') ? [] : ['summary or source']),
      ];
    },
  },
);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const signal = new AbortController().signal;

async function open() {
  const sink = await startAlertSink({ status: 202 });
  onTestFinished(() => sink[Symbol.asyncDispose]());
  const http = createHttp({ allowPrivate: ['127.0.0.1'] });
  onTestFinished(() => http.close());
  const deps = { http, readSecret: () => Promise.resolve({ type: 'read', value: 'r0uting-key' } as const), now: () => new Date('2026-11-16T10:46:12Z') };
  return { sink, destination: createPagerDuty({ type: 'pagerduty', name: 'oncall', routingKeyFile: 'key', apiUrl: `${sink.url}/` }, deps) };
}

test('the routing key is in the event, and not told where PagerDuty quotes it', async () => {
  const { sink, destination } = await open();
  sink.answerWith({ status: 400, body: 'invalid key r0uting-key' });
  expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'refused', why: `${sink.host} answered 400 "invalid key ***"` });
  expect(sink.requests[0]?.json).toMatchObject({ routing_key: 'r0uting-key', event_action: 'trigger' });
});

test('of several events the rest waits for the one that is to be tried again', async () => {
  const { sink, destination } = await open();
  sink.answerNext({ status: 202 }, { status: 429 });
  expect(await destination.send({ ...digestNotification(3), truncatedSubjects: 0 }, signal)).toMatchObject({ type: 'retry' });
  expect(await destination.send({ ...digestNotification(3), truncatedSubjects: 0 }, signal)).toEqual({ type: 'sent', ref: 'own' });
  const keys = sink.requests.map((request) => eventIn(request).dedup_key.slice(-1));
  expect(keys).toEqual(['0', '1', '0', '1', '2']);
});
