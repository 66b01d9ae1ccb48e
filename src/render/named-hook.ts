import { createHash } from 'node:crypto';
import { entriesOf, type KubeObject } from '../model/index.ts';

const hookAnnotations: ReadonlySet<string> = new Set(['setpoint.dev/hook', 'argocd.argoproj.io/hook', 'helm.sh/hook']);
// With what Kubernetes adds to it for pods, a name stays below 63 characters.
const longestBeginning = 40;

/**
 * A hook is created anew each time anyway, so one that leaves its name to the server gets a name that the next look knows again: of where it
 * is written, and not of what it says. Undefined where it is no hook.
 */
export function namedHook(object: KubeObject, origin: string): KubeObject | undefined {
  const { generateName, name: _name, ...metadata } = object.metadata;
  if (typeof generateName !== 'string' || !entriesOf(metadata['annotations']).some(([annotation]) => hookAnnotations.has(annotation))) return undefined;
  const suffix = createHash('sha256').update([origin, object.apiVersion, object.kind, generateName].join('\n')).digest('hex').slice(0, 8);
  return { ...object, metadata: { ...metadata, name: `${generateName.slice(0, longestBeginning)}${suffix}` } };
}
