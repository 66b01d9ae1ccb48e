import { alertMatchKeys } from './alert-match-schema.ts';
import { alertRuleKeys } from './alert-rule-schema.ts';
import { alertsKeys } from './alerts-schema.ts';
import { configKeyNames } from './config-keys.ts';
import { destinationParts, destinationShapes } from './destination-shapes.ts';
import { healthRuleKeys } from './health-rule-schema.ts';
import { muteWindowKeys } from './mute-window-schema.ts';
import { receiverKeys } from './receiver-schema.ts';

/** By the keys on the way there, without the numbers of items. */
const keysAt: Readonly<Record<string, readonly string[]>> = {
  '': configKeyNames,
  receivers: receiverKeys,
  healthRules: healthRuleKeys,
  alerts: alertsKeys,
  'alerts.rules': alertRuleKeys,
  'alerts.rules.match': alertMatchKeys,
  'alerts.muteWindows': muteWindowKeys,
  'alerts.muteWindows.match': alertMatchKeys,
  'destinations.rateLimit': destinationParts.rateLimit,
  'destinations.templates': destinationParts.templates,
  'destinations.auth': destinationParts.auth,
};

/** The keys that the mapping at the path may have. */
export function knownKeys(path: readonly PropertyKey[], found: unknown): readonly string[] {
  const way = path.filter((step) => typeof step === 'string').join('.');
  if (way !== 'destinations') return keysAt[way] ?? [];
  const type = String((found as { readonly type?: unknown } | undefined)?.type);
  return Object.entries(destinationShapes).flatMap(([name, shape]) => (name === type ? Object.keys(shape) : []));
}
