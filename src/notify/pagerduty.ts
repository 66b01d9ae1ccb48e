import type { Destination, PagerDutyConfig } from '../model/index.ts';
import { classify } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { messagesFor } from './messages-for.ts';
import { pagerDutyEvents } from './pagerduty-events.ts';
import { sendEach } from './send-each.ts';

const usualApi = 'https://events.pagerduty.com';

/** Incidents: opened by what fires and resolved by what is over. */
export function createPagerDuty(config: PagerDutyConfig, deps: DestinationDeps): Destination {
  const { http, readSecret, now } = deps;
  const messageOf = messagesFor(config, deps);
  const url = `${(config.apiUrl ?? usualApi).replace(/\/+$/, '')}/v2/enqueue`;
  return {
    name: config.name,
    async send(notification, signal) {
      const key = await readSecret(config.routingKeyFile, signal);
      if (key.type === 'retry') return key;
      const { events, ref } = pagerDutyEvents(notification, messageOf);
      const outcome = await sendEach(events, async (event) => {
        const body = JSON.stringify({ routing_key: key.value, ...event });
        const answer = await http.post({ url, headers: { 'content-type': 'application/json' }, body }, signal);
        return classify(answer, { secrets: [key.value], now });
      });
      return outcome.type === 'sent' ? { type: 'sent', ref } : outcome;
    },
    close: () => Promise.resolve(),
  };
}
