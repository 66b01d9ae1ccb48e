const units = [
  { name: 'd', ms: 86_400_000, from: 2 * 86_400_000 },
  { name: 'h', ms: 3_600_000, from: 2 * 3_600_000 },
  { name: 'm', ms: 60_000, from: 2 * 60_000 },
] as const;

/** How long ago, in one word: `12s`, `6m`, `3h`, `2d`. A clock that is behind makes it 0s, never less. */
export function age(at: Date | undefined, now: Date): string {
  if (at === undefined) return '-';
  return span(now.getTime() - at.getTime());
}

export function span(ms: number): string {
  const unit = units.find(({ from }) => ms >= from);
  return unit === undefined ? `${Math.max(0, Math.floor(ms / 1000))}s` : `${Math.floor(ms / unit.ms)}${unit.name}`;
}
