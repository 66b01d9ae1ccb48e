import { z } from 'zod';
import type { HealthRuleConfig } from './agent-config.ts';
import { text } from './fields.ts';

const expression = text('an expression in CEL').optional();

const shape = { kind: text('a kind, such as cert-manager.io/Certificate'), healthy: expression, progressing: expression, degraded: expression, suspended: expression, message: expression };

/** Whether the expressions are any is found out when they are compiled. */
const rule = z
  .strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'a rule: a mapping with kind and at least one expression') })
  .transform((said): HealthRuleConfig => Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as unknown as HealthRuleConfig);

export const healthRulesSchema = z.array(rule, { error: 'a list of rules' });
