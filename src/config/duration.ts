import { SetpointError } from '../model/index.ts';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30s`, `5m`, `1h30m`, in milliseconds. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new SetpointError('Usage', `a duration such as 30s, 5m or 1h30m is wanted, got ${text === '' ? 'nothing' : text}`);
  }
  return parts.reduce((sum, [, amount = '', unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
}
