import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { planText } from '../../../src/cli/format/plan.ts';
import { resourceKey, type Phase, type Plan, type Step } from '../../../src/model/index.ts';

const colors = picocolors.createColors(false);
const at = (name: string, phase: Phase = 'Sync', wave = 0) => ({ key: resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name }), phase, wave });
const plan = (parts: Partial<Plan>): Plan => ({ steps: [], hash: 'plan-0123456789abcdef', commit: '4e9c917'.padEnd(40, '0'), content: '', hooks: {}, ...parts });
const rows = (...steps: readonly Step[]): readonly string[] => planText(plan({ steps }), { colors }).split('\n').slice(1, -1);

test('steps come in their order, with waits, refusals and what to say back', () => {
  expect(
    rows(
      { type: 'hook', ...at('migrate', 'PreSync', -1) },
      { type: 'wait', ...at('migrate', 'PreSync', -1), why: 'is a hook that has to succeed first' },
      { type: 'apply', ...at('env'), why: 'missing' },
      { type: 'prune', ...at('old'), uid: 'u', propagation: 'foreground', confirmed: true },
      { type: 'hold', ...at('data', 'Sync', 10), code: 'PruneBudget', why: 'too\nmany', confirm: 'prune-1' },
    ),
  ).toEqual([
    'PreSync  -1    hook   ConfigMap shop/migrate  is run',
    'PreSync  -1    wait   ConfigMap shop/migrate  is a hook that has to succeed first',
    'Sync     0     apply  ConfigMap shop/env      is not in the cluster',
    'Sync     0     prune  ConfigMap shop/old      Git no longer has it (confirmed)',
    'Sync     10    hold   ConfigMap shop/data     PruneBudget: too many (--prune --approve prune-1)',
    '1 to apply, 1 to run, 1 to prune, 1 held; plan-0123456789abcdef at 4e9c917',
  ]);
});

test.each<[Step, string]>([
  [{ type: 'apply', ...at('a'), why: 'changed' }, 'differs'],
  [{ type: 'apply', ...at('a'), why: 'changed', replace: true }, 'differs (replaced as a whole)'],
  [{ type: 'apply', ...at('a'), why: 'adopt' }, 'is as Git says, and is marked as ours'],
  [{ type: 'apply', ...at('a'), why: 'namespace' }, 'is made for what goes into it'],
  [{ type: 'recreate', ...at('a'), uid: 'u', propagation: 'foreground' }, 'is deleted and created again'],
  [{ type: 'hook', ...at('a'), replaces: 'u' }, 'is run, after what an earlier sync left of it is deleted'],
  [{ type: 'delete-hook', ...at('a'), uid: 'u' }, 'is deleted, as it asks for'],
  [{ type: 'prune', ...at('a'), uid: 'u', propagation: 'foreground' }, 'Git no longer has it'],
])('%o is told', (step, words) => {
  expect(rows(step)[0]).toMatch(new RegExp(`^Sync +0 +${step.type} +ConfigMap shop/a +${words.replaceAll(/[()]/g, String.raw`\$&`)}$`));
});

test('a plan of nothing, and one that is stopped', () => {
  expect(planText(plan({ commit: null }), { colors })).toBe('nothing to do; plan-0123456789abcdef\n');
  expect(planText(plan({ stopped: { code: 'Paused', why: 'paused until noon' } }), { colors })).toBe('nothing is done now: Paused: paused until noon\nnothing to do; plan-0123456789abcdef at 4e9c917\n');
});

test('lets nothing steer the terminal, and fits it', () => {
  const hostile = '\u001B[2J\u202E';
  const text = planText(plan({ steps: [{ type: 'hold', ...at(hostile), code: 'Denied', why: hostile, confirm: hostile }], hash: hostile, stopped: { code: 'Denied', why: hostile } }), { colors });
  expect(text).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
  const narrow = planText(plan({ steps: [{ type: 'apply', ...at('a'.repeat(99)), why: 'missing' }] }), { colors, width: 40 });
  expect(Math.max(...narrow.split('\n').slice(0, 2).map((line) => line.length))).toBeLessThanOrEqual(40);
});
