import type { ApplicationPolicy, Diff, DriftMode } from '../model/index.ts';

/** What is to be done about what was changed of an object. */
export function driftModes(diff: Diff, { drift }: Pick<ApplicationPolicy, 'drift'>): ReadonlySet<DriftMode> {
  const changes = diff.type === 'changed' ? diff.changes : [];
  return new Set(changes.length === 0 ? [drift] : changes.map((change) => change.drift ?? drift));
}
