import { expect, test } from 'vitest';
import { alertmanagerAlerts } from '../../../src/notify/alertmanager-alerts.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification()],
])('what Alertmanager is told of %s is as recorded', async (name, notification) => {
  const payload = alertmanagerAlerts(notification, messageOf);
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`alertmanager-${name}.json`);
});
