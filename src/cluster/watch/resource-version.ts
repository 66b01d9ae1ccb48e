import type { KubeObject } from '../../model/index.ts';

/** Before every other: nothing has been seen yet. */
export const noVersion = '';

export function resourceVersionOf({ metadata }: KubeObject): string {
  const { resourceVersion } = metadata;
  return typeof resourceVersion === 'string' ? resourceVersion : noVersion;
}

/** Below zero where `one` is older. Undefined where the server does not count: then only the order of arrival tells. */
export function compareVersions(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (other === noVersion) return 1;
  if (one === noVersion) return -1;
  if (!isCount(one) || !isCount(other)) return undefined;
  return BigInt(one) < BigInt(other) ? -1 : 1;
}

function isCount(version: string): boolean {
  return /^\d+$/.test(version);
}
