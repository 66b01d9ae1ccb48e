import { differingOverlay, overlay } from '../diff/index.ts';
import type { Diff, Refusal } from '../model/index.ts';
import { conclude, type Comparison } from './comparison.ts';

/** The server would not say what an apply does. What is certain without it is shown; the rest is not known. */
export function explainRefusal(comparison: Comparison, refusal: Refusal): Diff {
  const { target, wanted, live, known } = comparison;
  const { key, origin } = target.manifest;
  const { schema = { type: 'any' } } = known;
  switch (refusal.type) {
    case 'invalid':
      return { type: 'invalid', key, origin, message: refusal.message };
    case 'terminating':
      return { ...refusal, key, origin };
    case 'unknown':
      return { ...refusal, key, origin };
    case 'replace':
    case 'denied': {
      const predicted = differingOverlay(wanted, live.object, schema);
      const diff = conclude(comparison, { predicted, obstacle: refusal });
      // Refused, and yet no field that certainly differs: then it is the manifest that cannot be had.
      return diff.type === 'changed' ? diff : { type: 'invalid', key, origin, message: refusal.message };
    }
    case 'unconfirmed': {
      const { code, message } = refusal;
      const diff = conclude(comparison, { predicted: overlay(wanted, live.object, schema), unconfirmed: message });
      if (diff.type !== 'changed') return { type: 'unknown', key, origin, code, message };
      // A value under our own name that is not what Git says: admission may have made it so, and would again.
      const suspected = diff.changes.every(({ owners }) => owners.length === 0);
      const fields = diff.changes.map(({ display }) => display).join(', ');
      return suspected ? { type: 'unknown', key, origin, code, message: `${fields} may have drifted: ${message}` } : diff;
    }
  }
}
