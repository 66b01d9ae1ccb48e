import type { CelEnv, parse } from '@bufbuild/cel';

export type Expression = ReturnType<typeof parse>['expr'];

/** The functions that count, under names that nobody can write. */
export const meterCall = '@spend';
export const patternMeterCall = '@spendOnPattern';

const typeNames = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map', 'null_type', 'type', 'google'];
/** They look at nothing but truth, or do not look at all. */
const freeCalls = new Set(['_&&_', '_||_', '_?_:_', '!_', '@not_strictly_false', '__not_strictly_false__']);
const deepestLoops = 4;

interface Scope {
  readonly names: ReadonlySet<string>;
  readonly functions: CelEnv['funcs'];
  readonly loops: number;
}

/** The same expression with everything that a call or a loop looks at counted first. Throws a sentence where it cannot work. */
export function meteredExpression(expression: Expression, env: CelEnv, names: readonly string[]): Expression {
  return metered(expression, { names: new Set([...names, ...typeNames]), functions: env.funcs, loops: 0 });
}

function metered(expression: Expression, scope: Scope): Expression {
  const kind = expression.exprKind;
  const again = (inside: Expression): Expression => metered(inside, scope);
  switch (kind.case) {
    case 'identExpr':
      if (!scope.names.has(kind.value.name.replace(/^\./, ''))) throw new Error(`nothing is named ${kind.value.name}; there are object and now`);
      return expression;
    case 'selectExpr':
      return { ...expression, exprKind: { case: kind.case, value: { ...kind.value, ...inner(kind.value.operand, again, 'operand') } } };
    case 'listExpr':
      return { ...expression, exprKind: { case: kind.case, value: { ...kind.value, elements: kind.value.elements.map(again) } } };
    case 'structExpr': {
      const entries = kind.value.entries.map((entry) => {
        const { keyKind } = entry;
        const key = keyKind.case === 'mapKey' ? { case: keyKind.case, value: again(keyKind.value) } : keyKind;
        return { ...entry, keyKind: key, ...inner(entry.value, again, 'value') };
      });
      return { ...expression, exprKind: { case: kind.case, value: { ...kind.value, entries } } };
    }
    case 'callExpr':
      return { ...expression, exprKind: { case: kind.case, value: meteredCall(kind.value, scope) } };
    case 'comprehensionExpr':
      return { ...expression, exprKind: { case: kind.case, value: meteredLoop(kind.value, scope) } };
    case 'constExpr':
    case undefined:
      return expression;
  }
}

type Kind<Name extends string> = Extract<Expression['exprKind'], { readonly case: Name }>;
type Call = Kind<'callExpr'>['value'];
type Loop = Kind<'comprehensionExpr'>['value'];

function meteredCall(call: Call, scope: Scope): Call {
  const { function: name, target, args } = call;
  if (/^\w/.test(name) && !name.startsWith('_') && scope.functions.find(name) === undefined) throw new Error(`there is no function ${name}`);
  const isFree = freeCalls.has(name) || (name === '_[_]' && args[1]?.exprKind.case === 'constExpr' && args[1].exprKind.value.constantKind.case === 'stringValue');
  const again = (inside: Expression): Expression => metered(inside, scope);
  if (isFree) return { ...call, args: args.map(again) };
  const isPattern = name === 'matches';
  if (isPattern && args.at(-1)?.exprKind.case !== 'constExpr') throw new Error('the pattern of matches() has to be written out');
  const counted = (inside: Expression): Expression => wrapped(again(inside), isPattern ? patternMeterCall : meterCall);
  return { ...call, args: args.map(counted), ...inner(target, counted, 'target') };
}

function meteredLoop(loop: Loop, scope: Scope): Loop {
  if (scope.loops >= deepestLoops) throw new Error(`more than ${deepestLoops} loops are within one another`);
  const within = { ...scope, loops: scope.loops + 1, names: new Set([...scope.names, loop.iterVar, loop.accuVar]) };
  return {
    ...loop,
    ...inner(loop.iterRange, (range) => wrapped(metered(range, scope), meterCall), 'iterRange'),
    // A loop goes on when a round fails. It ends when this does.
    ...inner(loop.loopCondition, (condition) => counting(metered(condition, within), meterCall), 'loopCondition'),
    ...inner(loop.loopStep, (step) => metered(step, within), 'loopStep'),
    ...inner(loop.result, (result) => metered(result, within), 'result'),
  };
}

/** A loop's own result so far is not counted: it would be at each round. */
function wrapped(expression: Expression, name: string): Expression {
  const { case: type, value } = expression.exprKind;
  if (type === 'constExpr' || (type === 'identExpr' && value.name.startsWith('@'))) return expression;
  return counting(expression, name);
}

function counting(expression: Expression, name: string): Expression {
  const call = { $typeName: 'cel.expr.Expr.Call' as const, function: name, args: [expression] };
  return { $typeName: 'cel.expr.Expr', id: expression.id, exprKind: { case: 'callExpr', value: call } };
}

function inner<Name extends string>(expression: Expression | undefined, change: (inside: Expression) => Expression, name: Name): { [key in Name]?: Expression } {
  return (expression === undefined ? {} : { [name]: change(expression) }) as { [key in Name]?: Expression };
}
