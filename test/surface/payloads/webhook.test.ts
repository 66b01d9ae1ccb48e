import { expect, test } from 'vitest';
import { eventText } from '../../../src/notify/event-text.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification(2)],
  ['test', exampleNotification({ type: 'test', subjects: [] })],
])('the event of %s is as recorded: programs read it', async (name, notification) => {
  const event: unknown = JSON.parse(eventText(notification, 'https://setpoint.example.com/clusters/prod-eu-1'));
  await expect(`${JSON.stringify(event, null, 2)}\n`).toMatchFileSnapshot(`webhook-${name}.json`);
});
