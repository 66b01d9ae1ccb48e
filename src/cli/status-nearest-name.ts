/** The name that somebody probably meant; undefined where none is near. */
export function nearestName(meant: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distanceOf(meant.toLowerCase(), name.toLowerCase()) })).toSorted((a, b) => a.distance - b.distance);
  const [nearest] = ranked;
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(meant.length / 3)) ? nearest.name : undefined;
}

/** How many letters have to be put in, taken out, replaced or swapped with their neighbour. */
function distanceOf(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_none, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1), swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
