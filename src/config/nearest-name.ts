/** The known name that was probably meant: the same but for its case and dashes, or a slip or two away. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const meant = plain(name);
  const most = Math.max(1, Math.floor(meant.length / 4));
  const [best] = known
    .map((candidate) => ({ candidate, slips: slipsBetween(meant, plain(candidate)) }))
    .filter(({ slips }) => slips <= most)
    .toSorted((one, other) => one.slips - other.slips);
  return best?.candidate;
}

function plain(name: string): string {
  return name.replaceAll(/[-_.\s]/g, '').toLowerCase().slice(0, 64);
}

/** How many letters are to be added, removed, replaced or swapped with their neighbour. */
export function slipsBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
