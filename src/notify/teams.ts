import type { Destination, TeamsConfig } from '../model/index.ts';
import { classify } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { messagesFor } from './messages-for.ts';
import { teamsCard } from './teams-card.ts';

/** A card in a channel, through the URL of a workflow. It is posted and never changed: the workflow tells no id. */
export function createTeams(config: TeamsConfig, deps: DestinationDeps): Destination {
  const { http, readSecret, now } = deps;
  const messageOf = messagesFor(config, deps);
  return {
    name: config.name,
    async send(notification, signal) {
      const url = await readSecret(config.urlFile, signal);
      if (url.type === 'retry') return url;
      const body = JSON.stringify(teamsCard(notification, messageOf(notification)));
      const answer = await http.post({ url: url.value, headers: { 'content-type': 'application/json' }, body }, signal);
      return classify(answer, { secrets: [url.value], now });
    },
    close: () => Promise.resolve(),
  };
}
