import { slipsBetween } from '../config/index.ts';

/** The name that somebody probably meant; undefined where none is near. */
export function nearestName(meant: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: slipsBetween(meant.toLowerCase(), name.toLowerCase()) })).toSorted((a, b) => a.distance - b.distance);
  const [nearest] = ranked;
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(meant.length / 3)) ? nearest.name : undefined;
}
