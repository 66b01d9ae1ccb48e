import { childOf, entriesOf, isList, valueAt, type Json, type JsonObject } from '../model/index.ts';
import { importAnnotations } from './import-annotations.ts';
import type { Converted, Difference } from './difference.ts';

/** By these Argo CD finds what it applied. */
const trackingLabels: ReadonlySet<string> = new Set(['app.kubernetes.io/instance', 'argocd.argoproj.io/instance']);
const setLabel = 'argocd.argoproj.io/application-set-name';

/** Name, namespace, labels and annotations. All else belongs to the object that there is. */
export function importMetadata(metadata: JsonObject): Converted<JsonObject> {
  const labels = importLabels(metadata['labels']);
  const annotations = importAnnotations(metadata['annotations']);
  const value = {
    ...pick(metadata, 'name'),
    ...pick(metadata, 'namespace'),
    ...(Object.keys(labels.value).length > 0 && { labels: labels.value }),
    ...(Object.keys(annotations.value).length > 0 && { annotations: annotations.value }),
  };
  return { value, differences: [...deletion(metadata), ...finalizers(metadata), ...owners(metadata), ...labels.differences, ...annotations.differences] };
}

function pick(metadata: JsonObject, name: string): JsonObject {
  const value = childOf(metadata, name);
  return value === undefined || value === null ? {} : { [name]: value };
}

function importLabels(labels: Json | undefined): Converted<JsonObject> {
  const left = entriesOf(labels).filter(([name]) => trackingLabels.has(name) || name === setLabel);
  return {
    value: Object.fromEntries(entriesOf(labels).filter(([name]) => !left.some(([other]) => other === name))),
    differences: left
      .filter(([name]) => trackingLabels.has(name))
      .map(([name]) => ({
        path: `metadata.labels[${name}]`,
        type: 'left-out',
        message: 'Argo CD finds what it applied by this label, and could take the new Application for a part of another one and delete it',
      })),
  };
}

function deletion(metadata: JsonObject): readonly Difference[] {
  if (childOf(metadata, 'deletionTimestamp') === undefined) return [];
  return [{ path: 'metadata.deletionTimestamp', type: 'refused', message: 'Argo CD is deleting this Application: import it when it is to stay' }];
}

function finalizers({ finalizers: written }: JsonObject): readonly Difference[] {
  return (isList(written) ? written : []).map((finalizer, index) => {
    const isCascade = typeof finalizer === 'string' && finalizer.startsWith('resources-finalizer.argocd.argoproj.io');
    const message = isCascade
      ? 'has Argo CD delete the objects with the Application; here they stay: set spec.deletionPolicy to Cascade where they are to go with it'
      : 'is removed by nobody here';
    return { path: `metadata.finalizers[${index}]`, type: 'left-out', message };
  });
}

function owners({ ownerReferences }: JsonObject): readonly Difference[] {
  return (isList(ownerReferences) ? ownerReferences : []).flatMap((owner, index) => {
    if (valueAt(owner, ['kind']) !== 'ApplicationSet') return [];
    return [{ path: `metadata.ownerReferences[${index}]`, type: 'left-out', message: 'an ApplicationSet made it and keeps it up to date; from now on that is for you to do: there are no ApplicationSets' }];
  });
}
