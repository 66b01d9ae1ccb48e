import { groupOf, isSecretKind, type HealthRule, type HealthStatus, type KubeObject } from '../../model/index.ts';
import type { Assessment } from '../assessment.ts';
import { messageText } from '../message-text.ts';
import { celValue } from './cel-value.ts';
import { createExpressionCompiler, type Expressed, type ExpressionCompiler, type Subject } from './compile-expression.ts';

export interface HealthRules {
  /** Undefined where no rule is about the object's kind. */
  assess(object: KubeObject, now: Date): Assessment | undefined;
}

/** In the order in which they are asked. */
const questions = { degraded: 'Degraded', suspended: 'Suspended', progressing: 'Progressing', healthy: 'Healthy' } as const satisfies Record<string, HealthStatus>;
const names = ['degraded', 'suspended', 'progressing', 'healthy', 'message'] as const;

interface CompiledRule {
  readonly kind: string;
  readonly expressions: ReadonlyMap<(typeof names)[number], Expressed>;
}

/** A rule with a mistake is left out whole. */
export function compileHealthRules(rules: readonly HealthRule[]): { readonly rules: HealthRules; readonly mistakes: readonly string[] } {
  const compiler = createExpressionCompiler();
  const compiled = new Map<string, CompiledRule>();
  const mistakes: string[] = [];
  for (const rule of rules) {
    const kind = rule.kind.trim();
    const { expressions, wrong } = compileRule(rule, kind, compiler);
    const all = compiled.has(kind) ? [...wrong, 'there is another rule for this kind'] : wrong;
    mistakes.push(...all.map((what) => `health rule for ${messageText(kind, 100) || 'no kind'}: ${what}`));
    if (all.length === 0) compiled.set(kind, { kind, expressions });
  }
  const ruleFor = ({ apiVersion, kind }: KubeObject): CompiledRule | undefined => compiled.get(`${groupOf(apiVersion)}/${kind}`) ?? compiled.get(kind);
  return { rules: { assess: (object, now) => assessBy(ruleFor(object), compiler, { object, now }) }, mistakes };
}

function compileRule(rule: HealthRule, kind: string, compiler: ExpressionCompiler): Pick<CompiledRule, 'expressions'> & { readonly wrong: readonly string[] } {
  const expressions = new Map<(typeof names)[number], Expressed>();
  const wrong: string[] = [];
  const [name = '', group = ''] = kind.split('/').toReversed();
  if (!/^(?:[a-z0-9.-]*\/)?[A-Za-z][A-Za-z0-9]*$/.test(kind)) wrong.push('kind has to be Kind or group/Kind');
  else if (isSecretKind({ group, kind: name })) wrong.push('no rule looks into Secrets');
  for (const question of names) {
    const text = rule[question];
    if (text === undefined) continue;
    const result = compiler.compile(text);
    if (result.type === 'compiled') expressions.set(question, result.run);
    else wrong.push(`"${question}" ${result.what}`);
  }
  if (names.every((question) => question === 'message' || rule[question] === undefined)) wrong.push('it has none of healthy, progressing, degraded and suspended');
  return { expressions, wrong };
}

function assessBy(rule: CompiledRule | undefined, compiler: ExpressionCompiler, seen: { readonly object: KubeObject; readonly now: Date }): Assessment | undefined {
  if (rule === undefined) return undefined;
  const broken = (what: string): Assessment => ({ status: 'Unknown', message: `the health rule for ${rule.kind} does not work here: ${what}` });
  try {
    compiler.reset();
    const subject = { object: celValue(seen.object), now: compiler.timestamp(seen.now) };
    for (const [question, status] of Object.entries(questions) as [keyof typeof questions, HealthStatus][]) {
      const outcome = rule.expressions.get(question)?.(subject);
      if (outcome === undefined) continue;
      if (outcome.type === 'failed') return broken(`"${question}": ${outcome.why}`);
      if (typeof outcome.value !== 'boolean') return broken(`"${question}" is neither true nor false`);
      if (outcome.value) return { status, ...said(rule, subject) };
    }
    return { status: 'Progressing', ...said(rule, subject) };
  } catch (error) {
    return broken(messageText(error instanceof Error ? error.message : String(error), 200));
  }
}

/** A message that fails hides no verdict. */
function said({ kind, expressions }: CompiledRule, subject: Subject): { readonly message?: string } {
  const outcome = expressions.get('message')?.(subject);
  if (outcome === undefined) return {};
  if (outcome.type === 'failed') return { message: `(the health rule for ${kind}: "message": ${outcome.why})` };
  return { message: typeof outcome.value === 'string' ? messageText(outcome.value) : `(the health rule for ${kind}: "message" is no text)` };
}
