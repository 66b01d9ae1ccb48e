import { expect, test } from 'vitest';
import { teamsCard } from '../../../src/notify/teams-card.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification()],
])('what Teams is told of %s is as recorded', async (name, notification) => {
  const payload = teamsCard(notification, messageOf(notification));
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`teams-${name}.json`);
});
