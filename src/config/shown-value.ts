import type { Json } from '../model/index.ts';
import { traitsOf, type ConfigKey } from './config-keys.ts';
import { shownAddress } from './repository-address.ts';
import type { Settings } from './settings-schema.ts';

const hidden = '***';

/** Durations and addresses are shown as they were written. */
const asWritten = new Set<ConfigKey>(['leaseDuration', 'interval', 'sweep', 'alerts', 'listenHooks', 'listenOperations']);

/** A value as it may be shown to anyone, in the form that a file has. */
export function shownValue(key: ConfigKey, value: Settings[ConfigKey], raw: unknown): Json {
  const { secret } = traitsOf(key);
  if (secret === 'all') return hidden;
  if (secret === 'login') return shownAddress(value as string);
  if (secret === 'values') return (value as readonly string[]).map((assignment) => `${assignment.slice(0, assignment.indexOf('='))}=${hidden}`);
  if (key === 'receivers') return shownReceivers(value as Settings['receivers']);
  if (key === 'destinations') return shownDestinations(value as Settings['destinations']);
  return (asWritten.has(key) ? raw : value) as Json;
}

function shownReceivers(receivers: Settings['receivers']): Json {
  return receivers.map(({ repository, ...receiver }) => {
    const said = Object.entries(receiver).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
    return { ...Object.fromEntries(said), ...(repository !== undefined && { repository: shownAddress(repository) }) };
  });
}

/** The path of a webhook often is what opens it. */
function shownDestinations(destinations: Settings['destinations']): Json {
  return (destinations ?? []).map((destination) => {
    if (destination.type !== 'webhook' || destination.url === undefined) return destination as unknown as Json;
    const { origin, pathname } = new URL(destination.url);
    return { ...destination, url: pathname === '/' ? origin : `${origin}/${hidden}` } as unknown as Json;
  });
}
