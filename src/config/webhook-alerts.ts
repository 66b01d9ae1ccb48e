import type { AlertRule, DestinationConfig } from '../model/index.ts';
import type { WrittenRule } from './alert-rule-schema.ts';
import { alertRulesSchema } from './alert-rule-schema.ts';

/** What the destination of --notify-webhook is called. */
export const webhookName = 'webhook';

const written = [
  { name: 'webhook-drift', match: { cause: ['live-changed', 'git-ahead', 'both'] }, for: '0s', groupWait: '0s' },
  { name: 'webhook-blind', match: { status: ['Unknown'] }, for: '15m', groupWait: '0s', severity: 'critical' },
  { name: 'webhook-contested', match: { status: ['Contested'] }, for: '0s', groupWait: '0s', severity: 'critical' },
];

export const webhookRuleNames = written.map(({ name }) => name);

/** Whether somebody has rules of their own for it. */
export function isWebhookNamed(rules: readonly WrittenRule[]): boolean {
  return rules.some(({ destinations }) => destinations?.includes(webhookName) === true);
}

export function webhookDestination(url: string): DestinationConfig {
  return { name: webhookName, type: 'webhook', url };
}

/** Whoever gives a URL and nothing else is told at once, of commits too, and again as soon as something changes. */
export function webhookRules(): readonly AlertRule[] {
  return alertRulesSchema.parse(written).map((rule) => ({ ...rule, groupIntervalMs: 0, destinations: [webhookName] }));
}
