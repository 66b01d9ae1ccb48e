import { childOf, isList, isObject, valueAt, type ApplicationPolicy, type DriftMode, type DriftRule, type JsonObject } from '../model/index.ts';
import type { Report } from './report.ts';

/** What is done about new commits and live changes, from Argo CD's words and ours. */
export function readPolicy(spec: JsonObject, report: Report): ApplicationPolicy {
  const automated = valueAt(spec, ['syncPolicy', 'automated']);
  const { enabled, prune, selfHeal, allowEmpty } = (automated ?? {}) as { readonly [flag in 'enabled' | 'prune' | 'selfHeal' | 'allowEmpty']?: boolean };
  const isAutomatic = automated !== undefined && enabled !== false;
  const { mode, foreignFields = 'Report' } = (childOf(spec, 'drift') ?? {}) as { mode?: DriftMode; foreignFields?: ApplicationPolicy['foreignFields'] };
  const drift = mode ?? (isAutomatic && selfHeal === true ? 'Heal' : 'Alert');
  if (mode !== undefined && selfHeal !== undefined && selfHeal !== (mode === 'Heal')) {
    report.warning('spec.syncPolicy.automated.selfHeal', `has no effect: it disagrees with spec.drift.mode (${mode}), which wins`);
  }
  if (mode === 'Heal' && enabled === false) report.warning('spec.drift.mode', 'goes on to heal although spec.syncPolicy.automated.enabled is false, which concerns new commits only: pause the Application instead');
  if (foreignFields === 'Revert' && drift !== 'Heal') report.warning('spec.drift.foreignFields', 'has no effect: nothing is reverted unless drift.mode is Heal');
  if (allowEmpty === true) report.warning('spec.syncPolicy.automated.allowEmpty', 'is not supported, and has no effect: nothing is deleted because Git has nothing');
  const rules = readDriftRules(spec, report);
  return { deploy: isAutomatic ? 'automatic' : 'manual', drift, ...(rules.length > 0 && { rules }), foreignFields, prune: isAutomatic && prune === true };
}

const modes: readonly DriftMode[] = ['Alert', 'Heal', 'Ignore'];

function readDriftRules(spec: JsonObject, report: Report): readonly DriftRule[] {
  const written = valueAt(spec, ['drift', 'rules']);
  return (isList(written) ? written : []).filter(isObject).flatMap(({ mode, ...of }, at) => {
    const known = modes.find((each) => each === mode);
    if (known === undefined) report.mistake(`spec.drift.rules[${at}].mode`, `one of ${modes.join(', ')} is wanted, got ${mode === undefined ? 'none' : 'something else'}`);
    return known === undefined ? [] : [{ mode: known, of }];
  });
}
