const dayMs = 24 * 60 * 60_000;

/** What is over for longer is no news, and what was told is remembered for as long. */
export const newsMs = dayMs;
export const deadLetterMs = 14 * dayMs;

export function isRecent(at: string, now: Date): boolean {
  return now.getTime() - Date.parse(at) < newsMs;
}

/** The first of these times; null where there is none. */
export function earliest(times: readonly number[]): Date | null {
  const first = times.reduce((least, at) => Math.min(least, at), Infinity);
  return Number.isFinite(first) ? new Date(first) : null;
}

/** The last of these times, those that there are; -Infinity where there is none. */
export function latest(times: readonly (string | null | undefined)[]): number {
  return Math.max(...times.map((at) => (at === null || at === undefined ? -Infinity : Date.parse(at))));
}
