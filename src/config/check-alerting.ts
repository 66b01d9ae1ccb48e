import { shownText } from '../model/index.ts';
import type { Remarks } from './check-scope.ts';
import { nearestName } from './nearest-name.ts';
import { placeOf } from './origin.ts';
import { placeIn, type AllSaid } from './said.ts';
import type { Settings } from './settings-schema.ts';
import { shownPath } from './shown-path.ts';
import { isWebhookNamed, webhookName, webhookRuleNames } from './webhook-alerts.ts';

const mostListed = 10;

/** Whether rules and destinations, which may be in different files, fit together. `elsewhere`: names of destinations that may come from where we do not look. */
export function checkAlerting(said: AllSaid, elsewhere: readonly string[] = []): Remarks {
  const { rules = [] } = (said.get('alerts')?.value as Settings['alerts']) ?? {};
  const destinations = (said.get('destinations')?.value as Settings['destinations']) ?? [];
  const isShort = said.has('notifyWebhook');
  const names = [...destinations.map(({ name }) => name), ...(isShort ? [webhookName] : [])];
  const at = (path: readonly [keyof Settings, ...PropertyKey[]]): string => placeOf(said.get(path[0])?.originOf(path) ?? { type: 'default' }, shownPath(path));

  const strangers = rules.flatMap(({ destinations: named = [] }, index) =>
    named.flatMap((name, position) => ([...names, ...elsewhere].includes(name) ? [] : [`${at(['alerts', 'rules', index, 'destinations', position])} wants ${oneOf(names)}, got ${guess(name, names)}`])),
  );
  const taken = destinations.flatMap(({ name }, index) => (isShort && name === webhookName ? [`${at(['destinations', index, 'name'])} wants a name that no other destination has, got "${name}", which is that of ${placeIn(said, 'notifyWebhook')}`] : []));
  const takenRules = rules.flatMap(({ name }, index) =>
    isShort && !isWebhookNamed(rules) && webhookRuleNames.includes(name) ? [`${at(['alerts', 'rules', index, 'name'])} wants a name that no other rule has, got "${name}", which is one of ${placeIn(said, 'notifyWebhook')}`] : [],
  );

  const isForAll = rules.length === 0 || rules.some((rule) => rule.destinations === undefined);
  const unused = destinations.flatMap(({ name }, index) => (isForAll || rules.some((rule) => rule.destinations?.includes(name) === true) ? [] : [`${at(['destinations', index])} has no effect: no rule names ${name}`]));
  const unheard = rules.length > 0 && names.length === 0 ? [`${placeIn(said, 'alerts')} has no effect: there are no destinations`] : [];
  return { problems: [...taken, ...takenRules, ...strangers], warnings: [...unused, ...unheard] };
}

function oneOf(names: readonly string[]): string {
  if (names.length === 0) return 'the name of a destination, of which there are none';
  return `one of the destinations ${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? ', …' : ''}`;
}

function guess(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return `${shownText(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`;
}
