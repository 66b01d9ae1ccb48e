import { parseDriftRules, type DriftRules } from '../diff/index.ts';
import { SetpointError, type Application } from '../model/index.ts';

/** The rules of an application about single fields; undefined where it has none. Throws where they cannot be read: one that is dropped might heal what it should leave. */
export function driftRulesOf({ id, policy: { rules = [], drift } }: Application): DriftRules | undefined {
  if (rules.length === 0) return undefined;
  const parsed = parseDriftRules(rules, drift);
  if (parsed.type === 'refused') throw new SetpointError('ApplicationInvalid', `the drift.rules of ${id} are refused: ${parsed.errors.join('; ')}`);
  return parsed.rules;
}
