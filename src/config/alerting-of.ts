import { alertsSchema } from './alerts-schema.ts';
import type { Alerting } from './agent-config.ts';
import { defaultAlerts } from './default-alerts.ts';
import type { Settings } from './settings-schema.ts';
import { isWebhookNamed, webhookDestination, webhookRules } from './webhook-alerts.ts';

/** Rules with their destinations, and --notify-webhook as one more of both. */
export function alertingOf({ alerts, destinations = [], notifyWebhook }: Pick<Settings, 'alerts' | 'destinations' | 'notifyWebhook'>): Alerting {
  const { rules = [], muteWindows = [], allowPrivate = [] } = alerts ?? {};
  const names = destinations.map(({ name }) => name);
  const held = rules.length > 0 ? rules : alertsSchema.parse(defaultAlerts).rules;
  // A rule without anyone to tell tells nobody.
  const complete = held.map((rule) => ({ ...rule, destinations: rule.destinations ?? names })).filter((rule) => rule.destinations.length > 0);
  if (notifyWebhook === undefined) return { rules: complete, muteWindows, destinations, allowPrivate };
  return {
    rules: [...complete, ...(isWebhookNamed(rules) ? [] : webhookRules())],
    muteWindows,
    destinations: [...destinations, webhookDestination(notifyWebhook)],
    // Who gives the URL means that host, wherever it is.
    allowPrivate: [...allowPrivate, new URL(notifyWebhook).hostname.replace(/^\[(.*)\]$/, '$1')],
  };
}
