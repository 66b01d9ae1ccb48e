import { celEnv, celFunc, CelScalar, isCelError, parse, plan, type CelInput, type CelValue } from '@bufbuild/cel';
import { messageText } from '../message-text.ts';
import { createMeter } from './meter.ts';
import { meterCall, meteredExpression, patternMeterCall } from './metered-expression.ts';

const longest = 2000;
/** Parsing goes down by so many levels at most. */
const deepest = 100;

export interface Subject {
  readonly object: CelInput;
  readonly now: CelInput;
}

export type Outcome = { readonly type: 'value'; readonly value: CelValue } | { readonly type: 'failed'; readonly why: string };
export type Expressed = (subject: Subject) => Outcome;
export type Compiled = { readonly type: 'compiled'; readonly run: Expressed } | { readonly type: 'mistake'; readonly what: string };

export interface ExpressionCompiler {
  compile(text: string): Compiled;
  /** CEL's own timestamp for a time. */
  timestamp(time: Date): CelInput;
  /** Before each object: its expressions share one limit. */
  reset(): void;
}

export function createExpressionCompiler(): ExpressionCompiler {
  const meter = createMeter();
  const counting = (name: string, spend: (value: CelValue) => void): ReturnType<typeof celFunc> =>
    celFunc(name, [CelScalar.DYN], CelScalar.DYN, (value) => {
      spend(value);
      return value;
    });
  const env = celEnv({
    variables: { object: CelScalar.DYN, now: CelScalar.DYN },
    funcs: [counting(meterCall, meter.spend), counting(patternMeterCall, meter.spendOnPattern)],
  });
  const toTimestamp = plan(celEnv({ variables: { time: CelScalar.STRING } }), parse('timestamp(time)'));
  return {
    compile(text) {
      if (text.trim() === '') return { type: 'mistake', what: 'is empty' };
      if (text.length > longest) return { type: 'mistake', what: `has ${text.length} characters, at most ${longest} are allowed` };
      if (depth(text) > deepest) return { type: 'mistake', what: `has more than ${deepest} brackets or signs within one another` };
      try {
        const evaluate = plan(env, meteredExpression(parse(text).expr, env, ['object', 'now']));
        const run = (subject: Subject): Outcome => {
          const value = evaluate(subject);
          if (meter.isSpent()) return { type: 'failed', why: 'it looks at too much' };
          return isCelError(value) ? { type: 'failed', why: messageText(value.message, 200) } : { type: 'value', value };
        };
        return { type: 'compiled', run };
      } catch (error) {
        return { type: 'mistake', what: `is no expression that works: ${messageText(whatIsWrong(error), 300)}` };
      }
    },
    timestamp(time) {
      const value = toTimestamp({ time: time.toISOString() });
      if (isCelError(value)) throw value;
      return value;
    },
    reset: () => meter.reset(),
  };
}

/** Brackets within one another, and signs in a row, whatever they mean: texts and all. */
function depth(text: string): number {
  let [open, signs, most] = [0, 0, 0];
  for (const sign of text) {
    if ('([{'.includes(sign)) open += 1;
    if (')]}'.includes(sign)) open = Math.max(0, open - 1);
    signs = '!-'.includes(sign) ? signs + 1 : 0;
    most = Math.max(most, open + signs);
  }
  return most;
}

/** The library begins with `<input>:1:5: `. */
function whatIsWrong(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^(?:syntax error: )?<input>:(?<line>\d+):(?<column>\d+): /, 'line $<line>, column $<column>: ');
}
