import { isByHand, type FieldChange, type FieldOwner, type ForeignField, type Sighting } from '../../model/index.ts';
import { printable } from './printable.ts';

type Attributed = Pick<ForeignField, 'owners' | 'seen'> & Pick<FieldChange, 'live' | 'desired'>;

/** Who changed a field and when, in the words that the evidence allows: an exact time only where the change was seen. */
export function whoAndWhen({ live, desired, owners, seen }: Attributed): string {
  const isGone = live === undefined && desired !== undefined;
  if (seen !== undefined) return `${isGone ? 'removed ' : ''}by ${writersOf(seen)} ${whenSeen(seen)}`;
  if (isGone) return 'new in Git, or removed: Kubernetes keeps no owner of what is gone';
  if (owners.length === 0) return 'by nobody else on record';
  return owners.map((owner) => `by ${nameOwner(owner)}, ${whenOwned(owner)}`).join('; ');
}

/** `kubectl (scale)` */
export function nameOwner({ manager, subresource }: FieldOwner): string {
  return printable(subresource === undefined || subresource === '' ? manager : `${manager} (${subresource})`);
}

/** Every holder of a field with all that the server recorded, one text each. */
export function managersOf({ owners, seen }: Attributed): readonly string[] {
  const holders = owners.map((owner) => `${nameFully(owner)}, ${whenOwned(owner)}`);
  const writers = seen?.writers.map((writer) => `${nameFully(writer)}, seen ${whenSeen(seen)}`) ?? [];
  const all = [...writers, ...holders];
  return all.length === 0 ? ['nobody but Setpoint on record'] : all;
}

/** What the reader should know of a change beyond its values. */
export function standingOf(change: FieldChange): string | undefined {
  if (change.standing === 'orphaned') return 'left behind: Git had it, an apply does not remove it';
  if (change.standing === 'foreign') return 'added by hand: Git says nothing about it, and a sync removes it';
  if (change.standing !== 'contested') return undefined;
  const autoscaler = /(?:^|\.)replicas$/.test(change.display) ? ', as an autoscaler does' : '';
  return `contested: ${contesters(change)} holds this field${autoscaler}; remove it from Git or stop that writer`;
}

function contesters({ owners, seen }: FieldChange): string {
  const holders = owners.length > 0 ? owners : (seen?.writers ?? []);
  const software = holders.filter(({ manager }) => !isByHand(manager));
  return unique((software.length > 0 ? software : holders).map(nameOwner)).join(' and ') || 'other software';
}

function writersOf({ writers }: Sighting): string {
  return unique(writers.map(nameOwner)).join(' and ') || 'nobody on record';
}

export function whenSeen({ seenAt, notBefore }: Sighting): string {
  return notBefore === undefined ? `at ${timeText(seenAt)}` : `between ${timeText(notBefore)} and ${timeText(seenAt)}`;
}

function whenOwned({ time }: FieldOwner): string {
  return time === undefined ? 'time not recorded' : `at or before ${timeText(time)}`;
}

function nameFully({ manager, operation, subresource }: FieldOwner): string {
  const how = subresource === undefined || subresource === '' ? operation : `${operation}, ${subresource}`;
  return printable(`${manager} (${how})`);
}

/** Whole seconds: the server records no more, and nobody reads more. */
export function timeText(time: string): string {
  return printable(time.replace(/\.\d+Z$/, 'Z'));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
