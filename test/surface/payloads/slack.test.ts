import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Notification } from '../../../src/model/index.ts';
import { createHttp } from '../../../src/notify/http.ts';
import { readSecret } from '../../../src/notify/secret.ts';
import { createSlack } from '../../../src/notify/slack.ts';
import { startAlertSink } from '../../support/alert-sink.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function payloads(notification: Notification): Promise<readonly string[]> {
  const sink = await startAlertSink({ status: 200, body: '{"ok":true,"channel":"C0123456789","ts":"1794826000.000100"}' });
  onTestFinished(() => sink[Symbol.asyncDispose]());
  const folder = await tempFolder();
  onTestFinished(() => folder.remove());
  const http = createHttp({ allowPrivate: ['127.0.0.1'] });
  onTestFinished(() => http.close());
  const tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, 'xoxb-token');
  const slack = createSlack({ type: 'slack', name: 'team', tokenFile, channel: '#alerts', apiUrl: sink.url }, { http, readSecret, now: () => new Date(0) });
  await slack.send(notification, new AbortController().signal);
  return sink.requests.map(({ json }) => `${JSON.stringify(json, null, 2)}\n`);
}

test.each([
  ['firing', exampleNotification(), ['slack-post.json']],
  ['a digest', digestNotification(), ['slack-digest.json']],
  ['resolved', resolvedNotification({ ref: 'C0123456789/1794826000.000100' }), ['slack-update.json', 'slack-thread.json']],
])('what Slack is told of %s is as recorded', async (_of, notification, files) => {
  const sent = await payloads(notification);
  expect(sent.length).toBe(files.length);
  for (const [at, file] of files.entries()) await expect(sent[at]).toMatchFileSnapshot(file);
});
