import type { Target } from '../../src/cluster/index.ts';
import { isList, isObject, type Json, type JsonObject, type KubeObject } from '../../src/model/index.ts';

type Change = (object: KubeObject) => KubeObject | undefined;

/** The same with one field changed: an image, a value of a map of data, or else a label. */
export function withOneChange(target: Target): Target {
  const { manifest } = target;
  const object = otherImage(manifest.object) ?? otherData(manifest.object) ?? otherLabel(manifest.object);
  return { ...target, manifest: { ...manifest, object } };
}

const otherImage: Change = (object) => {
  const containers = ['spec', 'template', 'spec', 'containers'];
  return changedAt(object, containers, (list) => {
    const [first, ...rest] = isList(list) ? list : [];
    return isObject(first) && typeof first['image'] === 'string' ? [{ ...first, image: `${first['image']}-next` }, ...rest] : undefined;
  });
};

const otherData: Change = (object) =>
  changedAt(object, ['data'], (data) => {
    const [first] = isObject(data) ? Object.entries<Json>(data) : [];
    return isObject(data) && typeof first?.[1] === 'string' ? { ...data, [first[0]]: `${first[1]}\n` } : undefined;
  });

function otherLabel(object: KubeObject): KubeObject {
  const { labels } = object.metadata;
  return { ...object, metadata: { ...object.metadata, labels: { ...(isObject(labels) ? labels : {}), 'example.com/edition': 'next' } } };
}

function changedAt(object: KubeObject, [key, ...rest]: readonly string[], change: (value: Json) => Json | undefined): KubeObject | undefined {
  const within = (value: JsonObject, name: string, path: readonly string[]): JsonObject | undefined => {
    const below = value[name];
    if (below === undefined) return undefined;
    const [next, ...more] = path;
    const changed = next === undefined ? change(below) : isObject(below) ? within(below, next, more) : undefined;
    return changed === undefined ? undefined : { ...value, [name]: changed };
  };
  return key === undefined ? undefined : (within(object, key, rest) as KubeObject | undefined);
}
