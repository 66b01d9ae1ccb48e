import type { Json, JsonObject } from '../model/index.ts';
import { objectsAt, textAt } from './read-object.ts';

/** A condition of a status, by its type. */
export function conditionOf(object: Json | undefined, type: string): JsonObject | undefined {
  return objectsAt(object, 'status.conditions').find((condition) => condition['type'] === type);
}

/** The condition of that type, where it has that status. */
export function conditionWith(object: Json | undefined, type: string, status: 'True' | 'False' | 'Unknown'): JsonObject | undefined {
  const condition = conditionOf(object, type);
  return condition?.['status'] === status ? condition : undefined;
}

/** `Reason: message`, or what there is of it. */
export function conditionText(condition: JsonObject): string {
  const [reason, message] = [textAt(condition, 'reason'), textAt(condition, 'message')];
  return [reason, message].filter((part) => part !== undefined).join(': ');
}
