import type { Phase } from '../model/index.ts';
import type { HookDeletePolicy } from './read-marks.ts';

/** As Argo CD maps them. An install cannot be told from an upgrade; a rollback is a sync of an earlier commit, and tests are never run. */
const phaseByHook: Readonly<Record<string, Phase | null>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
  'crd-install': null,
  'pre-rollback': null,
  'post-rollback': null,
  test: null,
  'test-success': null,
  'test-failure': null,
};

const policyByName: Readonly<Record<string, HookDeletePolicy>> = {
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
  'before-hook-creation': 'BeforeHookCreation',
};

export function helmPhases(hooks: readonly string[], problems: string[]): readonly Phase[] {
  const strange = hooks.filter((hook) => !Object.hasOwn(phaseByHook, hook));
  if (strange.length > 0 || hooks.length === 0) problems.push(`helm.sh/hook is to be of ${Object.keys(phaseByHook).join(', ')}, and has "${strange.join(', ')}"`);
  return [...new Set(hooks.flatMap((hook) => (Object.hasOwn(phaseByHook, hook) ? (phaseByHook[hook] ?? []) : [])))];
}

export function helmDeletePolicies(names: readonly string[], problems: string[]): readonly HookDeletePolicy[] {
  const strange = names.filter((name) => !Object.hasOwn(policyByName, name));
  if (strange.length > 0) problems.push(`helm.sh/hook-delete-policy is to be of ${Object.keys(policyByName).join(', ')}, and has "${strange.join(', ')}"`);
  return [...new Set(names.flatMap((name) => (Object.hasOwn(policyByName, name) ? (policyByName[name] ?? []) : [])))];
}
