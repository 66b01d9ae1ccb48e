import { parseResourceKey, type ResourceKey } from '../model/index.ts';

/** What takes others, or data, with it when it is deleted. */
const lost: Readonly<Record<string, string>> = {
  '/Namespace': 'all that is in it',
  'apiextensions.k8s.io/CustomResourceDefinition': 'every object of its kind, in all namespaces',
  '/PersistentVolume': 'the data on it',
  '/PersistentVolumeClaim': 'the data on its volume',
};

/** What would be lost with an object; undefined where it is only itself. */
export function lostWith(key: ResourceKey): string | undefined {
  const { group, kind } = parseResourceKey(key);
  const name = `${group}/${kind}`;
  return Object.hasOwn(lost, name) ? lost[name] : undefined;
}
