import { describe, expect, onTestFinished, test } from 'vitest';
import type { CommitStatusConfig, Destination, Notification } from '../../src/model/index.ts';
import { createCommitStatus } from '../../src/notify/commit-status.ts';
import { createHttp } from '../../src/notify/http.ts';
import { startAlertSink, type AlertSink, type SentRequest } from '../support/alert-sink.ts';
import { digestNotification, exampleNotification, exampleSubject } from '../support/example-notification.ts';
import { destinationContract } from './destination-contract.ts';

interface Status {
  readonly state: string;
  readonly context?: string;
  readonly name?: string;
  readonly description: string;
}

const statusIn = ({ json }: SentRequest): Status => json as Status;

const providers = [
  ['github', '/api/v3', '/api/v3/repos/shop/deploy', 'authorization', 'Bearer t0ken-t0ken'],
  ['gitlab', '/api/v4', '/api/v4/projects/shop%2Fdeploy', 'private-token', 't0ken-t0ken'],
  ['gitea', '/api/v1', '/api/v1/repos/shop/deploy', 'authorization', 'token t0ken-t0ken'],
] as const;

/** The repository is at the sink, and what is about no application has one. */
function at(url: string, destination: Destination): Destination {
  const moved = (notification: Notification): Notification => ({
    ...notification,
    subjects: (notification.subjects.length === 0 ? [exampleSubject] : notification.subjects).map((subject) => ({ ...subject, revision: { ...subject.revision, repo: `${url}/shop/deploy.git` } })),
  });
  return { ...destination, send: (notification, signal) => destination.send(moved(notification), signal) };
}

for (const [provider, api, path] of providers) {
  destinationContract(
    `the status of a commit on ${provider}`,
    async ({ url, deps, secret, file }) => at(url, createCommitStatus({ type: 'commit-status', name: 'commits', provider, apiUrl: `${url}${api}`, tokenFile: await file(secret('token')) }, deps)),
    {
      accepted: { status: 201, body: '{"id":1}' },
      keyOf: ({ headers }) => headers['idempotency-key'] as string | undefined,
      textsOf: (request) => [statusIn(request).context ?? statusIn(request).name ?? '', statusIn(request).description],
      pings: [],
      maxBytes: 2000,
      faultsOf(request) {
        const { context, name, description, state } = statusIn(request);
        return [
          ...(request.path === `${path}/statuses/4b825dc642cb6eb9a060e54bf8d69288fbee4904` ? [] : [`posted to ${request.path}`]),
          ...(description.length <= 140 ? [] : ['the description is too long']),
          ...((context ?? name ?? '').length <= 255 ? [] : ['the context is too long']),
          ...(['success', provider === 'gitlab' ? 'failed' : 'failure'].includes(state) ? [] : [`the state ${state}`]),
        ];
      },
    },
  );
}

describe('the status of a commit', () => {
  const signal = new AbortController().signal;

  async function open(config: Partial<CommitStatusConfig> = {}): Promise<{ readonly sink: AlertSink; readonly direct: Destination; readonly destination: Destination }> {
    const sink = await startAlertSink({ status: 201 });
    onTestFinished(() => sink[Symbol.asyncDispose]());
    const http = createHttp({ allowPrivate: ['127.0.0.1'] });
    onTestFinished(() => http.close());
    const direct = createCommitStatus(
      { type: 'commit-status', name: 'commits', provider: 'github', apiUrl: sink.url, tokenFile: 'token', ...config },
      { http, readSecret: () => Promise.resolve({ type: 'read', value: 't0ken-t0ken' }), now: () => new Date('2026-11-16T10:46:12Z') },
    );
    return { sink, direct, destination: at(sink.url, direct) };
  }

  test.each(providers)('is set with the header that %s knows', async (provider, _api, _path, header, value) => {
    const { sink, destination } = await open({ provider });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'sent' });
    expect(sink.requests[0]?.headers[header]).toBe(value);
  });

  test('gets no token to the host of a repository that is elsewhere', async () => {
    const { sink, direct } = await open();
    expect(await direct.send(exampleNotification(), signal)).toEqual({
      type: 'refused',
      why: 'the repository is at git.example.com, and the statuses of 127.0.0.1 are set here: another destination is needed for it',
    });
    expect(sink.requests).toEqual([]);
  });

  test('is refused where there is no commit', async () => {
    const { sink, direct } = await open();
    expect(await direct.send(exampleNotification({ type: 'test', subjects: [] }), signal)).toEqual({ type: 'refused', why: 'it is about no commit, and only commits have a status' });
    expect(sink.requests).toEqual([]);
  });

  test('is set for every application', async () => {
    const { sink, destination } = await open();
    expect(await destination.send(digestNotification(3), signal)).toEqual({ type: 'sent' });
    expect(sink.requests.map((request) => statusIn(request).context)).toEqual(['setpoint/prod/shop-0', 'setpoint/prod/shop-1', 'setpoint/prod/shop-2']);
  });

  test('is tried again as a whole where one of several failed', async () => {
    const { sink, destination } = await open();
    sink.answerNext({ status: 201 }, { status: 502 });
    expect(await destination.send(digestNotification(3), signal)).toMatchObject({ type: 'retry', why: `${sink.host} answered 502` });
    expect(sink.requests.length).toBe(2);
  });

  test('is set for the others where one is refused, which is told', async () => {
    const { sink, destination } = await open();
    sink.answerNext({ status: 201 }, { status: 422, body: 'no such commit' });
    expect(await destination.send(digestNotification(3), signal)).toEqual({ type: 'refused', why: `1 of 3 were refused, the first because ${sink.host} answered 422 "no such commit"` });
    expect(sink.requests.length).toBe(3);
  });

  test.each([
    ['Retry-After', { 'retry-after': '30' }, '', 30_000],
    ['the time of the next hour', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse('2026-11-16T10:56:12Z') / 1000) }, '', 600_000],
    ['the text alone', {}, '{"message":"You have exceeded a secondary rate limit."}', 60_000],
  ])('waits for GitHub, which says 403 and %s', async (_by, headers, body, afterMs) => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 403, headers, body });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} answered 403: too many requests`, afterMs });
  });

  test.each(providers)('is refused without telling the token, which the answer of %s quotes', async (provider, _api, _path, _header, value) => {
    const { sink, destination } = await open({ provider });
    sink.answerWith({ status: 401, body: `not good: ${value}` });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'refused', why: `${sink.host} answered 401 "not good: ${value.replace('t0ken-t0ken', '***')}"` });
  });

  test('is refused where the token may not set it, with requests left', async () => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 403, headers: { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1794826000' }, body: '{"message":"Resource not accessible by personal access token"}' });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'refused', why: expect.stringContaining('Resource not accessible') });
  });
});
