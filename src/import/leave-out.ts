import { readApplication } from '../apps/index.ts';
import { stringifyJson, type JsonObject } from '../model/index.ts';
import { adviceFor } from './advice.ts';
import type { Converted, Difference } from './difference.ts';
import { splitPath, withoutPaths } from './json-path.ts';

/** The document as far as the agent would heed it, by the agent's own reading of it. */
export function leaveOutWithoutEffect(document: JsonObject): Converted<JsonObject> {
  const read = readApplication(document);
  if (read.type === 'invalid') return { value: document, differences: read.messages.map((message) => differenceOf(message, 'refused')) };
  const warned = read.spec.warnings.flatMap((warning) => (isCount.test(warning) ? [] : (splitPath(warning) ?? [])));
  const value = withoutPaths(document, warned.map(({ path }) => path));
  const differences = read.spec.warnings.map((warning) => differenceOf(warning, 'left-out'));
  // A field whose name is too long to be shown stays where it is.
  if (!isCount.test(read.spec.warnings.at(-1) ?? '') || stringifyJson(value) === stringifyJson(document)) return { value, differences };
  const rest = leaveOutWithoutEffect(value);
  return { value: rest.value, differences: [...differences.slice(0, -1), ...rest.differences] };
}

// A reading tells of the first fifty only.
const isCount = /^and \d+ more$/;

function differenceOf(message: string, type: 'refused' | 'left-out'): Difference {
  const { shown: path, rest } = (isCount.test(message) ? undefined : splitPath(message)) ?? { shown: '', rest: message };
  const advice = adviceFor(path);
  return { path, type, message: advice === undefined ? rest : `${rest}: ${advice}` };
}
