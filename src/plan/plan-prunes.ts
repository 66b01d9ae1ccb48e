import type { InventoryEntry, Propagation, ResourceKey } from '../model/index.ts';
import { held, type Candidate } from './candidate.ts';
import type { PlanInput } from './plan-input.ts';
import type { Doomed } from './prune/doomed.ts';
import { judgeDoomed } from './prune/judge-doomed.ts';
import { optionOf } from './sync-options.ts';
import { onItsWayOut } from './wave-timeout.ts';

interface Leaving extends Doomed {
  readonly isLast: boolean;
}

/** What we applied and Git no longer has: it goes, the last waves first, or is kept with a reason. */
export function pruneCandidates(input: PlanInput, declared: ReadonlySet<ResourceKey>, lastWave: number): readonly Candidate[] {
  const doomed = doomedOf(input, declared);
  const sentences = judgeDoomed(doomed.filter(({ facts }) => !facts.isDeleting), input);
  const going = doomed.filter(({ key, facts }) => facts.isDeleting || sentences.get(key)?.type === 'goes');
  const waves = mirrored(going.filter(({ isLast }) => !isLast).map(({ facts }) => facts.marks.wave));
  return doomed.map((item) => {
    const { key, uid, facts, isLast } = item;
    const place = { key, phase: 'Sync' as const, wave: isLast ? lastWave + 1 : (waves.get(facts.marks.wave) ?? facts.marks.wave) };
    const sentence = sentences.get(key);
    if (sentence === undefined) return { ...place, step: undefined, reason: 'prune', ...onItsWayOut(facts, input.application) };
    if (sentence.type === 'stays') {
      const { type: _stays, ...refusal } = sentence;
      return { ...place, step: held(place, refusal), reason: 'prune', lacks: undefined };
    }
    const step = { type: 'prune' as const, ...place, uid, propagation: propagationOf(item, input), ...(sentence.confirmed && { confirmed: true as const }) };
    return { ...place, step, reason: 'prune', lacks: undefined };
  });
}

function doomedOf({ inventory, live, application }: PlanInput, declared: ReadonlySet<ResourceKey>): readonly Leaving[] {
  return (Object.entries(inventory) as [ResourceKey, InventoryEntry][]).flatMap(([key, { uid }]) => {
    const facts = declared.has(key) ? undefined : live(key);
    if (facts === undefined) return [];
    return [{ key, uid, facts, isLast: optionOf('PruneLast', facts.marks.options, application.syncOptions) === 'true' }];
  });
}

/** The first changes places with the last, as they were applied: what was built on others goes before them. */
function mirrored(waves: readonly number[]): ReadonlyMap<number, number> {
  const ascending = [...new Set(waves)].toSorted((a, b) => a - b);
  return new Map(ascending.map((wave, index) => [wave, ascending.at(-1 - index) ?? wave]));
}

function propagationOf({ facts }: Doomed, { application }: PlanInput): Propagation {
  return (optionOf('PrunePropagationPolicy', facts.marks.options, application.syncOptions) as Propagation | undefined) ?? 'foreground';
}
