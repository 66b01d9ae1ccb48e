import { expect, test } from 'vitest';
import { emailMessage } from '../../../src/notify/email-message.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification()],
])('what a mail server is told of %s is as recorded', async (name, notification) => {
  const payload = emailMessage({ from: 'Setpoint <setpoint@example.com>', to: ['team@example.com'] }, notification, messageOf(notification));
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`email-${name}.json`);
});
