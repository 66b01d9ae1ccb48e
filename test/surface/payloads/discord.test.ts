import { expect, test } from 'vitest';
import { discordEmbed } from '../../../src/notify/discord-embed.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

test.each([
  ['firing', exampleNotification()],
  ['resolved', resolvedNotification()],
  ['digest', digestNotification()],
])('what Discord is told of %s is as recorded', async (name, notification) => {
  const payload = discordEmbed(notification, messageOf(notification));
  await expect(`${JSON.stringify(payload, null, 2)}\n`).toMatchFileSnapshot(`discord-${name}.json`);
});
