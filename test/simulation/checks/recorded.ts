import { isObject, type AppStatus, type Inventory, type JsonObject } from '../../../src/model/index.ts';
import { readApplicationStatus } from '../../../src/status/index.ts';
import type { StoredApplication } from '../world/application-server.ts';

/** What an Application's status says, without the parts that only the agent can read: to unpack them takes long. */
export function recordedIn(stored: StoredApplication): AppStatus {
  const { memory: _memory, inventory: _inventory, ...rest } = statusOf(stored);
  return readApplicationStatus(stored.id, rest);
}

export function inventoryIn(stored: StoredApplication): Inventory {
  const { inventory } = statusOf(stored);
  return inventory === undefined ? {} : readApplicationStatus(stored.id, { inventory }).inventory;
}

function statusOf({ object }: StoredApplication): JsonObject {
  const status = object['status'];
  return isObject(status) ? status : {};
}
