import {
  fieldManager,
  isObject,
  isSoftware,
  type ChangeStep,
  type Diff,
  type FieldChange,
  type KubeObject,
  type LiveObject,
  type Manifest,
  type Obstacle,
  type Remarks,
  type Schema,
  type SideEffect,
} from '../model/index.ts';
import { comparable } from './comparable.ts';
import { displayPath } from './display-path.ts';
import { foreignFields } from './foreign-fields.ts';
import { holdersOf, isOurs } from './holders.ts';
import { isIgnored, neutralise, type ObjectIgnores } from './ignore/index.ts';
import { provenPatch } from './json-patch.ts';
import { keysOf, removeAt } from './json-pointer.ts';
import { maskSecret, type Tag } from './mask.ts';
import { sightingOf } from './sighting.ts';
import { treeChanges, type TreeChange } from './tree-changes.ts';
import { warningsOf } from './warnings.ts';

export interface Sides {
  readonly live: LiveObject;
  /** What the object would be after a sync. */
  readonly predicted: KubeObject;
  readonly hasStatus: boolean;
  readonly schema: Schema | undefined;
  readonly tag: Tag;
  readonly ignores?: ObjectIgnores | undefined;
  readonly journal?: readonly ChangeStep[];
  /** Pointers into the prediction: what Git once had, and what an apply would leave. */
  readonly orphans?: readonly string[];
  /** Likewise: what people added, and is to go. */
  readonly reverted?: readonly string[];
  /** Pointers into live: what client-side apply wrote and Git has no more, where the apply takes that over. */
  readonly dropped?: readonly string[];
  /** Pointers to what another try of the same apply predicts differently. */
  readonly volatile?: ReadonlySet<string>;
  readonly obstacle?: Obstacle;
  readonly unconfirmed?: string;
}

/** Only what Git asks for, or no longer asks for, is a difference; what the server would do besides is told apart. */
export function compareObjects(manifest: Manifest, sides: Sides): Diff {
  const { key, origin } = manifest;
  const { live, hasStatus, ignores } = sides;
  const predicted = removeAt(sides.predicted, [...(sides.orphans ?? []), ...(sides.reverted ?? [])]);
  const cleaned = { actual: comparable(live.object, { hasStatus }), wanted: comparable(predicted, { hasStatus }) };
  const actual = withEmptied(cleaned.actual, { of: live.object, beside: cleaned.wanted });
  const wanted = withEmptied(cleaned.wanted, { of: predicted, beside: cleaned.actual });
  const accepted = ignores === undefined ? wanted : acceptIgnored(wanted, { actual, live, hasStatus, ignores });
  const compare = (after: KubeObject): Comparison => compareTrees({ manifest, sides, actual, after });

  const compared = compare(accepted);
  const ignored = accepted === wanted ? [] : beyond(compare(wanted).changes, compared.changes);
  const remarks: Remarks = {
    foreign: foreignOf(manifest, sides, compared.before).filter(({ path }) => !compared.changes.some((change) => change.standing === 'foreign' && change.path === path)),
    ignored,
    sideEffects: compared.sideEffects,
    adopted: holdersOf(live.object).some(isOurs),
    warnings: warningsOf(live.object),
  };
  const { changes, before, after, patch } = compared;
  if (changes.length === 0) return { type: 'same', key, origin, ...remarks };
  const { obstacle, unconfirmed } = sides;
  return {
    ...{ type: 'changed', key, origin, patch: provenPatch(patch, before, after), changes, before, after },
    ...(obstacle === undefined ? {} : { obstacle }),
    ...(unconfirmed === undefined ? {} : { unconfirmed }),
    ...remarks,
  };
}

/** With annotations, though none is left to compare, where the other side has some: a patch must add to those of the object, or leave them. */
function withEmptied(cleaned: KubeObject, { of, beside }: { readonly of: KubeObject; readonly beside: KubeObject }): KubeObject {
  const isEmptied = cleaned.metadata['annotations'] === undefined && isObject(of.metadata['annotations']);
  return isEmptied && beside.metadata['annotations'] !== undefined ? { ...cleaned, metadata: { ...cleaned.metadata, annotations: {} } } : cleaned;
}

interface Ignoring {
  readonly actual: KubeObject;
  readonly live: LiveObject;
  readonly hasStatus: boolean;
  readonly ignores: ObjectIgnores;
}

/** The wanted object with what is ignored as live has it; the very same value where nothing is. */
function acceptIgnored(wanted: KubeObject, { actual, live, hasStatus, ignores }: Ignoring): KubeObject {
  // A rule may be about managers, so they are there; and it may be about all metadata, so they are taken out again.
  const managed = { ...actual, metadata: { ...actual.metadata, managedFields: live.object.metadata['managedFields'] ?? [] } };
  const accepted = neutralise(wanted, managed, { ignores, fillIn: true });
  return accepted === wanted ? wanted : comparable(accepted, { hasStatus });
}

export function missingObject({ key, origin, object }: Manifest, tag: Tag): Diff {
  const after = maskSecret(object, { other: undefined, side: 'after', tag });
  return { type: 'missing', key, origin, patch: [{ op: 'add', path: '', value: after }], after };
}

interface Comparison extends Pick<Extract<Diff, { type: 'changed' }>, 'changes' | 'before' | 'after' | 'patch'> {
  readonly sideEffects: readonly SideEffect[];
}

interface Trees {
  readonly manifest: Manifest;
  readonly sides: Sides;
  readonly actual: KubeObject;
  readonly after: KubeObject;
}

function compareTrees({ manifest, sides, actual, after: wanted }: Trees): Comparison {
  const { live, schema, tag, journal = [], volatile = new Set(), orphans = [], reverted = [], dropped = [], predicted } = sides;
  const before = maskSecret(actual, { other: wanted, side: 'before', tag });
  const after = maskSecret(wanted, { other: actual, side: 'after', tag });
  const found = treeChanges({ live: before, predicted: after, desired: manifest.object, held: live.object }, schema);
  const added = new Set(reverted.map((pointer) => displayPath(predicted, keysOf(pointer))));
  const gone = new Set(dropped.map((pointer) => displayPath(live.object, keysOf(pointer))));
  const changes: FieldChange[] = [];
  const sideEffects: SideEffect[] = [];
  for (const change of found) {
    const { op, path } = change.operation;
    const described = describe(change, journal);
    // Nothing else takes away what neither Git mentions nor we hold.
    if (orphans.length + reverted.length > 0 && op === 'remove' && !change.ours) changes.push({ ...described, standing: added.has(change.plain) ? 'foreign' : 'orphaned' });
    else if (!change.ours && !(op === 'remove' && gone.has(change.plain))) sideEffects.push({ ...described, why: 'admission' });
    else if (change.format) sideEffects.push({ ...described, why: 'format' });
    else if (volatile.has(path)) sideEffects.push({ ...described, why: 'volatile' });
    else changes.push(described.owners.some(({ manager }) => isSoftware(manager)) ? { ...described, standing: 'contested' } : described);
  }
  return { changes, sideEffects, before, after, patch: found.map(({ operation }) => operation) };
}

function describe({ operation, display, plain, live, predicted, owners }: TreeChange, journal: readonly ChangeStep[]): FieldChange {
  const seen = sightingOf(plain, journal);
  return {
    path: operation.path,
    display,
    ...(live === undefined ? {} : { live }),
    ...(predicted === undefined ? {} : { desired: predicted }),
    owners: owners.filter(({ manager }) => manager !== fieldManager),
    ...(seen === undefined ? {} : { seen }),
  };
}

function foreignOf({ object }: Manifest, { live, ignores, journal = [] }: Sides, shown: KubeObject): Remarks['foreign'] {
  const fields = foreignFields(object, live.object, shown).filter(({ path }) => ignores === undefined || !isIgnored(keysOf(path), live.object, ignores));
  return fields.map((field) => {
    const seen = sightingOf(displayPath(shown, keysOf(field.path)), journal);
    return seen === undefined ? field : { ...field, seen };
  });
}

/** Changes that are among the first and not among the second. By name: pointers move when an item stays that would have gone. */
function beyond(all: readonly FieldChange[], left: readonly FieldChange[]): readonly FieldChange[] {
  const nameOf = ({ display, live, desired }: FieldChange): string => `${live === undefined} ${desired === undefined} ${display}`;
  const names = new Set(left.map(nameOf));
  return all.filter((change) => !names.has(nameOf(change)));
}
