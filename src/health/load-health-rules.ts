import type { HealthRule } from '../model/index.ts';
import type { compileHealthRules } from './rules/compile-health-rules.ts';

/** The language of rules takes 14 MB and a fifth of a second to load: only whoever has rules pays for it. */
export async function loadHealthRules(rules: readonly HealthRule[]): Promise<ReturnType<typeof compileHealthRules>> {
  const library = await import('./rules/compile-health-rules.ts');
  return library.compileHealthRules(rules);
}
