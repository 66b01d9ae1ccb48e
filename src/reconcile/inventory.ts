import { groupOf, trackingAnnotation, valueAt, type Inventory, type InventoryEntry, type Json, type KubeObject, type Plan, type ResourceKey } from '../model/index.ts';
import { trackedApplication, trackingId } from '../plan/index.ts';
import type { LiveObjects } from './live-objects.ts';
import type { Target } from './ports.ts';

interface Known {
  readonly applicationId: string;
  readonly objects: LiveObjects;
  /** Those that Git has. */
  readonly declared: ReadonlySet<ResourceKey>;
  /** Read, and not there. */
  readonly left: readonly ResourceKey[];
}

/** What is an application's own: what it applied before, and what bears its mark; less what is gone. */
export function inventoryAfter(before: Inventory, { applicationId, objects, declared, left }: Known): Inventory {
  const gone = new Set(left.filter((key) => !objects.has(key)));
  const kept = entriesOf(completed(before, { applicationId, objects, declared })).filter(([key]) => !gone.has(key));
  const marked = [...objects].filter(([key, object]) => declared.has(key) && isMarked(applicationId, key, object));
  return Object.fromEntries([...kept, ...marked.flatMap(([key, object]) => entryOf(key, object))]);
}

/** After writes of our own; null: it was deleted. */
export function withWritten(before: Inventory, written: ReadonlyMap<ResourceKey, KubeObject | null>): Inventory {
  if (written.size === 0) return before;
  const kept = entriesOf(before).filter(([key]) => written.get(key) !== null);
  return Object.fromEntries([...kept, ...[...written].flatMap(([key, object]) => (object === null ? [] : entryOf(key, object)))]);
}

/**
 * What a plan is about to make, to be on record before: an answer may never come, and Git may no longer have it by the next look. Its UID is
 * not known yet. Empty where all of it is on record.
 */
export function intendedBy({ steps }: Plan, targets: readonly Target[], before: Inventory): Inventory {
  const declared = new Map(targets.map(({ manifest }) => [manifest.key, manifest.object]));
  return Object.fromEntries(
    steps.flatMap((step): readonly [ResourceKey, InventoryEntry][] => {
      const object = declared.get(step.key);
      const isMade = step.type === 'recreate' || (step.type === 'apply' && (step.why === 'missing' || before[step.key] === undefined));
      return object === undefined || !isMade || before[step.key]?.uid === unknown ? [] : [[step.key, { uid: unknown, version: versionOf(object) }]];
    }),
  );
}

/**
 * What was about to be made and bears our mark was made by us. What does not, and Git no longer has, is somebody else's; so is what
 * bears the mark of another application by then.
 */
export function completed(before: Inventory, { applicationId, objects, declared }: Omit<Known, 'left'>): Inventory {
  return Object.fromEntries(
    entriesOf(before).flatMap(([key, entry]) => {
      const object = objects.get(key);
      if (object !== undefined && !declared.has(key) && isTaken(applicationId, key, object)) return [];
      if (entry.uid !== unknown || object === undefined) return [[key, entry]];
      return isMarked(applicationId, key, object) ? entryOf(key, object) : declared.has(key) ? [[key, entry]] : [];
    }),
  );
}

/** When a sync has ended, what it was about to make and did not is nobody's. While Git has it, it may have been made all the same: no answer came. */
export function withoutIntended(before: Inventory, declared: ReadonlySet<ResourceKey>): Inventory {
  return Object.fromEntries(entriesOf(before).filter(([key, { uid }]) => uid !== unknown || declared.has(key)));
}

const unknown = '';

function entriesOf(inventory: Inventory): readonly [ResourceKey, InventoryEntry][] {
  return Object.entries(inventory) as [ResourceKey, InventoryEntry][];
}

function isMarked(applicationId: string, key: ResourceKey, object: KubeObject): boolean {
  return markOf(object) === trackingId(applicationId, key);
}

function isTaken(applicationId: string, key: ResourceKey, object: KubeObject): boolean {
  const mark = markOf(object);
  const owner = typeof mark === 'string' ? trackedApplication(mark, key) : undefined;
  return owner !== undefined && owner !== applicationId;
}

function markOf(object: KubeObject): Json | undefined {
  return valueAt(object, ['metadata', 'annotations', trackingAnnotation]);
}

function entryOf(key: ResourceKey, object: KubeObject): readonly [ResourceKey, InventoryEntry][] {
  const { uid } = object.metadata;
  return typeof uid === 'string' ? [[key, { uid, version: versionOf(object) }]] : [];
}

function versionOf({ apiVersion }: KubeObject): string {
  return groupOf(apiVersion) === '' ? apiVersion : (apiVersion.split('/')[1] ?? '');
}
