import { canonicalJson, isList, isObject, type ChangeStep, type FieldOwner, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import { comparable } from './comparable.ts';
import { itemLabel, segment } from './display-path.ts';
import { managedEntries } from './field-owners.ts';
import { sameValue } from './same-value.ts';

/** Who changed what between two sights of an object. Status and the server's own bookkeeping are not worth a line. */
export function describeChange(before: KubeObject, after: KubeObject): Pick<ChangeStep, 'writers' | 'paths'> {
  const paths: string[] = [];
  visit({ before: comparable(before, { hasStatus: true }), after: comparable(after, { hasStatus: true }), display: '' }, paths);
  return { writers: writersBetween(before, after), paths };
}

function writersBetween(before: KubeObject, after: KubeObject): readonly FieldOwner[] {
  const known = new Set(managedEntries(before).map(nameOfEntry));
  return managedEntries(after)
    .filter((entry) => entry.owner.subresource !== 'status' && !known.has(nameOfEntry(entry)))
    .map(({ owner }) => owner);
}

function nameOfEntry({ owner, fields }: { readonly owner: FieldOwner; readonly fields: JsonObject }): string {
  return canonicalJson([owner.manager, owner.operation, owner.subresource ?? '', owner.time ?? '', fields]);
}

interface Place {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly display: string;
}

function visit({ before, after, display }: Place, paths: string[]): void {
  if (sameValue(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      visit({ before: child(before, key), after: child(after, key), display: display + segment(key, display) }, paths);
    }
  } else if (isList(before) && isList(after)) {
    const [old, now] = [byLabel(before), byLabel(after)];
    for (const label of new Set([...old.keys(), ...now.keys()])) visit({ before: old.get(label), after: now.get(label), display: `${display}[${label}]` }, paths);
  } else {
    paths.push(display);
  }
}

function byLabel(items: readonly Json[]): ReadonlyMap<string, Json> {
  return new Map(items.map((item, at) => [itemLabel(item, at, []), item]));
}

function child(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
