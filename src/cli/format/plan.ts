import { displayKey, type Plan, type Step } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import { inColumns, type Cell } from './application-columns.ts';
import { approvalText } from './plan-operation.ts';
import { oneLine, printable } from './printable.ts';

interface PlanOptions {
  readonly colors: Colors;
  readonly width?: number;
}

const titles = ['PHASE', 'WAVE', 'STEP', 'RESOURCE', 'WHY'];

/** A line for each step in the order in which they happen, what is refused among them, and the sum. */
export function planText(plan: Plan, { colors, width }: PlanOptions): string {
  const { steps, stopped } = plan;
  const header = titles.map((text): Cell => ({ text, paint: colors.bold }));
  const table = steps.length === 0 ? '' : inColumns([header, ...steps.map((step) => rowOf(step, colors))], width);
  const stop = stopped === undefined ? '' : `${colors.yellow('nothing is done now')}: ${printable(stopped.code)}: ${oneLine(stopped.why)}\n`;
  return `${table}${stop}${planSummary(plan)}\n`;
}

function rowOf(step: Step, colors: Colors): readonly Cell[] {
  const paint = { hold: colors.yellow, wait: colors.dim, prune: colors.red, recreate: colors.red, apply: undefined, hook: undefined, 'delete-hook': undefined }[step.type];
  const texts = [step.phase, String(step.wave), step.type, displayKey(step.key), whyOf(step)];
  return texts.map((text) => ({ text: printable(text), ...(paint && { paint }) }));
}

const reasons: Readonly<Record<Extract<Step, { readonly type: 'apply' }>['why'], string>> = {
  missing: 'is not in the cluster',
  changed: 'differs',
  adopt: 'is as Git says, and is marked as ours',
  namespace: 'is made for what goes into it',
  again: 'is applied again',
};

function whyOf(step: Step): string {
  switch (step.type) {
    case 'apply':
      return `${reasons[step.why]}${step.replace === true ? ' (replaced as a whole)' : ''}`;
    case 'recreate':
      return 'is deleted and created again';
    case 'hook':
      return step.replaces === undefined ? 'is run' : 'is run, after what an earlier sync left of it is deleted';
    case 'delete-hook':
      return 'is deleted, as it asks for';
    case 'prune':
      return `Git no longer has it${step.confirmed === true ? ' (confirmed)' : ''}`;
    case 'wait':
      return oneLine(step.why);
    case 'hold':
      return `${step.code}: ${oneLine(step.why)}${step.confirm === undefined ? '' : ` (${approvalText(step.confirm)})`}`;
  }
}

const words: Readonly<Record<Step['type'], string | undefined>> = {
  apply: 'to apply',
  recreate: 'to recreate',
  hook: 'to run',
  'delete-hook': 'to clean up',
  prune: 'to prune',
  hold: 'held',
  wait: undefined,
};

/** `2 to apply, 1 held; plan-0123456789abcdef at 4e9c917` */
export function planSummary({ steps, hash, commit }: Plan): string {
  const counts = Object.entries(words).flatMap(([type, word]) => {
    const count = steps.filter((step) => step.type === type).length;
    return word === undefined || count === 0 ? [] : [`${count} ${word}`];
  });
  return `${counts.join(', ') || 'nothing to do'}; ${printable(hash)}${commit === null ? '' : ` at ${printable(commit.slice(0, 7))}`}`;
}
