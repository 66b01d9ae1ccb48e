import { z } from 'zod';
import type { HealthRule } from '../model/index.ts';
import { mapping, text } from './fields.ts';

const expression = text('an expression in CEL').optional();

const shape = { kind: text('a kind, such as cert-manager.io/Certificate'), healthy: expression, progressing: expression, degraded: expression, suspended: expression, message: expression };

export const healthRuleKeys = Object.keys(shape);

/** Whether the expressions are any is found out when they are compiled. */
const rule = mapping(shape, 'a rule: a mapping with kind and at least one expression')
  .transform((said): HealthRule => Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as unknown as HealthRule);

export const healthRulesSchema = z.array(rule, { error: 'a list of rules' });
