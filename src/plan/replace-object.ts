import { parseResourceKey, type Propagation, type Step } from '../model/index.ts';
import type { Wanting } from './apply-vetoes.ts';
import { held, type Candidate } from './candidate.ts';
import { lostWith } from './dangerous-kinds.ts';
import { isOfSetpoint, neededHere } from './of-setpoint.ts';
import type { PlanInput } from './plan-input.ts';

/** Deleted with what they made, these would take data or traffic with them that the new object could have kept. */
const keepsItsOwn: Readonly<Record<string, Propagation>> = { 'apps/StatefulSet': 'orphan' };

/** What can only be had by deleting it first: done where the object itself says so, and never where that would take more with it. */
export function replaceObject({ diff, marks, facts }: Wanting, place: Pick<Candidate, 'key' | 'phase' | 'wave'>, input: PlanInput): Step | undefined {
  if (diff.type !== 'changed' || diff.obstacle?.type !== 'replace') return undefined;
  const lost = lostWith(diff.key);
  const fields = diff.changes.map(({ display }) => display).join(', ');
  const why = `it would have to be deleted and created again for ${fields === '' ? 'this change' : fields}: ${diff.obstacle.message}`;
  if (lost !== undefined) return held(place, { code: 'RequiresReplace', why: `${why}; ${lost} would be lost with it, so it is never done here` });
  if (isOfSetpoint(diff.key, facts, input)) return held(place, { code: 'RequiresReplace', why: `${why}; ${neededHere}` });
  const isAllowed = marks.options['Force'] === 'true';
  if (!isAllowed || facts === undefined) return held(place, { code: 'RequiresReplace', why: `${why}; the annotation setpoint.dev/sync-options: Force=true on the object allows it` });
  const { group, kind } = parseResourceKey(diff.key);
  return { type: 'recreate', ...place, uid: facts.uid, propagation: keepsItsOwn[`${group}/${kind}`] ?? 'foreground' };
}
