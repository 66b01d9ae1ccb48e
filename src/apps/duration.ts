const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s`, `5m`, `1h30m`, or seconds without a unit; undefined where it is something else. In milliseconds. */
export function durationMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return parts.reduce((sum, [, amount = '', unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
}
