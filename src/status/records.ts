import { wholeSeconds, type AppStatus, type Condition } from '../model/index.ts';
import { inventoryText } from './inventory-text.ts';
import { memoryText } from './memory-text.ts';

// The API server takes objects of 1.5 MiB. Everything else in a status is bounded, and below 0.2 MiB.
const room = 2 ** 20;

export interface Records {
  readonly inventory: string | null;
  readonly memory: string | null;
  /** What there was no room for. */
  readonly conditions: readonly Condition[];
}

/** What the agent needs again after a restart, as far as there is room. What was applied comes first: deletions go by it. */
export function recordsOf({ inventory, agreed }: Pick<AppStatus, 'inventory' | 'agreed'>, now: Date): Records {
  const applied = Object.keys(inventory).length;
  const kept = applied === 0 ? null : (inventoryText(inventory, room) ?? null);
  const memory = memoryText(agreed, room - (kept?.length ?? 0)) ?? null;
  const missing = [...(applied > 0 && kept === null ? [tooLong(applied)] : []), ...(memory === null ? [tooMuch(Object.keys(agreed).length)] : [])];
  const [first] = missing;
  const condition = first && { type: recordsTruncated, status: 'True' as const, reason: first.reason, message: missing.map(({ message }) => message).join('; '), lastTransitionTime: wholeSeconds(now) };
  return { inventory: kept, memory, conditions: condition === undefined ? [] : [condition] };
}

export const recordsTruncated = 'RecordsTruncated';

type Missing = Pick<Condition, 'reason' | 'message'>;

function tooLong(applied: number): Missing {
  return {
    reason: 'InventoryTooLarge',
    message: `${applied} resources were applied, more than a status can list: after a restart of the agent, what Git no longer has is not pruned, nor deleted with the Application; split it into several`,
  };
}

function tooMuch(agreed: number): Missing {
  return { reason: 'MemoryTooLarge', message: `what was agreed on ${agreed} resources is more than a status can hold: after a restart of the agent, what was changed live before counts as ahead in Git` };
}
