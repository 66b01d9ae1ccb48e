import { joinIgnoreRules, parseIgnoreRules, type IgnoreRules } from '../diff/index.ts';
import { SetpointError, type Application } from '../model/index.ts';

/** The rules of an application, beside those that hold for all. Worked out once for each. */
export function ignoresWith(forAll: IgnoreRules | undefined): (application: Application) => IgnoreRules | undefined {
  const known = new WeakMap<Application['ignoreRules'], IgnoreRules>();
  return ({ id, ignoreRules }) => {
    if (ignoreRules.length === 0) return forAll;
    const present = known.get(ignoreRules);
    if (present !== undefined) return present;
    const parsed = parseIgnoreRules([...ignoreRules]);
    if (parsed.type === 'refused') throw new SetpointError('ApplicationInvalid', `the ignoreDifferences of ${id} are refused: ${parsed.errors.join('; ')}`);
    const rules = forAll === undefined ? parsed.rules : joinIgnoreRules(forAll, parsed.rules);
    known.set(ignoreRules, rules);
    return rules;
  };
}
