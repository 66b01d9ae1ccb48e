import { isObject, type AppStatus, type JsonObject } from '../../../src/model/index.ts';
import { readApplicationStatus } from '../../../src/status/index.ts';
import type { StoredApplication } from '../world/application-server.ts';

/** What an Application's status says, without the part that only the agent can read. */
export function recordedIn({ id, object }: StoredApplication): AppStatus {
  const status = object['status'];
  const { memory: _memory, ...rest }: JsonObject = isObject(status) ? status : {};
  return readApplicationStatus(id, rest);
}
