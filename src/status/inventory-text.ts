import { isObject, parseJsonOrUndefined, type Inventory, type Json, type JsonObject } from '../model/index.ts';
import { compress, inflate } from './compressed-text.ts';
import { remembered } from './remembered.ts';

// About 14,000 resources: half of what a UID takes cannot be compressed.
const longestWithUids = 512 * 1024;

/**
 * What was applied, as one short text. Where it is long, without UIDs: what is on record without one is ours only if it bears our mark, so
 * nothing else is ever deleted. Undefined where there is no room even for that.
 */
export function inventoryText(inventory: Inventory, room: number): string | undefined {
  const text = textOf(inventory);
  return text.length <= room ? text : undefined;
}

const textOf = remembered((inventory: Inventory): string => {
  const whole = compress(inventory);
  if (whole.length <= longestWithUids) return whole;
  return compress(Object.fromEntries(Object.entries(inventory).map(([key, { version }]) => [key, { uid: '', version }])));
});

/** Nothing where the text cannot be read: then nothing is deleted. */
export function inventoryIn(text: string): Inventory {
  const stored = parseJsonOrUndefined(inflate(text));
  const isEntry = (entry: Json): entry is JsonObject => isObject(entry) && typeof entry['uid'] === 'string' && typeof entry['version'] === 'string';
  return Object.fromEntries(Object.entries<Json>(isObject(stored) ? stored : {}).filter(([, entry]) => isEntry(entry))) as unknown as Inventory;
}
