import { childOf, isList, isObject, sameValue, type ChangeStep, type FieldOwner, type Json, type KubeObject } from '../model/index.ts';
import { comparable } from './comparable.ts';
import { itemLabel, segment } from './display-path.ts';
import { managedEntries } from './field-owners.ts';
import { holdersBelow, holdersOf, holdersOfItems, type Holder } from './holders.ts';

/** Who changed what between two sights of an object. Status and the server's own bookkeeping are not worth a line. */
export function describeChange(before: KubeObject, after: KubeObject): Pick<ChangeStep, 'writers' | 'paths'> {
  const changes: Change[] = [];
  const [old, now] = [comparable(before, { hasStatus: true }), comparable(after, { hasStatus: true })];
  visit({ before: old, after: now, display: '', holders: holdersOf(after) }, changes);
  const writers = writersBetween(before, after);
  return { writers: writers.length > 0 ? writers : holdersOfAll(changes), paths: changes.map(({ path }) => path) };
}

/** Those whose entry is new, has grown, or has another time. One that only shrank lost what another took. */
function writersBetween(before: KubeObject, after: KubeObject): readonly FieldOwner[] {
  const known = new Map(managedEntries(before).map((entry) => [nameOf(entry.owner), entry]));
  return managedEntries(after)
    .filter(({ owner, fields }) => {
      const earlier = known.get(nameOf(owner));
      const wrote = earlier === undefined || earlier.owner.time !== owner.time || !isPartOf(fields, earlier.fields);
      return wrote && owner.subresource !== 'status';
    })
    .map(({ owner }) => owner);
}

function nameOf({ manager, operation, subresource = '' }: FieldOwner): string {
  return JSON.stringify([manager, operation, subresource]);
}

function isPartOf(fields: Json, whole: Json | undefined): boolean {
  if (!isObject(fields) || !isObject(whole)) return sameValue(fields, whole);
  return Object.entries<Json>(fields).every(([member, below]) => Object.hasOwn(whole, member) && isPartOf(below, whole[member]));
}

/** Times are whole seconds: a second write of the same fields in one second leaves no other trace than who holds them. */
function holdersOfAll(changes: readonly Change[]): readonly FieldOwner[] {
  const owners = changes.flatMap(({ holders }) => holders.map(({ owner }) => owner));
  return [...new Map(owners.map((owner) => [nameOf(owner), owner])).values()];
}

interface Change {
  readonly path: string;
  readonly holders: readonly Holder[];
}

interface Place {
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly display: string;
  readonly holders: readonly Holder[];
}

function visit({ before, after, display, holders }: Place, changes: Change[]): void {
  if (sameValue(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const place = { before: childOf(before, key), after: childOf(after, key), display: display + segment(key, display) };
      if (!sameValue(place.before, place.after)) visit({ ...place, holders: holdersBelow(holders, key) }, changes);
    }
  } else if (isList(before) && isList(after)) {
    const [old, now] = [byLabel(before), byLabel(after)];
    const holdersAt = holdersOfItems(holders, after);
    for (const label of new Set([...old.keys(), ...now.keys()])) {
      const item = now.get(label);
      visit({ before: old.get(label)?.item, after: item?.item, display: `${display}[${label}]`, holders: item === undefined ? [] : holdersAt(item.at) }, changes);
    }
  } else {
    changes.push({ path: display, holders: after === undefined ? [] : holders });
  }
}

function byLabel(items: readonly Json[]): ReadonlyMap<string, { readonly item: Json; readonly at: number }> {
  return new Map(items.map((item, at) => [itemLabel(item, at, []), { item, at }]));
}
