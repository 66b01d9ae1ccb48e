import { expect, test } from 'vitest';
import { pagerDutyEvents } from '../../../src/notify/pagerduty-events.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification()],
])('what PagerDuty is told of %s is as recorded', async (name, notification) => {
  const payload = pagerDutyEvents(notification, messageOf).events;
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`pagerduty-${name}.json`);
});
