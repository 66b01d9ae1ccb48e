import { trackingAnnotation, type Inventory, type InventoryEntry, type ResourceKey } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import type { ObjectServer } from '../world/object-server.ts';

/** Knows what was applied for an Application since it was made. One for each Application. */
export interface InventoryLedger {
  applied(key: ResourceKey): void;
  /** What is wrong with what is said to be the Application's own, when nothing is on its way any more. */
  wrongIn(inventory: Inventory, isDeclared: (key: ResourceKey) => boolean): readonly string[];
}

interface Held {
  readonly key: ResourceKey;
  readonly entry: InventoryEntry;
  readonly isDeclared: boolean;
}

export function createInventoryLedger(id: string, objects: ObjectServer): InventoryLedger {
  const applied = new Map<ResourceKey, string>();
  const uidOf = (key: ResourceKey): string | undefined => objects.latest(key).content?.uid;
  const isMarked = (key: ResourceKey): boolean => objects.latest(key).content?.annotations[trackingAnnotation] === trackingId(id, key);

  const wrongWith = ({ key, entry: { uid }, isDeclared }: Held): readonly string[] => {
    const live = uidOf(key);
    // While Git has it, that it is missing is told, and its entry stays: what others make in its place is known to be another one.
    if (live === undefined) return isDeclared ? [] : [`${key} is in the inventory of ${id}, and is not there`];
    if (uid === live) return isMarked(key) ? [] : [`${key} is in the inventory of ${id}, and does not bear its mark`];
    // Somebody made it anew, or the answer to its apply never came: that is found out when there is something to do.
    return uid !== '' && isMarked(key) && applied.get(key) === live ? [`${key} is in the inventory of ${id} as ${uid}, and was applied as ${live}`] : [];
  };

  return {
    applied(key) {
      const uid = uidOf(key);
      if (uid !== undefined) applied.set(key, uid);
    },
    wrongIn(inventory, isDeclared) {
      const entries = Object.entries(inventory) as [ResourceKey, InventoryEntry][];
      const missing = [...applied].filter(([key, uid]) => uidOf(key) === uid && inventory[key] === undefined);
      return [...entries.flatMap(([key, entry]) => wrongWith({ key, entry, isDeclared: isDeclared(key) })), ...missing.map(([key]) => `${key} was applied for ${id}, is there, and is not in its inventory`)];
    },
  };
}
