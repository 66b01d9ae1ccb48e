import { isObject, type AppStatus, type Inventory, type JsonObject } from '../../../src/model/index.ts';
import { readApplicationStatus } from '../../../src/status/index.ts';
import type { StoredApplication } from '../world/application-server.ts';

/** What an Application's status says, without the parts that only the agent can read: to unpack them takes long. Each is read once. */
export function createRecorded(): Recorded {
  const read = new WeakMap<JsonObject, AppStatus>();
  return (stored) => {
    const status = statusOf(stored);
    if (status === none) return readApplicationStatus(stored.id, none);
    const known = read.get(status);
    if (known !== undefined) return known;
    const { memory: _memory, inventory: _inventory, ...rest } = status;
    const made = readApplicationStatus(stored.id, rest);
    read.set(status, made);
    return made;
  };
}

export type Recorded = (stored: StoredApplication) => AppStatus;

const none: JsonObject = {};

export function inventoryIn(stored: StoredApplication): Inventory {
  const { inventory } = statusOf(stored);
  return inventory === undefined ? {} : readApplicationStatus(stored.id, { inventory }).inventory;
}

function statusOf({ object }: StoredApplication): JsonObject {
  const status = object['status'];
  return isObject(status) ? status : none;
}
