import type { Application, Correction, FieldChange, JudgedResource, Operation, ResourceKey, StepOutcome } from '../model/index.ts';
import { actorOf } from './next-status.ts';

const most = 3;
const withinMs = 10 * 60_000;
// Of one object; those that are put back together are changed together.
const keptPaths = 10;
// Of one application: those that were put back most often stay.
const kept = 2000;

type Corrected = Omit<Correction, 'times'>;

interface CarriedOut {
  readonly application: Pick<Application, 'policy'>;
  readonly operation: Pick<Operation, 'type'>;
  /** As it was judged before. */
  readonly resources: readonly JudgedResource[];
  readonly outcomes: readonly StepOutcome[];
}

/** What was put back of what had been changed live. What Git said anew is no correction, and what others hold was left to them. */
export function correctedBy({ application, operation, resources, outcomes }: CarriedOut): readonly Corrected[] {
  const applied = new Set(outcomes.flatMap(({ type, key }) => (type === 'applied' ? [key] : [])));
  return resources.flatMap(({ diff, cause }): readonly Corrected[] => {
    const { key } = diff;
    if (!applied.has(key) || cause === undefined || cause === 'git-ahead') return [];
    if (diff.type !== 'changed') return [{ key, path: '' }];
    const isHealed = ({ drift = application.policy.drift }: FieldChange): boolean => operation.type === 'manual' || cause !== 'live-changed' || drift === 'Heal';
    const changes = diff.changes.filter((change) => change.standing !== 'contested' && isHealed(change));
    const byPath = changes.toSorted((a, b) => (a.display < b.display ? -1 : 1)).slice(0, keptPaths);
    return byPath.map((change) => ({ key, path: change.display, ...named(actorOf([change])) }));
  });
}

/** What is on record of corrections after some more. What nobody has corrected for long is forgotten. */
export function withCorrected(before: readonly Correction[], corrected: readonly Corrected[], now: Date): readonly Correction[] {
  if (corrected.length === 0) return before;
  const all = new Map(before.filter((correction) => isRecent(correction, now)).map((correction) => [nameOf(correction), correction]));
  for (const { by, ...place } of corrected) {
    const known = all.get(nameOf(place));
    all.set(nameOf(place), { ...place, times: [...(known?.times ?? []), now.toISOString()].slice(-most), ...named(union(known?.by, by)) });
  }
  return [...all.values()].toSorted((a, b) => b.times.length - a.times.length || (lastOf(b) > lastOf(a) ? 1 : -1)).slice(0, kept);
}

/** Resources of which one place was put back several times in a short while, each time to be changed again, with those who did so as far as they are known. */
export function fightsOf(corrections: readonly Correction[], now: Date): ReadonlyMap<ResourceKey, string> {
  const fought = Map.groupBy(corrections.filter((correction) => isFought(correction, now)), ({ key }) => key);
  return new Map([...fought].map(([key, some]) => [key, some.reduce<string | undefined>((names, { by }) => union(names, by), undefined) ?? '']));
}

/** It lasts until nobody has corrected it for as long. */
function isFought(correction: Correction, now: Date): boolean {
  const [first = ''] = correction.times.slice(-most);
  return correction.times.length >= most && Date.parse(lastOf(correction)) - Date.parse(first) < withinMs && isRecent(correction, now);
}

function isRecent(correction: Correction, now: Date): boolean {
  return now.getTime() - Date.parse(lastOf(correction)) < withinMs;
}

function lastOf({ times }: Correction): string {
  return times.at(-1) ?? '';
}

function nameOf({ key, path }: Corrected): string {
  return `${key} ${path}`;
}

function union(names: string | undefined, more: string | undefined): string | undefined {
  const all = [names, more].flatMap((some) => some?.split(', ') ?? []);
  return all.length === 0 ? undefined : [...new Set(all)].toSorted().join(', ').slice(0, 200);
}

function named(by: string | undefined): { readonly by?: string } {
  return by === undefined ? {} : { by };
}
