import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttp } from '../../src/notify/http.ts';
import { readSecret } from '../../src/notify/secret.ts';
import type { DestinationDeps } from '../../src/notify/destination-deps.ts';
import type { Destination } from '../../src/model/index.ts';
import { answers, startAlertSink, type AlertSink, type PlainAnswer, type SentRequest } from '../support/alert-sink.ts';
import { createCanaries, type Canaries } from '../support/canaries.ts';
import { digestNotification, exampleNotification, exampleSubject, hostileNotification, resolvedNotification } from '../support/example-notification.ts';
import { tempFolder } from '../support/temp-folder.ts';

export interface Surroundings {
  /** Of the sink; whatever is below it is answered. */
  readonly url: string;
  readonly deps: DestinationDeps;
  /** A new secret that must never show up in a `why`. */
  secret(name: string): string;
  /** The path of a file that holds the text. */
  file(text: string): Promise<string>;
}

export type MakeDestination = (surroundings: Surroundings) => Promise<Destination>;

/** What the service is like: how it says yes, and where in a request things are. */
export interface Service {
  readonly accepted: PlainAnswer;
  /** The key by which the service, or whoever looks, knows a second copy; undefined where the request has none. */
  keyOf(request: SentRequest): string | undefined;
  /** Every text that people get to see or that could have a meaning for the service. */
  textsOf(request: SentRequest): readonly string[];
  /** What in such a text would ping somebody or make a link. */
  readonly pings: readonly RegExp[];
  /** In bytes of the body. */
  readonly maxBytes: number;
  /** The limits of the service: what is wrong with the request, none where it is fine. */
  faultsOf(request: SentRequest): readonly string[];
  /** Whether its answers of 200 are read: then one that cannot be understood is no success. */
  readonly readsAnswers?: boolean;
}

const signal = new AbortController().signal;

/** What every destination promises, whatever service it is for. */
export function destinationContract(name: string, make: MakeDestination, service: Service): void {
  const scene = createScene(make, service);
  describe(`the destination ${name}`, () => {
    testOutcomes(scene);
    testTrouble(scene, service);
    testSecrets(scene);
    testContent(scene, service);
  });
}

interface Scene {
  readonly sink: AlertSink;
  readonly destination: Destination;
  readonly canaries: Canaries;
}

type OpenScene = (options?: { readonly deadlineMs?: number; readonly allowPrivate?: readonly string[] }) => Promise<Scene>;

function createScene(make: MakeDestination, service: Service): OpenScene {
  return async ({ deadlineMs = 10_000, allowPrivate = ['127.0.0.1'] } = {}) => {
    const sink = await startAlertSink(service.accepted);
    onTestFinished(() => sink[Symbol.asyncDispose]());
    const folder = await tempFolder();
    onTestFinished(() => folder.remove());
    const http = createHttp({ allowPrivate, deadlineMs });
    onTestFinished(() => http.close());
    const canaries = createCanaries();
    let files = 0;
    const destination = await make({
      url: sink.url,
      deps: { http, readSecret, now: () => new Date('2026-11-16T10:46:12Z') },
      secret: (of) => canaries.add(of),
      async file(text) {
        files += 1;
        const path = join(folder.path, `secret-${files}`);
        await writeFile(path, `${text}\n`);
        return path;
      },
    });
    onTestFinished(() => destination.close());
    return { sink, destination, canaries };
  };
}

function testOutcomes(open: OpenScene): void {
  test('what the service takes is sent', async () => {
    const { sink, destination } = await open();
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'sent' });
    expect(sink.requests.length).toBeGreaterThan(0);
  });

  test.each([408, 425, 429, 500, 502, 503, 504])('%i is worth another try', async (status) => {
    const { sink, destination } = await open();
    sink.answerWith({ status });
    const outcome = await destination.send(exampleNotification(), signal);
    expect(outcome).toMatchObject({ type: 'retry', why: expect.stringContaining(`${sink.host} answered ${status}`) });
  });

  test.each([
    ['120', 120_000],
    ['Mon, 16 Nov 2026 10:50:12 GMT', 240_000],
    ['999999999', 6 * 3_600_000],
  ])('Retry-After: %s is honoured', async (said, afterMs) => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 429, headers: { 'retry-after': said } });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'retry', afterMs });
  });

  test.each([400, 401, 403, 404, 413, 422])('%i is refused for good', async (status) => {
    const { sink, destination } = await open();
    sink.answerWith({ status });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'refused', why: expect.stringContaining(`${sink.host} answered ${status}`) });
  });

  test('410 means that the destination is gone', async () => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 410 });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'gone' });
  });

  test('a redirect is refused, named and not followed', async () => {
    const { sink, destination } = await open();
    sink.answerWith(answers.redirect(`${sink.url}/elsewhere`));
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'refused', why: expect.stringContaining(`redirect to ${sink.host}`) });
    expect(sink.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    expect(sink.requests.length).toBe(1);
  });
}

function testTrouble(open: OpenScene, { readsAnswers = false }: Service): void {
  test('one that does not answer is given up at the time limit, and tried again', async () => {
    const { sink, destination } = await open({ deadlineMs: 100 });
    sink.answerWith('hang');
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} did not answer within 0.1 s` });
  });

  test('one that cuts the connection is tried again', async () => {
    const { sink, destination } = await open();
    sink.answerWith('reset');
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} cannot be reached: the connection was cut` });
  });

  test('one that is not there is tried again', async () => {
    const { sink, destination } = await open();
    await sink[Symbol.asyncDispose]();
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} cannot be reached: the connection was refused` });
  });

  test('sending ends when it is stopped', async () => {
    const { sink, destination } = await open();
    sink.answerWith('hang');
    const stop = new AbortController();
    const sending = destination.send(exampleNotification(), stop.signal);
    await sink.waitForRequests(1);
    stop.abort();
    expect(await sending).toMatchObject({ type: 'retry' });
  });

  test('of an answer of 10 MB the beginning is read', async () => {
    const { sink, destination } = await open();
    sink.answerWith('huge');
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: readsAnswers ? 'retry' : 'sent' });
  });

  test('a page of HTML with 503 is told in a few words', async () => {
    const { sink, destination } = await open();
    sink.answerWith(answers.unavailable);
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} answered 503 with a page of HTML` });
  });

  test('a private address that nobody allowed gets nothing', async () => {
    const { sink, destination } = await open({ allowPrivate: [] });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'refused', why: expect.stringContaining('127.0.0.1 is a private address') });
    expect(sink.requests).toEqual([]);
  });
}

function testSecrets(open: OpenScene): void {
  test.each([400, 410, 500])('no secret is told of, also where the answer of %i quotes all of them', async (echo) => {
    const { sink, destination, canaries } = await open();
    sink.answerWith({ echo });
    const outcome = await destination.send(exampleNotification(), signal);
    expect(canaries.foundIn(JSON.stringify(outcome))).toEqual([]);
    expect(outcome).toHaveProperty('why', expect.stringContaining(`answered ${echo}`));
  });

  test.each(['hang', 'reset'] as const)('no secret is told of where the service does not answer: %s', async (answer) => {
    const { sink, destination, canaries } = await open({ deadlineMs: 100 });
    sink.answerWith(answer);
    const outcome = await destination.send(exampleNotification(), signal);
    expect(canaries.foundIn(JSON.stringify(outcome))).toEqual([]);
    expect(outcome).toHaveProperty('why');
  });
}

const kinds = [
  ['something firing', exampleNotification()],
  ['something resolved', resolvedNotification()],
  ['a digest of 500 applications', digestNotification()],
  ['a test', exampleNotification({ type: 'test', subjects: [] })],
  ['names, values and numbers of an enemy', hostileNotification()],
] as const;

function testContent(open: OpenScene, service: Service): void {
  test.each(kinds)('stays within the limits of the service: %s', async (_of, notification) => {
    const { sink, destination } = await open();
    expect(await destination.send(notification, signal)).toMatchObject({ type: 'sent' });
    expect(sink.requests.length).toBeGreaterThan(0);
    expect(sink.requests.flatMap(service.faultsOf)).toEqual([]);
    expect(Math.max(...sink.requests.map(({ body }) => Buffer.byteLength(body)))).toBeLessThanOrEqual(service.maxBytes);
  });

  test('what names say pings nobody and steers nothing', async () => {
    const { sink, destination } = await open();
    await destination.send(hostileNotification(), signal);
    const texts = sink.requests.flatMap(service.textsOf);
    expect(texts.join(' ')).toContain('everyone');
    expect(texts.filter((text) => service.pings.some((ping) => ping.test(text)))).toEqual([]);
    // Line ends are part of a layout; every other sign of that kind came from a name.
    expect(texts.filter((text) => /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u.test(text))).toEqual([]);
  });

  test('every copy of a notification carries the same key, and another notification another one', async () => {
    const { sink, destination } = await open();
    const keysOf = async (notification: Parameters<Destination['send']>[0]): Promise<readonly (string | undefined)[]> => {
      const before = sink.requests.length;
      await destination.send(notification, signal);
      return sink.requests.slice(before).map(service.keyOf);
    };
    const first = await keysOf(exampleNotification());
    expect(first.every((key) => key !== undefined && key !== '')).toBe(true);
    expect(await keysOf(exampleNotification())).toEqual(first);
    const other = exampleNotification({ id: 'evt_another', subjects: [{ ...exampleSubject, alert: { ...exampleSubject.alert, id: 'drf_another' } }] });
    expect(await keysOf(other)).not.toEqual(first);
  });
}
