import { expect, test } from 'vitest';
import { statusBody } from '../../../src/notify/commit-status-body.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
])('the status of a commit for %s is as recorded', async (name, notification) => {
  const payload = { github: statusBody({ provider: 'github' }, notification, messageOf(notification)), gitlab: statusBody({ provider: 'gitlab' }, notification, messageOf(notification)) };
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`commit-status-${name}.json`);
});
