import { canonicalJson, childOf, isList, isObject, sameValue, type FieldOwner, type Json, type JsonObject, type KubeObject, type PatchOperation, type Schema } from '../model/index.ts';
import { itemLabel, segment } from './display-path.ts';
import { holdersBelow, holdersOf, holdersOfItems, isOurs, type Holder } from './holders.ts';
import { pointerOf } from './json-pointer.ts';
import { listKeys, type KeyedItem } from './list-keys.ts';
import { sameAmount } from './quantity.ts';
import { fieldOf, walk } from './walk.ts';

/** One semantic change from the live object to the predicted one. */
export interface TreeChange {
  readonly operation: PatchOperation;
  readonly display: string;
  /** The same without a schema, as the journal of an object names places. */
  readonly plain: string;
  readonly live: Json | undefined;
  readonly predicted: Json | undefined;
  /** Whether it comes from Git: Git mentions the place, or we hold it and Git no longer has it. Anything else the server adds. */
  readonly ours: boolean;
  /** The same in another form, where the server keeps forms as they come: an amount respelt, a set reordered. */
  readonly format: boolean;
  /** The server would not store what Git says here, but something else. */
  readonly rewritten: boolean;
  /** Who holds the live value, we included. */
  readonly owners: readonly FieldOwner[];
}

interface Trees {
  /** Masked or not: only live and predicted are put into the result. */
  readonly live: KubeObject;
  readonly predicted: KubeObject;
  readonly desired: KubeObject;
  /** The live object with its managed fields. */
  readonly held: KubeObject;
}

/** Undefined schema: lists are matched by name where they can be, by position otherwise. */
export function treeChanges({ live, predicted, desired, held }: Trees, schema: Schema | undefined): readonly TreeChange[] {
  const found: TreeChange[] = [];
  visit({ live, predicted, desired, holders: holdersOf(held), schema: schema ?? any, keys: [], display: '', plain: '', replaced: false }, found);
  return found;
}

const any: Schema = { type: 'any' };

interface Place {
  readonly live: Json | undefined;
  readonly predicted: Json | undefined;
  readonly desired: Json | undefined;
  readonly holders: readonly Holder[];
  readonly schema: Schema;
  readonly keys: readonly string[];
  readonly display: string;
  readonly plain: string;
  /** Git has a value further up that is replaced whole, so everything below is Git's. */
  readonly replaced: boolean;
}

function visit(place: Place, found: TreeChange[]): void {
  const { live, predicted } = place;
  if (sameValue(live, predicted)) return;
  if (isObject(live) && isObject(predicted)) visitObject(place, [live, predicted], found);
  else if (isList(live) && isList(predicted)) visitList(place, [live, predicted], found);
  else found.push(changeAt(place));
}

function visitObject(place: Place, [live, predicted]: readonly [JsonObject, JsonObject], found: TreeChange[]): void {
  const { desired, schema, keys, display, plain, holders } = place;
  const atomic = (schema.type === 'struct' || schema.type === 'map') && schema.atomic;
  const replaced = place.replaced || (atomic && desired !== undefined);
  for (const key of new Set([...Object.keys(live), ...Object.keys(predicted)])) {
    const [before, after] = [childOf(live, key), childOf(predicted, key)];
    if (sameValue(before, after)) continue;
    visit(
      {
        live: before,
        predicted: after,
        desired: childOf(desired, key),
        holders: holdersBelow(holders, key),
        schema: fieldOf(schema, key)?.schema ?? any,
        keys: [...keys, key],
        display: display + segment(key, display),
        plain: plain + segment(key, plain),
        replaced,
      },
      found,
    );
  }
}

type Lists = readonly [readonly Json[], readonly Json[]];

function visitList(place: Place, lists: Lists, found: TreeChange[]): void {
  const identity = identityOf(place, lists);
  if (identity === undefined) visitPositions(place, lists, found);
  else visitItems(place, identity, found);
}

interface Identity {
  readonly live: ReadonlyMap<string, KeyedItem>;
  readonly predicted: ReadonlyMap<string, KeyedItem>;
  readonly desired: ReadonlyMap<string, KeyedItem>;
}

const byName = { relation: 'map', keys: ['name'], element: { schema: any } } as const;

/** How items of both sides belong together, where they have an identity. */
function identityOf({ schema, desired }: Place, [live, predicted]: Lists): Identity | undefined {
  const keyed = schema.type === 'list' && schema.relation !== 'atomic' ? { ...schema, relation: schema.relation } : byName;
  for (const list of [keyed, byName]) {
    const [before, after] = [listKeys(live, list), listKeys(predicted, list)];
    if (before !== undefined && after !== undefined) {
      return { live: before, predicted: after, desired: listKeys(isList(desired) ? desired : [], list) ?? new Map() };
    }
  }
  return undefined;
}

function visitItems(place: Place, { live, predicted, desired }: Identity, found: TreeChange[]): void {
  const { schema, holders, display, plain, keys } = place;
  const kept = [...live.keys()].filter((key) => predicted.has(key));
  if ([...predicted.keys()].filter((key) => live.has(key)).some((key, at) => key !== kept[at])) {
    found.push(changeAt(place));
    return;
  }
  const element = schema.type === 'list' ? schema.element.schema : any;
  const keyNames = schema.type === 'list' ? schema.keys : [];
  const holdersAt = holdersOfItems(holders, isList(place.live) ? place.live : []);
  const replaced = place.replaced || (isReplacedWhole(schema) && place.desired !== undefined);
  const at = (key: string, index: number): Place => {
    const item = live.get(key)?.value ?? predicted.get(key)?.value ?? null;
    const before = live.get(key);
    return {
      live: before?.value,
      predicted: predicted.get(key)?.value,
      desired: desired.get(key)?.value,
      holders: before === undefined ? [] : holdersAt(before.at),
      schema: element,
      keys: [...keys, String(index)],
      display: `${display}[${itemLabel(item, index, keyNames)}]`,
      plain: `${plain}[${itemLabel(item, index, [])}]`,
      replaced,
    };
  };
  // In this order every pointer is right when its turn comes: nothing has moved yet, then the last goes first, then places fill up.
  for (const key of kept) visit(at(key, live.get(key)?.at ?? 0), found);
  for (const [key, item] of [...live].toReversed()) if (!predicted.has(key)) found.push(changeAt(at(key, item.at)));
  for (const [key, item] of predicted) if (!live.has(key)) found.push(changeAt(at(key, item.at)));
}

function visitPositions(place: Place, [live, predicted]: Lists, found: TreeChange[]): void {
  const { desired, schema, keys, display, plain, holders } = place;
  const element = schema.type === 'list' ? schema.element.schema : any;
  const holdersAt = holdersOfItems(holders, live);
  const at = (index: number, sides: Pick<Place, 'live' | 'predicted'>): Place => ({
    ...sides,
    desired: isList(desired) ? desired[index] : undefined,
    holders: holdersAt(index),
    schema: element,
    keys: [...keys, String(index)],
    display: `${display}[${index}]`,
    plain: `${plain}[${itemLabel(sides.live ?? sides.predicted ?? null, index, [])}]`,
    replaced: place.replaced || desired !== undefined,
  });
  if (live.length === predicted.length) {
    for (const [index, item] of live.entries()) visit(at(index, { live: item, predicted: predicted[index] }), found);
    return;
  }
  const shorter = Math.min(live.length, predicted.length);
  let start = 0;
  while (start < shorter && sameValue(live[start], predicted[start])) start += 1;
  let end = 0;
  while (end < shorter - start && sameValue(live.at(-1 - end), predicted.at(-1 - end))) end += 1;
  if (start + end < shorter) {
    found.push(changeAt(place));
    return;
  }
  for (let index = live.length - end - 1; index >= start; index--) found.push(changeAt(at(index, { live: live[index], predicted: undefined })));
  for (let index = start; index < predicted.length - end; index++) found.push(changeAt(at(index, { live: undefined, predicted: predicted[index] })));
}

function changeAt({ live, predicted, desired, holders, schema, keys, display, plain, replaced }: Place): TreeChange {
  const path = pointerOf(keys);
  const operation: PatchOperation =
    predicted === undefined ? { op: 'remove', path } : { op: live === undefined ? 'add' : 'replace', path, value: predicted };
  const format = isSameInOtherForm(live, predicted, schema);
  const ours = replaced || desired !== undefined || holders.some(isOurs);
  const rewritten = desired !== undefined && predicted !== undefined && walk(desired, predicted, { schema, whole: replaced }) === 'different';
  const owners = live === undefined ? [] : holders.map(({ owner }) => owner);
  return { operation, display, plain, live, predicted, ours, format, rewritten, owners };
}

/** The same amount in another spelling, the same set in another order. */
function isSameInOtherForm(live: Json | undefined, predicted: Json | undefined, schema: Schema): boolean {
  if (schema.type === 'scalar') return schema.format === 'quantity-text' && sameAmount(live, predicted);
  if (schema.type !== 'list' || schema.relation !== 'set' || !isList(live) || !isList(predicted)) return false;
  const sorted = (items: readonly Json[]): readonly string[] => items.map(canonicalJson).toSorted();
  return sameValue(sorted(live), sorted(predicted));
}

function isReplacedWhole(schema: Schema): boolean {
  return schema.type !== 'list' || schema.relation === 'atomic';
}
