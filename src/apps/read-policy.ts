import { childOf, valueAt, type ApplicationPolicy, type DriftMode, type JsonObject } from '../model/index.ts';
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
  return { deploy: isAutomatic ? 'automatic' : 'manual', drift, foreignFields, prune: isAutomatic && prune === true };
}
